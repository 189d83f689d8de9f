// Answers that come compressed though plain text was asked for: read and sanitized like any other
// on sanitized paths, passed as they are elsewhere, and never taken for whole when broken.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/support/compress.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;
using ::tests::coding;
using ::tests::compress;

namespace {

const std::string markup = R"(<tool_call>{\"name\":\"look\",\"arguments\":{\"q\":1}}</tool_call>)";

std::string body(bool stream) {
    return std::string(R"({"model":"m","stream":)") + (stream ? "true" : "false") +
           R"(,"tools":[{"type":"function","function":{"name":"look"}}],)"
           R"("messages":[{"role":"user","content":"Hi"}]})";
}

std::string events(const std::string& text) {
    return content_event("Hello ") + content_event(text) + finish_event() + std::string(done_event);
}

// A stream of `coded` bytes, in chunks of `step` bytes.
std::string stream(const std::string& coded, const std::string& name, std::size_t step = 50) {
    std::string out =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: " + name +
        "\r\ntransfer-encoding: chunked\r\n\r\n";
    for (std::size_t at = 0; at < coded.size(); at += step) {
        out += chunk(coded.substr(at, step));
    }
    return out + std::string(last_chunk);
}

std::string json_answer(const std::string& coded, unsigned status = 200) {
    return "HTTP/1.1 " + std::to_string(status) +
           " X\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: " +
           std::to_string(coded.size()) + "\r\n\r\n" + coded;
}

std::string completion(const std::string& content) {
    return R"({"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,)"
           R"("message":{"role":"assistant","content":")" +
           content + R"("},"finish_reason":"stop"}]})";
}

wire::message ask(running_proxy& proxy, bool stream) {
    auto client = proxy.connect();
    client.send(chat_request(body(stream)));
    return client.read_message();
}

} // namespace

BOOST_AUTO_TEST_SUITE(compressed_answers)

