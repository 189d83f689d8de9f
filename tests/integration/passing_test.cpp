// What is not sanitized passes byte for byte, and every clean stream does too.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <semaphore>
#include <stdexcept>
#include <string>

using namespace proxy;
using namespace proxy::tests;

namespace {

std::string with_length(std::string_view body, std::string_view lines = "") {
    return "HTTP/1.1 200 OK\r\n" + std::string(lines) +
           "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// Bytes of every value, so that nothing in between may touch them.
std::string all_bytes(std::size_t size) {
    std::string out(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
        out[i] = static_cast<char>(i * 7 + i / 251);
    }
    return out;
}

// Serves every request of a connection with `answer(request)`.
auto serving(std::function<std::string(const wire::message&)> answer) {
    return [answer = std::move(answer)](wire& client, unsigned) {
        while (true) {
            const auto asked = client.read_message();
            if (asked.head.empty() || !client.try_send(answer(asked))) {
                return;
            }
        }
    };
}

} // namespace

BOOST_AUTO_TEST_SUITE(passing)

BOOST_AUTO_TEST_CASE(a_clean_stream_reaches_the_client_with_its_own_bytes) {
    const std::string stream = ": hi\n\n" + content_event("Hello") +
                               content_event(", <b>world</b> [1] a[i] end") + finish_event() +
                               std::string(done_event);
    scripted_upstream model(serving([&](const wire::message&) {
        return std::string(stream_head) + chunk(stream) + std::string(last_chunk);
    }));
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 200u);
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body == stream);
    BOOST_TEST(answer.header("content-type").value_or("") == "text/event-stream");
    BOOST_TEST(answer.header("cache-control").value_or("") == "no-cache");
    BOOST_TEST(answer.header("x-accel-buffering").value_or("") == "no");
    BOOST_TEST(answer.header("content-length").value_or("none") == "none");
    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.outcome == "clean");
    BOOST_TEST(told.sanitized);
    BOOST_TEST(told.status == 200u);
    BOOST_TEST(told.retries == 0u);
}

BOOST_AUTO_TEST_CASE(a_stream_passes_event_by_event_without_waiting_for_more) {
    std::counting_semaphore<> seen(0);
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        for (const auto* text : {"one", "two", "three"}) {
            // Goes on only when the test has seen what was sent before.
            if (!seen.try_acquire_for(wire::patience)) {
                throw std::runtime_error("the test did not see what was sent");
            }
            client.send(chunk(content_event(text)));
        }
        client.send(chunk(finish_event() + std::string(done_event)) + std::string(last_chunk));
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request());
    BOOST_TEST(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    for (const auto* text : {"one", "two", "three"}) {
        seen.release();
        BOOST_TEST(client.read_until(text).ends_with(text));
    }
    BOOST_TEST(client.read_until("0\r\n\r\n").ends_with("0\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(the_request_reaches_the_upstream_byte_for_byte) {
    wire::message seen;
    scripted_upstream model(serving([&](const wire::message& asked) {
        seen = asked;
        return with_length("{}");
    }));
    running_proxy proxy(settings_for(model.port(), "/openai/v1"));
    auto client = proxy.connect();
    const std::string body = "{\"a\" :\t1.50, \"b\":\"\xc3\xa9\\u00e9\"}  ";
    client.send(request("POST", "/v1/embeddings?x=%20&y",
                        "X-Odd:  a\tb \r\nAuthorization: Bearer k\r\n", body));
    BOOST_TEST(client.read_message().body == "{}");
    BOOST_TEST(seen.body == body);
    BOOST_TEST(seen.head.starts_with("POST /openai/v1/embeddings?x=%20&y HTTP/1.1\r\n"));
    BOOST_TEST(seen.header("host").value_or("") == "127.0.0.1:" + std::to_string(model.port()));
    BOOST_TEST(seen.header("x-odd").value_or("") == "a\tb");
    BOOST_TEST(seen.header("authorization").value_or("") == "Bearer k");
    BOOST_TEST(seen.header("x-request-id").value_or("").size() == 32u);
    BOOST_TEST(seen.header("accept-encoding").value_or("none") == "none");
}

BOOST_AUTO_TEST_CASE(a_sanitized_request_asks_for_plain_text) {
    std::string coding;
    scripted_upstream model(serving([&](const wire::message& asked) {
        coding = asked.header("accept-encoding").value_or("");
        return with_length("{}", "content-type: application/json\r\n");
    }));
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("POST", "/v1/chat/completions", "Accept-Encoding: gzip, br\r\n", "{}"));
    BOOST_TEST(client.read_message().whole);
    BOOST_TEST(coding == "identity");
}

BOOST_AUTO_TEST_CASE(bodies_of_any_bytes_pass_both_ways) {
    const auto body = all_bytes(3 << 20);
    scripted_upstream model(serving([](const wire::message& asked) {
        return with_length(asked.body, "content-type: application/octet-stream\r\n");
    }));
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("POST", "/v1/files", "", body));
    const auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST((answer.body == body));
    BOOST_TEST(answer.header("content-length").value_or("") == std::to_string(body.size()));
    BOOST_TEST(proxy.records(1)[0].outcome == "passed");
}

BOOST_AUTO_TEST_CASE(a_json_answer_of_a_chat_request_passes_untouched_in_this_version) {
    const std::string body = R"({"choices":[{"message":{"content":"<tool_call>x"}}],"n":1.50})";
    scripted_upstream model(serving([&](const wire::message&) {
        return with_length(body, "Content-Type: application/json\r\n");
    }));
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.body == body);
    BOOST_TEST(answer.header("content-length").value_or("") == std::to_string(body.size()));
}

