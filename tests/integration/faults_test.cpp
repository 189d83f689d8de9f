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

constexpr const char* no_answer = "upstream_interrupted";
constexpr const char* bad_head = "upstream_unavailable";

const std::string ok_line = "HTTP/1.1 200 OK\r\n";

// Each answer is a 502 after one request on one connection, and no byte of it shows.
void check_bad_answers(const std::vector<bad_answer>& rows) {
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.name) {
            scripted_upstream model(once(row.bytes, row.after));
            running_proxy proxy(settings_for(model.port()));
            auto client = proxy.connect();
            client.send(chat_request());
            const auto answer = client.read_message();
            BOOST_TEST(answer.status() == 502u);
            BOOST_TEST(answer.whole);
            BOOST_TEST(answer.header("content-type").value_or("") == "application/json");
            BOOST_TEST(answer.body.find("\"code\":\"" + row.code + "\"") != std::string::npos);
            BOOST_TEST(answer.body.find("evil") == std::string::npos);
            BOOST_TEST(answer.head.find("evil") == std::string::npos);
            BOOST_TEST(proxy.records(1)[0].retries == 0u);
            BOOST_TEST(model.connections() == 1u);
        }
    }
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

constexpr std::string_view interim = "HTTP/1.1 102 Processing\r\n\r\n";

void answer_next(wire& client) {
    client.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext");
}

