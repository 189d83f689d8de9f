// Sanitized streams over real sockets: stripping, the correction, and its failures.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <mutex>
#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;

namespace {

const std::string markup =
    "<tool_call>{\\\"name\\\":\\\"look\\\",\\\"arguments\\\":{\\\"q\\\":1}}</tool_call>";

const std::string body = R"({"model":"m","stream":true,"tools":[{"type":"function","function":)"
                         R"({"name":"look"}}],"messages":[{"role":"system","content":"Be kind."},)"
                         R"({"role":"user","content":"Hi"}]})";

std::string stream(const std::string& events) {
    return std::string(stream_head) + chunk(events) + std::string(last_chunk);
}

std::string markup_only() {
    return stream(content_event(markup) + finish_event() + std::string(done_event));
}

} // namespace

BOOST_AUTO_TEST_SUITE(turns)

BOOST_AUTO_TEST_CASE(markup_beside_text_is_stripped_and_nothing_is_asked_again) {
    answering_model model({stream(content_event("Hello. ") + content_event(markup) +
                                  finish_event() + std::string(done_event))});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request(body));
    const auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body.find("Hello.") != std::string::npos);
    BOOST_TEST(answer.body.find("tool_call") == std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.outcome == "sanitized");
    BOOST_TEST(told.scaffold_chars > 40u);
    BOOST_TEST(model.asked().size() == 1u);
}

BOOST_AUTO_TEST_CASE(markup_cut_at_every_byte_over_reads_never_shows) {
    const std::string events = content_event("A") + content_event("B " + markup + " C") +
                               finish_event() + std::string(done_event);
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        for (std::size_t at = 0; at < events.size(); at += 3) {
            client.send(chunk(events.substr(at, 3)));
        }
        client.send(last_chunk);
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request(body));
    const auto answer = client.read_message();
    BOOST_TEST(answer.body.find("look") == std::string::npos);
    BOOST_TEST(answer.body.find("\"A\"") != std::string::npos);
    BOOST_TEST(proxy.records(1)[0].outcome == "sanitized");
}

BOOST_AUTO_TEST_CASE(a_turn_of_markup_only_is_corrected_once_on_the_same_stream) {
    answering_model model({markup_only(), stream(content_event("Better.") + finish_event() +
                                                 std::string(done_event))});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("POST", "/v1/chat/completions?x=1",
                        "Authorization: Bearer k\r\nIdempotency-Key: once\r\nX-Mine: 1\r\n", body));
    const auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.status() == 200u);
    BOOST_TEST(answer.body.find("Better.") != std::string::npos);
    BOOST_TEST(answer.body.find("tool_call") == std::string::npos);
    BOOST_TEST(answer.body.find(done_event) == answer.body.size() - done_event.size());

    const auto asked = model.asked();
    BOOST_REQUIRE_EQUAL(asked.size(), 2u);
    const auto& second = asked[1];
    BOOST_TEST(second.head.starts_with("POST /v1/chat/completions?x=1 HTTP/1.1\r\n"));
    BOOST_TEST(second.header("authorization").value_or("") == "Bearer k");
    BOOST_TEST(second.header("x-mine").value_or("") == "1");
    BOOST_TEST(!second.header("idempotency-key"));
    BOOST_TEST(asked[0].header("idempotency-key").value_or("") == "once");
    BOOST_TEST((second.header("x-request-id") == asked[0].header("x-request-id")));
    BOOST_TEST(second.header("content-length").value_or("") == std::to_string(second.body.size()));
    BOOST_TEST(second.body.find("\"tools\"") == std::string::npos);
    BOOST_TEST(second.body.find("Be kind.") != std::string::npos);
    BOOST_TEST(second.body.find("plain text") != std::string::npos);
    BOOST_TEST(model.connections() == 1u);

    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.outcome == "corrected");
    BOOST_TEST(told.corrections == 1u);
    BOOST_TEST(told.retries == 0u);
}

BOOST_AUTO_TEST_CASE(markup_twice_is_one_error_after_exactly_two_requests) {
    answering_model model({markup_only(), markup_only()});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request(body));
    const auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body.find("\"code\":\"malformed_reply\"") != std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
    BOOST_TEST(model.asked().size() == 2u);
    BOOST_TEST(proxy.records(1)[0].outcome == "failed");
}