BOOST_AUTO_TEST_CASE(errors_of_the_upstream_pass_and_are_asked_once) {
    for (const auto* status : {"429 Too Many Requests", "500 Oops", "503 Busy", "400 Bad"}) {
        std::atomic<unsigned> asked = 0;
        scripted_upstream model(serving([&](const wire::message&) {
            ++asked;
            return "HTTP/1.1 " + std::string(status) +
                   "\r\nretry-after: 7\r\nx-should-retry: true\r\ncontent-length: 4\r\n\r\noops";
        }));
        running_proxy proxy(settings_for(model.port()));
        auto client = proxy.connect();
        client.send(chat_request());
        const auto answer = client.read_message();
        BOOST_TEST(answer.head.starts_with("HTTP/1.1 " + std::string(status) + "\r\n"));
        BOOST_TEST(answer.header("retry-after").value_or("") == "7");
        BOOST_TEST(answer.header("x-should-retry").value_or("") == "true");
        BOOST_TEST(answer.body == "oops");
        BOOST_TEST(asked == 1u);
    }
}

BOOST_AUTO_TEST_CASE(answers_of_every_framing_reach_every_client) {
    const std::string body = all_bytes(100'000);
    const auto framed = [&](std::string_view kind) {
        const std::string head = "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n";
        if (kind == "length") {
            return head + "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        }
        if (kind == "chunked") {
            return head + "transfer-encoding: chunked\r\n\r\n" + chunk(body.substr(0, 5)) +
                   chunk(body.substr(5)) + "0\r\nx-trailer: 1\r\n\r\n";
        }
        return head + "connection: close\r\n\r\n" + body;
    };
    for (const auto* kind : {"length", "chunked", "close"}) {
        for (const auto* version : {"HTTP/1.1", "HTTP/1.0"}) {
            scripted_upstream model([&](wire& client, unsigned) {
                (void)client.read_message();
                client.send(framed(kind));
            });
            running_proxy proxy(settings_for(model.port()));
            auto client = proxy.connect();
            client.send("GET /v1/image " + std::string(version) + "\r\nHost: a\r\n\r\n");
            const auto answer = client.read_message();
            BOOST_TEST_CONTEXT(kind << " to " << version) {
                BOOST_TEST(answer.whole);
                BOOST_TEST((answer.body == body));
                BOOST_TEST(answer.header("x-trailer").value_or("none") == "none");
                if (std::string_view(version) == "HTTP/1.0") {
                    BOOST_TEST(answer.header("transfer-encoding").value_or("none") == "none");
                    BOOST_TEST(answer.header("connection").value_or("") == "close");
                    BOOST_TEST(client.wait_closed().has_value());
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(answers_without_a_body_have_none) {
    scripted_upstream model(serving([](const wire::message& asked) {
        if (asked.head.starts_with("HEAD")) {
            return std::string("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n");
        }
        return std::string("HTTP/1.1 204 No Content\r\nx-a: b\r\n\r\n");
    }));
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("HEAD", "/v1/models"));
    const auto head = client.read_message(true);
    BOOST_TEST(head.header("content-length").value_or("") == "99");
    client.send(request("DELETE", "/v1/files/1"));
    const auto none = client.read_message();
    BOOST_TEST(none.status() == 204u);
    BOOST_TEST(none.header("transfer-encoding").value_or("none") == "none");
    BOOST_TEST(model.connections() == 1u);
}

BOOST_AUTO_TEST_CASE(interim_answers_are_swallowed) {
    scripted_upstream model(serving([](const wire::message&) {
        return "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" +
               with_length("ok");
    }));
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("GET", "/v1/models"));
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 200u);
    BOOST_TEST(answer.body == "ok");
}

BOOST_AUTO_TEST_CASE(an_upstream_that_is_switched_off_passes_markup) {
    const std::string stream = content_event("<tool_call>{\\\"name\\\":\\\"f\\\"}</tool_call>") +
                               finish_event() + std::string(done_event);
    scripted_upstream model(serving([&](const wire::message&) {
        return std::string(stream_head) + chunk(stream) + std::string(last_chunk);
    }));
    auto settings = settings_for(model.port());
    settings.upstreams[0].mode = config::upstream_mode::off;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    BOOST_TEST(client.read_message().body == stream);
    BOOST_TEST(proxy.records(1)[0].outcome == "passed");
}

BOOST_AUTO_TEST_CASE(an_upstream_is_told_of_the_client_where_that_is_asked_for) {
    for (const auto* const trusted : {"", "127.0.0.0/8"}) {
        wire::message seen;
        scripted_upstream model([&](wire& client, unsigned) {
            seen = client.read_message();
            client.send("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        });
        auto settings = settings_for(model.port());
        settings.upstreams[0].preserve_host = true;
        settings.upstreams[0].forwarded = true;
        if (const auto network = config::parse_network(trusted)) {
            settings.clients.trusted.push_back(*network);
        }
        running_proxy proxy(settings);
        auto client = proxy.connect();
        client.send("GET /v1/x HTTP/1.1\r\nHost: ours:1\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n");
        BOOST_TEST(client.read_message().status() == 200u);
        BOOST_TEST(seen.header("host").value_or("") == "ours:1");
        BOOST_TEST(seen.header("x-forwarded-for").value_or("") ==
                   (*trusted == 0 ? "127.0.0.1" : "1.2.3.4, 127.0.0.1"));
        BOOST_TEST(seen.header("x-forwarded-proto").value_or("") == "http");
        BOOST_TEST(seen.header("via").value_or("") == "1.1 unscaffold");
    }
}

BOOST_AUTO_TEST_SUITE_END()