BOOST_AUTO_TEST_CASE(a_stream_is_read_and_sanitized_in_every_coding_that_is_known) {
    const struct {
        const char* name;
        coding how;
    } rows[] = {{"gzip", coding::gzip},
                {"X-GZIP", coding::gzip},
                {"deflate", coding::zlib},
                {"deflate", coding::raw}};

    for (const auto& row : rows) {
        for (const bool flushed : {false, true}) {
            for (const std::size_t step : {std::size_t{1}, std::size_t{50}, std::size_t{100'000}}) {
                const auto coded = compress(events("a " + markup + "b"), row.how, flushed);
                answering_model model({stream(coded, row.name, step)});
                running_proxy proxy(settings_for(model.port()));
                const auto answer = ask(proxy, true);
                BOOST_TEST(answer.whole);
                BOOST_TEST(!answer.header("content-encoding").has_value());
                BOOST_TEST(answer.body.find("look") == std::string::npos);
                BOOST_TEST(answer.body.starts_with(content_event("Hello ")));
                BOOST_TEST(answer.body.ends_with(done_event));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_clean_stream_keeps_its_bytes_however_long_it_is) {
    std::string plain;
    for (int i = 0; i < 5'000; ++i) {
        plain += content_event("word " + std::to_string(i));
    }
    plain += finish_event() + std::string(done_event);
    answering_model model({stream(compress(plain, coding::gzip), "gzip", 7'000)});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy, true);
    BOOST_TEST(answer.whole);
    BOOST_TEST((answer.body == plain));
}

BOOST_AUTO_TEST_CASE(a_json_answer_is_read_and_its_length_told_anew) {
    answering_model model({json_answer(compress(completion("Hi " + markup), coding::gzip))});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy, false);
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body == completion("Hi "));
    BOOST_TEST(!answer.header("content-encoding").has_value());
}

BOOST_AUTO_TEST_CASE(a_second_answer_may_come_compressed_too) {
    const auto first =
        compress(content_event(markup) + finish_event() + std::string(done_event), coding::gzip);
    const auto second = compress(events("again."), coding::zlib);
    answering_model model({stream(first, "gzip"), stream(second, "deflate")});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy, true);
    BOOST_TEST(answer.body.find("again.") != std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
    BOOST_TEST(proxy.records(1)[0].corrections == 1u);
    const auto refusal = compress(R"({"error":{"message":"tools are needed"}})", coding::gzip);
    answering_model refusing({stream(first, "gzip"), json_answer(refusal, 400)});
    running_proxy second_proxy(settings_for(refusing.port()));
    BOOST_TEST(ask(second_proxy, true).body.find("tools are needed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_stream_with_a_broken_cut_or_swollen_coding_never_ends_as_if_whole) {
    const auto good = compress(events("x"), coding::gzip);
    const auto bomb =
        compress(content_event("x") + std::string(std::size_t{40} << 20, '\n'), coding::gzip);
    for (const std::string& coded :
         {good.substr(0, good.size() / 2), std::string("data: {}\n\n"), bomb}) {
        answering_model model({stream(coded, "gzip", 20'000)});
        running_proxy proxy(settings_for(model.port()));
        const auto answer = ask(proxy, true);
        BOOST_TEST(answer.body.find("upstream_interrupted") != std::string::npos);
        BOOST_TEST(answer.body.ends_with(done_event));
    }
}

BOOST_AUTO_TEST_CASE(a_json_answer_whose_coding_fails_at_its_very_end_is_no_answer) {
    const auto good = compress(completion("Hi"), coding::gzip);
    std::string flipped = good;
    flipped[flipped.size() - 6] = static_cast<char>(flipped[flipped.size() - 6] ^ 0x55);
    for (const std::string& coded :
         {good.substr(0, good.size() - 1), good.substr(0, 20), flipped, good + "more"}) {
        answering_model model({json_answer(coded)});
        running_proxy proxy(settings_for(model.port()));
        BOOST_TEST(ask(proxy, false).status() == 502u);
    }
}

BOOST_AUTO_TEST_CASE(another_coding_is_refused_and_never_passed_unseen) {
    const std::string second_field = "\r\ncontent-encoding: ";
    for (const std::string& name :
         {std::string("br"), std::string("zstd"), std::string("gzip, gzip"), std::string("unknown"),
          "identity" + second_field + "br", "gzip" + second_field + "br", second_field + "br"}) {
        for (const bool streamed : {true, false}) {
            answering_model model({streamed
                                       ? stream("abc", name)
                                       : "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                                         "content-encoding: " +
                                             name + "\r\ncontent-length: 3\r\n\r\nabc"});
            running_proxy proxy(settings_for(model.port()));
            const auto answer = ask(proxy, streamed);
            BOOST_TEST(answer.status() == 502u, name);
            BOOST_TEST(answer.body.find("content coding") != std::string::npos, name);
            BOOST_TEST(proxy.records(1)[0].reason.find("content coding") != std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_coding_beside_identity_is_undone) {
    for (const std::string name : {"identity, gzip", "gzip, identity", " , gzip"}) {
        answering_model model({stream(compress(events("x"), coding::gzip), name)});
        running_proxy proxy(settings_for(model.port()));
        BOOST_TEST(ask(proxy, true).body == events("x"), name);
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_sanitized_stays_compressed) {
    const auto coded = compress("{\"object\":\"list\"}", coding::gzip);
    answering_model model({json_answer(coded), json_answer(coded, 429)});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("GET", "/v1/models"));
    const auto listed = client.read_message();
    BOOST_TEST((listed.body == coded));
    BOOST_TEST(listed.header("content-encoding").value_or("") == "gzip");
    const auto refused = ask(proxy, true);
    BOOST_TEST(refused.status() == 429u);
    BOOST_TEST((refused.body == coded));
    BOOST_TEST(refused.header("content-encoding").value_or("") == "gzip");
}

BOOST_AUTO_TEST_SUITE_END()