BOOST_AUTO_TEST_CASE(a_correction_that_fails_is_one_loud_end) {
    const std::vector<std::pair<std::string, std::string>> rows = {
        {"429", "HTTP/1.1 429 Too Many\r\ncontent-type: application/json\r\ncontent-length: "
                "37\r\n\r\n{\"error\":{\"message\":\"slow down now\"}}"},
        {"500 without a body", "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n"},
        {"closed", ""},
        {"garbage", "garbage\r\n\r\n"},
        {"JSON",
         "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"},
        {"cut inside its stream", std::string(stream_head) + chunk(": hi\n\n") + "zz\r\n"},
    };
    for (const auto& [name, second] : rows) {
        BOOST_TEST_CONTEXT(name) {
            answering_model model({markup_only(), second});
            running_proxy proxy(settings_for(model.port()));
            auto client = proxy.connect();
            client.send(chat_request(body));
            const auto answer = client.read_message();
            BOOST_TEST(answer.whole);
            BOOST_TEST(answer.body.find("\"code\":\"correction_failed\"") != std::string::npos);
            BOOST_TEST((name != "429" || answer.body.find("slow down now") != std::string::npos));
            BOOST_TEST(answer.body.ends_with(done_event));
            BOOST_TEST(model.asked().size() == 2u);
            BOOST_TEST(proxy.records(1)[0].outcome == "failed");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_correction_answered_with_one_body_goes_on_the_same_stream) {
    const std::string json = R"({"id":"b","object":"chat.completion","choices":[{"index":0,)"
                             R"("message":{"role":"assistant","content":"Better."},)"
                             R"("finish_reason":"stop"}],"usage":{"prompt_tokens":3}})";
    const std::string head = "HTTP/1.1 200 OK\r\ncontent-length: " + std::to_string(json.size());
    const std::string untyped_stream =
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" +
        chunk(content_event("Better.") + finish_event() + std::string(done_event)) +
        std::string(last_chunk);
    const std::pair<const char*, std::string> rows[] = {
        {"JSON", head + "\r\ncontent-type: application/json\r\n\r\n" + json},
        {"no media type", head + "\r\n\r\n" + json},
        {"a stream without a media type", untyped_stream},
    };
    for (const auto& [name, second] : rows) {
        BOOST_TEST_CONTEXT(name) {
            answering_model model({markup_only(), second});
            running_proxy proxy(settings_for(model.port()));
            auto client = proxy.connect();
            client.send(chat_request(body));
            const auto answer = client.read_message();
            BOOST_TEST(answer.whole);
            BOOST_TEST(answer.body.find("\"content\":\"Better.\"") != std::string::npos);
            BOOST_TEST(answer.body.find("\"finish_reason\":\"stop\"") != std::string::npos);
            BOOST_TEST(answer.body.find("usage") == std::string::npos);
            BOOST_TEST(answer.body.ends_with(done_event));
            BOOST_TEST(proxy.records(1)[0].outcome == "corrected");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_body_over_the_limit_is_a_failed_correction) {
    const std::string json = "{\"choices\":[],\"x\":\"" + std::string(5'000, 'x') + "\"}";
    answering_model model({markup_only(), "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                                          "content-length: " +
                                              std::to_string(json.size()) + "\r\n\r\n" + json});
    auto settings = settings_for(model.port());
    settings.limits.response = 4'096;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request(body));
    const auto answer = client.read_message();
    BOOST_TEST(answer.body.find("\"code\":\"correction_failed\"") != std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
}

BOOST_AUTO_TEST_CASE(the_client_hears_comments_while_the_correction_is_silent) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        client.send(markup_only());
        (void)client.read_message();
        // Answers only once the client has left: the test reads comments until then.
        (void)client.wait_closed();
    });
    auto settings = settings_for(model.port());
    settings.recovery.keepalive = std::chrono::milliseconds(100);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request(body));
    (void)client.read_until("\r\n\r\n");
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(client.read_until(": keep-alive").ends_with(": keep-alive"));
    }
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_media_type_is_known_by_its_first_byte) {
    const std::string head = "HTTP/1.1 200 OK\r\n";
    const auto events =
        content_event("Hi. ") + content_event(markup) + finish_event() + std::string(done_event);
    answering_model model(
        {head + "transfer-encoding: chunked\r\n\r\n" + chunk(events) + std::string(last_chunk),
         head + "content-length: 14\r\n\r\n{\"a\": \"<tool>\"}",
         head + "content-length: 0\r\n\r\n"});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request(body));
    const auto streamed = client.read_message();
    BOOST_TEST(streamed.whole);
    BOOST_TEST(streamed.body.find("Hi.") != std::string::npos);
    BOOST_TEST(streamed.body.find("tool_call") == std::string::npos);
    client.send(chat_request(body));
    const auto json = client.read_message();
    BOOST_TEST(json.body == "{\"a\": \"<tool>\"");
    BOOST_TEST(json.header("content-length").value_or("") == "14");
    client.send(chat_request(body));
    BOOST_TEST(client.read_message().whole);
}

BOOST_AUTO_TEST_CASE(a_stream_for_an_old_client_ends_with_the_connection) {
    answering_model model(
        {stream(content_event("Hello. " + markup) + finish_event() + std::string(done_event))});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send("POST /v1/chat/completions HTTP/1.0\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    const auto answer = client.read_message();
    BOOST_TEST(!answer.header("transfer-encoding"));
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body.find("tool_call") == std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
}

BOOST_AUTO_TEST_CASE(what_follows_done_is_dropped_and_spoils_the_connection) {
    answering_model model(
        {std::string(stream_head) +
             chunk(content_event("Hi") + finish_event() + std::string(done_event) +
                   content_event("after")) +
             std::string(last_chunk),
         stream(content_event("Second") + finish_event() + std::string(done_event))});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request(body));
    const auto answer = client.read_message();
    BOOST_TEST(answer.body.find("after") == std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
    client.send(chat_request(body));
    BOOST_TEST(client.read_message().body.find("Second") != std::string::npos);
    BOOST_TEST(model.connections() == 2u);
    const auto turns = proxy.records(2);
    BOOST_TEST(turns[0].bytes_after_end == content_event("after").size());
    BOOST_TEST(turns[1].bytes_after_end == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
