// Modes over real sockets: what is watched or left alone reaches the client as the upstream sent
// it.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/support/compress.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;
using config::upstream_mode;

namespace {

const std::string markup =
    "<tool_call>{\\\"name\\\":\\\"look\\\",\\\"arguments\\\":{\\\"q\\\":1}}</tool_call>";

const std::string body = R"({"model":"m","tools":[{"type":"function","function":{"name":"look"}}],)"
                         R"("messages":[{"role":"user","content":"Hi"}]})";

std::string events(const std::string& content) {
    return content_event("  ") + content_event(content) + finish_event() + std::string(done_event);
}

std::string stream(const std::string& bytes) {
    return std::string(stream_head) + chunk(bytes) + std::string(last_chunk);
}

std::string completion(const std::string& content) {
    return R"({"id":"c1", "choices":[{"index":0,"message":{"content":")" + content +
           R"("},"finish_reason":"stop"}]})";
}

std::string json_answer(const std::string& json) {
    return "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " +
           std::to_string(json.size()) + "\r\n\r\n" + json;
}

std::string asking(const std::string& lines) {
    return request("POST", "/v1/chat/completions", lines, body);
}

config::settings with_mode(std::uint16_t port, upstream_mode mode) {
    auto settings = settings_for(port);
    settings.upstreams[0].mode = mode;
    return settings;
}

} // namespace

BOOST_AUTO_TEST_SUITE(modes)

BOOST_AUTO_TEST_CASE(only_enforcing_changes_a_byte) {
    const std::string leak = events("Hi " + markup);
    const std::string emptied = events(markup);

    const struct {
        const char* what;
        upstream_mode configured;
        const char* lines;
        std::string answer;  // of the upstream
        std::string kept;    // what the client must get; empty: not that
        const char* outcome; // in the record
        const char* would;   // likewise
        std::uint64_t chars;
    } rows[] = {
        {"shadow, leak", upstream_mode::shadow, "", stream(leak), leak, "passed", "sanitize", 58},
        {"shadow, markup only", upstream_mode::shadow, "", stream(emptied), emptied, "passed",
         "correct", 58},
        {"shadow, JSON leak", upstream_mode::shadow, "", json_answer(completion("Hi " + markup)),
         completion("Hi " + markup), "passed", "sanitize", 58},
        {"shadow, JSON of markup only", upstream_mode::shadow, "", json_answer(completion(markup)),
         completion(markup), "passed", "correct", 58},
        {"shadow, clean", upstream_mode::shadow, "", stream(events("Hi")), events("Hi"), "passed",
         "clean", 0},
        {"off, leak", upstream_mode::off, "", stream(leak), leak, "passed", "", 0},
        {"off, JSON of markup only", upstream_mode::off, "", json_answer(completion(markup)),
         completion(markup), "passed", "", 0},
        {"enforce, asked for shadow", upstream_mode::enforce, "X-Unscaffold: shadow\r\n",
         stream(leak), leak, "passed", "sanitize", 58},
        {"enforce, asked for off", upstream_mode::enforce, "X-Unscaffold: off\r\n", stream(emptied),
         emptied, "passed", "", 0},
        {"off, asked for enforce", upstream_mode::off, "x-unscaffold: enforce\r\n", stream(leak),
         "", "sanitized", "", 58},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            answering_model model({row.answer});
            running_proxy proxy(with_mode(model.port(), row.configured));
            auto client = proxy.connect();
            client.send(asking(row.lines));
            const auto answer = client.read_message();
            BOOST_TEST(answer.whole);
            if (row.kept.empty()) {
                BOOST_TEST(answer.body.find("tool_call") == std::string::npos);
            } else {
                BOOST_TEST(answer.body == row.kept);
                BOOST_TEST(!answer.header("x-unscaffold"));
            }
            const auto told = proxy.records(1)[0];
            BOOST_TEST(told.outcome == row.outcome);
            BOOST_TEST(told.would == row.would);
            BOOST_TEST(told.scaffold_chars == row.chars);
            BOOST_TEST(told.corrections == 0u);
            BOOST_REQUIRE_EQUAL(model.asked().size(), 1U);
            BOOST_TEST(!model.asked()[0].header("x-unscaffold"));
            BOOST_TEST(model.asked()[0].body == body);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_field_with_another_value_is_refused_before_the_model_is_asked) {
    answering_model model({});
    running_proxy proxy(settings_for(model.port()));
    for (const char* lines : {"x-unscaffold: on\r\n", "x-unscaffold:\r\n",
                              "x-unscaffold: off\r\nx-unscaffold: off\r\n"}) {
        auto client = proxy.connect();
        client.send(asking(lines));
        const auto answer = client.read_message();
        BOOST_TEST(answer.status() == 400u);
        BOOST_TEST(answer.body.find("\"error\":{") != std::string::npos);
        BOOST_TEST(answer.body.find("enforce, shadow or off") != std::string::npos);
    }
    BOOST_TEST(model.asked().empty());
}

BOOST_AUTO_TEST_CASE(where_the_field_has_no_say_it_is_taken_out_all_the_same) {
    answering_model model({stream(events("Hi " + markup)), stream(events("Hi"))});
    auto settings = settings_for(model.port());
    settings.mode_header = false;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(asking("x-unscaffold: off\r\n"));
    BOOST_TEST(client.read_message().body.find("tool_call") == std::string::npos);
    client.send(asking("x-unscaffold: nonsense\r\n"));
    BOOST_TEST(client.read_message().status() == 200u);
    for (const auto& asked : model.asked()) {
        BOOST_TEST(!asked.header("x-unscaffold"));
    }
    BOOST_TEST(proxy.records(2)[0].outcome == "sanitized");
}

BOOST_AUTO_TEST_CASE(in_shadow_nothing_waits_for_a_decision) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        client.send(std::string(stream_head) + chunk(content_event("<tool_call>")));
        (void)client.wait_closed(); // goes on only once the client has seen it and left
    });
    running_proxy proxy(with_mode(model.port(), upstream_mode::shadow));
    auto client = proxy.connect();
    client.send(asking(""));
    BOOST_TEST(client.read_until("<tool_call>").ends_with("<tool_call>"));
    client.close();
    BOOST_TEST(proxy.records(1)[0].outcome == "cancelled");
}

