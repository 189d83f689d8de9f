// What an upstream can do wrong, and what the client is told: never a truncated answer that looks
// whole, never the same request twice.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;
using namespace std::string_literals;

namespace {

// Answers the first request of each connection with `bytes`, then does `after`.
auto once(
    std::string bytes, void (*after)(wire&) = [](wire&) {}) {
    return [bytes = std::move(bytes), after](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send(bytes);
        after(client);
    };
}

void wait_closed(wire& client) {
    (void)client.wait_closed();
}

void reset(wire& client) {
    client.reset();
}

struct bad_answer {
    std::string name;
    std::string bytes;
    std::string code;
    void (*after)(wire&) = [](wire&) {};
};

const std::vector<bad_answer>& bad_answers() {
    const auto ok = "HTTP/1.1 200 OK\r\n"s;
    static const std::vector<bad_answer> rows = {
        {"closes at once", "", "upstream_interrupted"},
        {"resets at once", "", "upstream_interrupted", reset},
        {"half a status line", "HTTP/1.1 20", "upstream_interrupted"},
        {"half a head", ok + "content-type: text/event-stream\r\n", "upstream_interrupted"},
        {"reset inside the head", ok + "content-ty", "upstream_interrupted", reset},
        {"garbage", "\x16\x03\x01\x02 garbage\r\n\r\n", "upstream_unavailable", wait_closed},
        {"HTTP/0.9", "<html>hello</html>", "upstream_unavailable", wait_closed},
        {"another protocol", "ICY 200 OK\r\n\r\n", "upstream_unavailable", wait_closed},
        {"status 000", "HTTP/1.1 000 X\r\n\r\n", "upstream_unavailable", wait_closed},
        {"switches protocols", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n",
         "upstream_unavailable", wait_closed},
        {"differing lengths", ok + "content-length: 1\r\ncontent-length: 2\r\n\r\nab",
         "upstream_unavailable", wait_closed},
        {"bad length", ok + "content-length: -1\r\n\r\n", "upstream_unavailable", wait_closed},
        {"unknown coding", ok + "transfer-encoding: gzip\r\n\r\n", "upstream_unavailable",
         wait_closed},
        {"too many lines",
         ok +
             [] {
                 std::string lines;
                 for (int i = 0; i < 1'001; ++i) {
                     lines += "a: b\r\n";
                 }
                 return lines;
             }() +
             "\r\n",
         "upstream_unavailable", wait_closed},
        {"head too large", ok + "a: " + std::string(70'000, 'b') + "\r\n\r\n",
         "upstream_unavailable", wait_closed},
        {"17 interim answers",
         [] {
             std::string interim;
             for (int i = 0; i < 17; ++i) {
                 interim += "HTTP/1.1 102 Processing\r\n\r\n";
             }
             return interim;
         }(),
         "upstream_unavailable", wait_closed},
    };
    return rows;
}

} // namespace

BOOST_AUTO_TEST_SUITE(upstream_faults)

BOOST_AUTO_TEST_CASE(an_upstream_that_refuses_is_a_502_and_the_next_request_tries_anew) {
    running_proxy proxy(settings_for(closed_port()));
    auto client = proxy.connect();
    for (std::size_t i = 1; i <= 2; ++i) {
        client.send(chat_request());
        const auto answer = client.read_message();
        BOOST_TEST(answer.status() == 502u);
        BOOST_TEST(answer.header("content-type").value_or("") == "application/json");
        BOOST_TEST(answer.body.starts_with(R"({"error":{"message":"The upstream could not be)"));
        BOOST_TEST(answer.body.find(
                       R"("type":"upstream_error","param":null,"code":"upstream_unavailable")") !=
                   std::string::npos);
        BOOST_TEST(!answer.header("x-should-retry"));
        const auto told = proxy.records(i)[i - 1];
        BOOST_TEST(told.error_code == "upstream_unavailable");
        BOOST_TEST(told.outcome == "error");
        BOOST_TEST(told.status == 502u);
    }
}

BOOST_AUTO_TEST_CASE(an_answer_that_can_not_be_trusted_is_a_502_asked_once) {
    for (const auto& row : bad_answers()) {
        BOOST_TEST_CONTEXT(row.name) {
            scripted_upstream model(once(row.bytes, row.after));
            running_proxy proxy(settings_for(model.port()));
            auto client = proxy.connect();
            client.send(chat_request());
            const auto answer = client.read_message();
            BOOST_TEST(answer.status() == 502u);
            BOOST_TEST(answer.whole);
            BOOST_TEST(answer.body.find("\"code\":\"" + row.code + "\"") != std::string::npos);
            BOOST_TEST(answer.body.find("garbage") == std::string::npos);
            BOOST_TEST(proxy.records(1)[0].retries == 0u);
            BOOST_TEST(model.connections() == 1u);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_cut_ends_loudly_and_in_order) {
    struct row {
        std::string name;
        std::string bytes; // behind the head and one event
        void (*after)(wire&) = [](wire&) {};
    };

    const std::vector<row> rows = {
        {"closed between events", ""},
        {"reset between events", "", reset},
        {"closed inside an event", chunk(content_event("lost").substr(0, 40))},
        {"bad chunk size", "zz\r\nabc\r\n", wait_closed},
        {"no CRLF behind a chunk", "3\r\nabcdef\r\n", wait_closed},
        {"chunk size that overflows", "fffffffffffffffff\r\n", wait_closed},
        {"orderly end without finish and [DONE]", std::string(last_chunk), wait_closed},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.name) {
            const auto first = content_event("kept");
            scripted_upstream model([&](wire& client, unsigned) {
                (void)client.read_message();
                client.send(std::string(stream_head) + chunk(first) + row.bytes);
                row.after(client);
            });
            running_proxy proxy(settings_for(model.port()));
            auto client = proxy.connect();
            client.send(chat_request());
            const auto answer = client.read_message();
            BOOST_TEST(answer.status() == 200u);
            BOOST_TEST(answer.whole);
            BOOST_TEST(answer.body.starts_with(first));
            BOOST_TEST(answer.body.find("\"code\":\"upstream_interrupted\"") != std::string::npos);
            BOOST_TEST(answer.body.ends_with(done_event));
            BOOST_TEST(answer.body.find("lost") == std::string::npos);
            BOOST_TEST(model.connections() == 1u);
            // The client's connection is as good as before.
            client.send(request("GET", "/.."));
            BOOST_TEST(client.read_message().status() == 400u);
        }
    }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_cut_never_look_whole) {
    for (const auto* framing : {"content-length: 10", "transfer-encoding: chunked"}) {
        for (const auto* version : {"HTTP/1.1", "HTTP/1.0"}) {
            BOOST_TEST_CONTEXT(framing << " to " << version) {
                const bool is_chunked = framing[0] == 't';
                scripted_upstream model(once("HTTP/1.1 200 OK\r\n"s + framing + "\r\n\r\n" +
                                             (is_chunked ? "5\r\nhello\r\n" : "hello")));
                running_proxy proxy(settings_for(model.port()));
                auto client = proxy.connect();
                client.send("GET /v1/x "s + version + "\r\nHost: a\r\n\r\n");
                const auto answer = client.read_message();
                BOOST_TEST(!answer.whole);
                BOOST_TEST(proxy.records(1)[0].outcome == "error");
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_stall_before_the_head_is_a_504) {
    scripted_upstream model(once("", wait_closed));
    auto settings = settings_for(model.port());
    settings.upstreams[0].first_byte_timeout = std::chrono::milliseconds(200);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 504u);
    BOOST_TEST(answer.body.find("\"code\":\"upstream_timeout\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_stall_inside_a_stream_ends_it_loudly) {
    const auto first = content_event("kept");
    scripted_upstream model(once(std::string(stream_head) + chunk(first), wait_closed));
    auto settings = settings_for(model.port());
    settings.upstreams[0].idle_timeout = std::chrono::milliseconds(200);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body.starts_with(first));
    BOOST_TEST(answer.body.find("\"code\":\"upstream_timeout\"") != std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
}

BOOST_AUTO_TEST_CASE(comments_keep_a_stream_alive_past_the_idle_limit) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(900);
        while (std::chrono::steady_clock::now() < end &&
               !client.closed_within(std::chrono::milliseconds(50))) {
            client.send(chunk(": ping\n\n"));
        }
        client.send(chunk(content_event("late") + finish_event() + std::string(done_event)) +
                    std::string(last_chunk));
    });
    auto settings = settings_for(model.port());
    settings.upstreams[0].idle_timeout = std::chrono::milliseconds(400);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.body.find("late") != std::string::npos);
    BOOST_TEST(answer.body.find(": ping\n\n") != std::string::npos);
    BOOST_TEST(proxy.records(1)[0].outcome == "clean");
}

BOOST_AUTO_TEST_CASE(an_answer_before_the_whole_request_was_taken_reaches_the_client) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_until("\r\n\r\n");
        client.send("HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\nconnection: close\r\n\r\nnope");
        (void)client.wait_closed();
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("POST", "/v1/files", "", std::string(8 << 20, 'x')));
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 413u);
    BOOST_TEST(answer.body == "nope");
    BOOST_TEST(model.connections() == 1u);
}

BOOST_AUTO_TEST_CASE(only_an_upstream_that_was_not_reached_is_replaced_by_the_next) {
    scripted_upstream second(once("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
    auto settings = settings_for(closed_port());
    settings.upstreams.push_back(settings_for(second.port()).upstreams[0]);
    settings.upstreams[1].name = "second";
    settings.upstreams[1].api_key = "second-key";
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(request("GET", "/v1/models", "Authorization: Bearer mine\r\n"));
    BOOST_TEST(client.read_message().body == "ok");
    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.retries == 1u);
    BOOST_TEST(told.upstream == "second");
}

BOOST_AUTO_TEST_CASE(an_upstream_that_took_the_request_is_not_replaced) {
    scripted_upstream first(once(""));
    scripted_upstream second(once("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
    auto settings = settings_for(first.port());
    settings.upstreams.push_back(settings_for(second.port()).upstreams[0]);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    BOOST_TEST(client.read_message().status() == 502u);
    BOOST_TEST(second.connections() == 0u);
    BOOST_TEST(proxy.records(1)[0].retries == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
