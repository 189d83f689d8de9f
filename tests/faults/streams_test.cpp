// What an upstream's stream may hold and how it may end, over real sockets: what is whole passes
// unchanged, what is not never looks whole.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/support/client_view.hpp"
#include "tests/support/compress.hpp"

#include <boost/test/unit_test.hpp>

#include <future>
#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;
using namespace std::string_literals;

namespace {

const std::string tools_request =
    chat_request(R"({"model":"m","stream":true,"tools":[{"type":"function","function":)"
                 R"({"name":"look"}}],"messages":[{"role":"user","content":"Hi"}]})");

const std::string markup =
    "<tool_call>{\\\"name\\\":\\\"look\\\",\\\"arguments\\\":{\\\"q\\\":1}}</tool_call>";

const std::string end_events = finish_event() + std::string(done_event);

std::string whole_stream(const std::string& events) {
    return std::string(stream_head) + chunk(events) + std::string(last_chunk);
}

// What a client gets for a stream of `events` that ends in good order.
wire::message answer_to(const std::string& events, unsigned requests = 1) {
    answering_model model({whole_stream(events)});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(tools_request);
    auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST(model.asked().size() == requests);
    return answer;
}

void check_loud_end(const std::string& body, const std::string& code) {
    const auto seen = ::tests::read_stream(body);
    BOOST_REQUIRE_EQUAL(seen.errors.size(), 1u);
    BOOST_TEST(std::string(seen.errors[0].at("code").as_string()) == code);
    BOOST_TEST(seen.dones == 1u);
    BOOST_TEST(seen.ends_with_done);
    BOOST_TEST(seen.first().finishes.empty());
}

// Odd events must pass with their own bytes, and markup behind them must still be found.
void check_passes_unchanged(const std::vector<std::string>& odd_events) {
    for (const auto& odd : odd_events) {
        BOOST_TEST_CONTEXT(odd.substr(0, 80)) {
            const auto before = content_event("Well. ") + odd + content_event("So. ");
            const auto answer = answer_to(before + content_event(markup) + end_events);
            BOOST_TEST((answer.body.starts_with(before)));
            BOOST_TEST((answer.body.ends_with(end_events)));
            BOOST_TEST(answer.body.find("look") == std::string::npos);
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(upstream_streams)

BOOST_AUTO_TEST_CASE(held_text_is_released_before_the_loud_end) {
    using ending = void (*)(wire&);
    const std::vector<std::pair<std::string, ending>> endings = {
        {"upstream_interrupted", [](wire& client) { client.close(); }},
        {"upstream_interrupted", [](wire& client) { client.reset(); }},
        {"upstream_timeout", [](wire& client) { (void)client.wait_closed(); }},
    };
    for (const std::string text : {"Hello <tool_cal", "Hello [look", "Hello <fun", "Hello <"}) {
        for (const auto& [code, end] : endings) {
            BOOST_TEST_CONTEXT(text << " " << code) {
                std::promise<void> seen;
                auto client_saw = seen.get_future();
                scripted_upstream model([&, end = end](wire& client, unsigned) {
                    (void)client.read_message();
                    client.send(std::string(stream_head) + chunk(content_event(text)));
                    client_saw.wait();
                    end(client);
                });
                auto settings = settings_for(model.port());
                settings.upstreams[0].idle_timeout = std::chrono::milliseconds(200);
                running_proxy proxy(settings);
                auto client = proxy.connect();
                client.send(tools_request);
                auto wire_bytes = client.read_until("Hello");
                seen.set_value();
                wire_bytes += client.read_until("0\r\n\r\n");
                const auto body =
                    ::tests::dechunk(wire_bytes.substr(wire_bytes.find("\r\n\r\n") + 4));
                BOOST_REQUIRE(body.has_value());
                BOOST_TEST(::tests::read_stream(*body).first().content == text);
                check_loud_end(*body, code);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_missing_done_is_added_where_a_finish_was_seen) {
    const auto events = content_event("Hello") + finish_event();
    BOOST_TEST(answer_to(events).body == events + std::string(done_event));
    const auto unfinished = events + "data: [DONE]"; // without its blank line
    BOOST_TEST(::tests::read_stream(answer_to(unfinished).body).ends_with_done);
}

BOOST_AUTO_TEST_CASE(of_two_dones_one_passes) {
    const auto events = content_event("Hello") + end_events;
    BOOST_TEST(answer_to(events + std::string(done_event)).body == events);
}

BOOST_AUTO_TEST_CASE(an_error_event_passes_and_is_not_corrected) {
    const auto error = "data: {\"error\":{\"message\":\"too hot\",\"code\":\"x9\"}}\n\n"s;
    const auto first = answer_to(error).body;
    BOOST_TEST(first.starts_with(error));
    check_loud_end(first, "x9");
    const auto behind = answer_to(content_event(markup) + error + std::string(done_event)).body;
    check_loud_end(behind, "x9");
    BOOST_TEST(behind.find("look") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_stream_is_a_loud_end_and_done_alone_passes) {
    check_loud_end(answer_to("").body, "upstream_interrupted");
    check_loud_end(answer_to(": hi\n\n").body, "upstream_interrupted");
    BOOST_TEST(answer_to(std::string(done_event)).body == done_event);
}

BOOST_AUTO_TEST_CASE(one_byte_a_write_and_ten_thousand_events_in_one_are_the_same) {
    std::string events = content_event("A") + content_event("B " + markup + " C") + end_events;
    const auto expected = answer_to(events).body;
    scripted_upstream drip([&](wire& client, unsigned) {
        (void)client.read_message();
        for (const char byte : whole_stream(events)) {
            client.send({&byte, 1});
        }
    });
    running_proxy proxy(settings_for(drip.port()));
    auto client = proxy.connect();
    client.send(tools_request);
    BOOST_TEST(client.read_message().body == expected);

    std::string many;
    for (int i = 0; i < 10'000; ++i) {
        many += content_event("w" + std::to_string(i));
    }
    many += end_events;
    BOOST_TEST((answer_to(many).body == many));
}

BOOST_AUTO_TEST_CASE(an_event_of_twenty_megabytes_passes) {
    const auto events = content_event(std::string(20'000'000, 'x')) + end_events;
    BOOST_TEST((answer_to(events).body == events));
}

BOOST_AUTO_TEST_CASE(an_event_over_its_limit_is_a_loud_end_and_no_more_is_read) {
    std::atomic<std::size_t> taken = 0;
    const std::string block(1'000, 'x');
    for (const std::string start : {"data: {\"choices\":[", "data: ", "event: ", ": ", "data"}) {
        BOOST_TEST_CONTEXT(start) {
            taken = 0;
            scripted_upstream model([&](wire& client, unsigned) {
                (void)client.read_message();
                client.send(std::string(stream_head) + chunk(content_event("kept") + start));
                while (taken < (std::size_t{64} << 20) && client.try_send(chunk(block))) {
                    taken += block.size();
                }
            });
            auto settings = settings_for(model.port());
            settings.limits.event = 100'000;
            running_proxy proxy(settings);
            auto client = proxy.connect();
            client.send(tools_request);
            const auto answer = client.read_message();
            BOOST_TEST(answer.whole);
            BOOST_TEST(answer.body.starts_with(content_event("kept")));
            BOOST_TEST(answer.body.size() < 2'000u);
            check_loud_end(answer.body, "upstream_interrupted");
        }
        // The limit, and what the sockets between hold.
        BOOST_TEST(taken < (std::size_t{16} << 20));
    }
}

BOOST_AUTO_TEST_CASE(events_that_are_no_chunks_pass_and_later_ones_work) {
    const auto deep = [](const std::string& open, std::size_t times) {
        std::string out;
        for (std::size_t i = 0; i < times; ++i) {
            out += open;
        }
        return "data: " + out + "\n\n";
    };
    check_passes_unchanged({
        "data: hello\n\n",
        "data: {\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"cut\n\n",
        "data: []\n\n",
        "data: null\n\n",
        "data: 1e999\n\n",
        "data: \"text\"\n\n",
        "data: {}\n\n",
        "data: {\"choices\":null}\n\n",
        "data: {\"choices\":{}}\n\n",
        "data: {\"choices\":[1,null,[]]}\n\n",
        "data: {\"choices\":[{\"delta\":[]}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":5}}]}\n\n",
        "data: {\"choices\":[{\"index\":\"x\",\"delta\":{}}]}\n\n",
        "data: {\"choices\":[{\"index\":-1,\"delta\":{}}]}\n\n",
        deep("[", 10'000),
        deep("{\"a\":", 10'000),
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"x\":" + deep("[", 5'000).substr(6),
        "event: named\ndata: {\"a\":1}\n\n",
        ": a comment\n\n",
    });
}

BOOST_AUTO_TEST_CASE(broken_characters_pass_unchanged) {
    check_passes_unchanged({
        content_event("x\xff\xfe y"),
        content_event("cut \xe2\x82"),
        content_event("overlong \xc0\xaf"),
        content_event("surrogate \xed\xa0\x80"),
        content_event("NUL \0 inside"s),
        content_event("lone \\ud83d high"),
        content_event("lone \\ude00 low"),
        content_event("wrong way \\ude00\\ud83d"),
        content_event("escaped NUL \\u0000"),
        "data: \xff\xfe\n\n",
        "data: \0\n\n"s,
    });
}

BOOST_AUTO_TEST_CASE(a_json_answer_that_swells_is_a_502) {
    const auto bomb =
        ::tests::compress(R"({"choices":[],"x":")" + std::string(std::size_t{8} << 20, ' ') + "\"}",
                          ::tests::coding::gzip);
    answering_model model({"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                           "content-encoding: gzip\r\ncontent-length: " +
                           std::to_string(bomb.size()) + "\r\n\r\n" + bomb});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request(R"({"model":"m","messages":[]})"));
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 502u);
    BOOST_TEST(answer.whole);
}

BOOST_AUTO_TEST_CASE(a_correction_that_stalls_is_one_loud_end_within_its_own_limit) {
    const std::vector<std::pair<std::string, std::string>> rows = {
        {"before its head", ""},
        {"inside its head", "HTTP/1.1 200 OK\r\nx"},
        {"inside its stream", std::string(stream_head) + chunk(": hi\n\n")},
        {"inside a body", "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                          "content-length: 9\r\n\r\n{"},
        {"inside a refusal", "HTTP/1.1 500 Oops\r\ncontent-length: 9\r\n\r\n{"},
    };
    for (const auto& [name, second] : rows) {
        BOOST_TEST_CONTEXT(name) {
            std::atomic<unsigned> asked = 0;
            scripted_upstream model([&](wire& client, unsigned) {
                while (!client.read_message().head.empty()) {
                    ++asked;
                    client.send(asked == 1 ? whole_stream(content_event(markup) + end_events)
                                           : second);
                }
            });
            auto settings = settings_for(model.port());
            settings.upstreams[0].first_byte_timeout = std::chrono::milliseconds(200);
            settings.upstreams[0].idle_timeout = std::chrono::milliseconds(200);
            running_proxy proxy(settings);
            auto client = proxy.connect();
            client.send(tools_request);
            const auto begin = std::chrono::steady_clock::now();
            const auto answer = client.read_message();
            BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(3)));
            BOOST_TEST(answer.whole);
            check_loud_end(answer.body, "correction_failed");
            BOOST_TEST(asked == 2u);
        }
    }
}

BOOST_AUTO_TEST_CASE(structured_calls_are_an_answer_to_the_correction) {
    const auto call =
        R"(data: {"id":"c2","object":"chat.completion.chunk","created":1,"model":"m","choices":)"
        R"([{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":)"
        R"({"name":"look","arguments":"{}"}}]},"finish_reason":null}]})"
        "\n\n"s;
    answering_model model(
        {whole_stream(content_event(markup) + end_events),
         whole_stream(call + finish_event("tool_calls") + std::string(done_event))});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(tools_request);
    const auto seen = ::tests::read_stream(client.read_message().body);
    BOOST_TEST(seen.errors.empty());
    BOOST_REQUIRE_EQUAL(seen.first().calls.size(), 1u);
    BOOST_TEST(seen.first().calls.at(0).name == "look");
    BOOST_TEST(seen.first().finishes == std::vector<std::string>{"tool_calls"},
               boost::test_tools::per_element());
    BOOST_TEST(seen.ends_with_done);
    BOOST_TEST(model.asked().size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