BOOST_AUTO_TEST_CASE(in_shadow_a_compressed_answer_is_looked_at_and_passes_compressed) {
    const std::string head = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n";
    const auto length = [](const std::string& bytes) {
        return "content-length: " + std::to_string(bytes.size()) + "\r\n\r\n" + bytes;
    };
    const auto streamed = ::tests::compress(events("Hi " + markup), ::tests::coding::gzip);
    const auto whole = ::tests::compress(completion(markup), ::tests::coding::gzip);
    answering_model model({head + "content-type: text/event-stream\r\n" + length(streamed),
                           head + "content-type: application/json\r\n" + length(whole)});
    running_proxy proxy(with_mode(model.port(), upstream_mode::shadow));
    auto client = proxy.connect();
    for (const std::string& bytes : {streamed, whole}) {
        client.send(asking(""));
        const auto answer = client.read_message();
        BOOST_TEST((answer.body == bytes));
        BOOST_TEST(answer.header("content-encoding").value_or("") == "gzip");
    }
    const auto told = proxy.records(2);
    BOOST_TEST(told[0].would == "sanitize");
    BOOST_TEST(told[1].would == "correct");
    BOOST_TEST(told[1].outcome == "passed");
}

BOOST_AUTO_TEST_CASE(in_shadow_an_unreadable_or_cut_answer_is_as_the_upstream_sent_it) {
    const std::string coded = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
                              "content-encoding: br\r\ncontent-length: 4\r\n\r\n\x1f\x8b??";
    answering_model model(
        {coded, std::string(stream_head) + chunk(content_event("Hi")) + "zz\r\n"});
    running_proxy proxy(with_mode(model.port(), upstream_mode::shadow));
    auto client = proxy.connect();
    client.send(asking(""));
    const auto answer = client.read_message();
    BOOST_TEST(answer.body == "\x1f\x8b??");
    BOOST_TEST(answer.header("content-encoding").value_or("") == "br");
    client.send(asking(""));
    const auto cut = client.read_message();
    BOOST_TEST(!cut.whole);
    BOOST_TEST(cut.body == content_event("Hi"));
    const auto told = proxy.records(2);
    BOOST_TEST(told[0].outcome == "passed");
    BOOST_TEST(told[1].outcome == "error");
}

BOOST_AUTO_TEST_SUITE_END()