// A stream that breaks behind its first event: everything before the break is shown, nothing of
// what was broken, then one error and [DONE]. The upstream's connection is not used again, the
// client's is as good as before.
void check_cut(
    const std::string& bytes, void (*after)(wire&) = [](wire&) {}, unsigned connections = 2) {
    const auto first = content_event("kept") + content_event("too");
    scripted_upstream model([&](wire& client, unsigned number) {
        (void)client.read_message();
        if (number > 0) {
            return answer_next(client);
        }
        client.send(std::string(stream_head) + chunk(first) + bytes);
        after(client);
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 200u);
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body.starts_with(first));
    const auto end = answer.body.substr(first.size());
    BOOST_TEST(end.find("\"code\":\"upstream_interrupted\"") != std::string::npos);
    BOOST_TEST(end.find("\"error\"") == end.rfind("\"error\""));
    BOOST_TEST(end.find(done_event) == end.size() - done_event.size());
    BOOST_TEST(end.find("lost") == std::string::npos);
    BOOST_TEST(model.connections() == 1u);
    client.send(request("GET", "/v1/next"));
    BOOST_TEST(client.read_message().body == "next");
    BOOST_TEST(model.connections() == connections);
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

BOOST_AUTO_TEST_CASE(a_connection_closed_at_once_is_a_502_asked_once) {
    scripted_upstream model([](wire&, unsigned) {});
    scripted_upstream second([](wire&, unsigned) {});
    auto settings = settings_for(model.port());
    settings.upstreams.push_back(settings_for(second.port()).upstreams[0]);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    BOOST_TEST(client.read_message().status() == 502u);
    // What was written may have been read: nobody else is asked.
    BOOST_TEST(model.connections() == 1u);
    BOOST_TEST(second.connections() == 0u);
    BOOST_TEST(proxy.records(1)[0].retries == 0u);
}

BOOST_AUTO_TEST_CASE(a_reset_after_the_request_is_a_502_asked_once) {
    check_bad_answers({{"at once", "", no_answer, reset},
                       {"inside the head", ok_line + "evil: 1", no_answer, reset}});
}

BOOST_AUTO_TEST_CASE(an_orderly_close_before_the_head_is_a_502_asked_once) {
    check_bad_answers({{"closes", "", no_answer}});
}

BOOST_AUTO_TEST_CASE(half_a_head_is_a_502) {
    check_bad_answers({{"half a status line", "HTTP/1.1 20", no_answer},
                       {"half a head", ok_line + "evil: text/event-stream\r\n", no_answer},
                       {"all but its last byte", ok_line + "evil: 1\r\n\r", no_answer}});
}

BOOST_AUTO_TEST_CASE(what_is_no_http_is_a_502_and_never_passed) {
    check_bad_answers({{"garbage", "\x01\x02 evil\r\n\r\n", bad_head, wait_closed},
                       {"TLS", "\x16\x03\x03\x01\x02\x02 evil", bad_head, wait_closed},
                       {"HTTP/0.9", "<html>evil</html>", bad_head, wait_closed},
                       {"another protocol", "ICY 200 evil\r\n\r\n", bad_head, wait_closed},
                       {"status 000", "HTTP/1.1 000 evil\r\n\r\n", bad_head, wait_closed}});
}

BOOST_AUTO_TEST_CASE(more_interim_answers_than_sixteen_are_a_502) {
    check_bad_answers({{"17", repeated(interim, 17), bad_head, wait_closed},
                       {"3,000", repeated(interim, 3'000), bad_head, wait_closed}});
}

BOOST_AUTO_TEST_CASE(sixteen_interim_answers_are_swallowed) {
    scripted_upstream model(
        once(repeated(interim, 16) + ok_line + "content-length: 2\r\n\r\nok", wait_closed));
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("GET", "/v1/models"));
    BOOST_TEST(client.read_message().body == "ok");
}

BOOST_AUTO_TEST_CASE(a_switch_of_protocols_is_a_502) {
    check_bad_answers(
        {{"101", "HTTP/1.1 101 evil\r\nupgrade: evil\r\n\r\nevil", bad_head, wait_closed}});
}

BOOST_AUTO_TEST_CASE(a_head_over_its_limits_is_a_502) {
    check_bad_answers(
        {{"1,001 lines", ok_line + repeated("evil: b\r\n", 1'001) + "\r\n", bad_head, wait_closed},
         {"one long line", ok_line + "a: evil" + std::string(70'000, 'b') + "\r\n\r\n", bad_head,
          wait_closed},
         {"without an end", ok_line + "a: evil" + std::string(70'000, 'b'), bad_head,
          wait_closed}});
}

BOOST_AUTO_TEST_CASE(an_answer_without_one_length_is_a_502) {
    check_bad_answers(
        {{"differing lengths", ok_line + "content-length: 4\r\ncontent-length: 5\r\n\r\nevil",
          bad_head, wait_closed},
         {"negative length", ok_line + "content-length: -1\r\n\r\nevil", bad_head, wait_closed},
         {"unknown coding", ok_line + "transfer-encoding: gzip\r\n\r\nevil", bad_head, wait_closed},
         {"two codings", ok_line + "transfer-encoding: x, chunked\r\n\r\nevil", bad_head,
          wait_closed}});
}

BOOST_AUTO_TEST_CASE(a_stream_closed_between_events_ends_loudly) {
    check_cut("");
}

BOOST_AUTO_TEST_CASE(a_stream_reset_between_events_ends_loudly) {
    check_cut("", reset);
}

BOOST_AUTO_TEST_CASE(a_stream_cut_inside_an_event_does_not_show_the_half) {
    const auto event = content_event("lost");
    for (const std::size_t length : {std::size_t{1}, std::size_t{40}, event.size() - 1}) {
        check_cut(chunk(event.substr(0, length)));
        check_cut(chunk(event.substr(0, length)), reset);
    }
}

BOOST_AUTO_TEST_CASE(a_broken_chunk_ends_a_stream_loudly) {
    for (const auto* bytes : {"zz\r\nlost\r\n", "3\r\nabcdef\r\n", "fffffffffffffffff\r\n",
                              "ffffffffffffffff\r\nlost", "-1\r\nlost", "5\nlost\n"}) {
        BOOST_TEST_CONTEXT(bytes) {
            check_cut(bytes, wait_closed);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_stream_that_ends_without_a_finish_ends_loudly) {
    const auto serve_next = [](wire& client) {
        if (!client.read_message().head.empty()) {
            answer_next(client);
        }
    };
    check_cut(std::string(last_chunk), serve_next, 1); // its framing was whole
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
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = client.read_message();
    // The clock of the limits ticks in steps: up to one may be missing.
    BOOST_TEST((std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(90)));
    BOOST_TEST(answer.status() == 504u);
    BOOST_TEST(model.connections() == 1u);
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
