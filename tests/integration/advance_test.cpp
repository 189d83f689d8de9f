// What goes to another upstream than the first: corrections where that is set, and requests that
// the first one did not take.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;

namespace {

const std::string markup =
    "<tool_call>{\\\"name\\\":\\\"look\\\",\\\"arguments\\\":{\\\"q\\\":1}}</tool_call>";

const std::string body =
    R"({"model":"m","tools":[{"type":"function","function":{"name":"look"}}],"messages":[)"
    R"({"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[)"
    R"({"id":"1","function":{"name":"look"}}]},{"role":"tool","tool_call_id":"1","content":"r"}]})";

std::string stream(const std::string& content) {
    return std::string(stream_head) +
           chunk(content_event(content) + finish_event() + std::string(done_event)) +
           std::string(last_chunk);
}

std::string json_answer(const std::string& content) {
    const std::string json = R"({"id":"c1","choices":[{"index":0,"message":{"content":")" +
                             content + R"("},"finish_reason":"stop"}]})";
    return "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " +
           std::to_string(json.size()) + "\r\n\r\n" + json;
}

/// Upstreams `main` at `first` and `spare` at `second`, which wants another path, key and history.
config::settings settings_with(std::uint16_t first, std::uint16_t second, const char* correction) {
    auto settings = settings_for(first);
    settings.upstreams.push_back(settings_for(second, "/other/api").upstreams[0]);
    settings.upstreams[1].name = "spare";
    settings.upstreams[1].api_key = "spare-key";
    settings.upstreams[1].flatten_tool_history = true;
    settings.recovery.upstream = correction;
    return settings;
}

wire::message ask(running_proxy& proxy) {
    auto client = proxy.connect();
    client.send(request("POST", "/v1/chat/completions?v=2",
                        "Authorization: Bearer mine\r\napi-key: mine-too\r\nCookie: a=mine\r\n",
                        body));
    return client.read_message();
}

void check_foreign(const wire::message& asked) {
    BOOST_TEST(asked.head.starts_with("POST /other/api/chat/completions?v=2 HTTP/1.1\r\n"));
    BOOST_TEST(asked.header("authorization").value_or("") == "Bearer spare-key");
    BOOST_TEST(asked.head.find("mine") == std::string::npos);
    BOOST_TEST(asked.header("accept-encoding").value_or("") == "identity");
}

} // namespace

BOOST_AUTO_TEST_SUITE(advance)

BOOST_AUTO_TEST_CASE(a_correction_goes_to_the_upstream_that_is_set_with_its_own_key_and_model) {
    const struct {
        const char* what;
        std::string first, second;
    } rows[] = {{"stream", stream(markup), stream("Better.")},
                {"JSON", json_answer(markup), json_answer("Better.")}};

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            answering_model first({row.first});
            answering_model second({row.second});
            auto settings = settings_with(first.port(), second.port(), "spare");
            settings.recovery.model = "bigger";
            running_proxy proxy(settings);
            const auto answer = ask(proxy);
            BOOST_TEST(answer.status() == 200u);
            BOOST_TEST(answer.body.find("Better.") != std::string::npos);
            BOOST_TEST(answer.body.find("tool_call") == std::string::npos);
            BOOST_REQUIRE_EQUAL(first.asked().size(), 1U);
            BOOST_TEST(first.asked()[0].header("authorization").value_or("") == "Bearer mine");
            BOOST_REQUIRE_EQUAL(second.asked().size(), 1U);
            const auto asked = second.asked()[0];
            check_foreign(asked);
            BOOST_TEST(asked.body.find("\"model\":\"bigger\"") != std::string::npos);
            BOOST_TEST(asked.body.find("\"tools\"") == std::string::npos);
            BOOST_TEST(asked.body.find("I used a tool: look") != std::string::npos);
            const auto told = proxy.records(1)[0];
            BOOST_TEST(told.outcome == "corrected");
            BOOST_TEST(told.upstream == "main");
            BOOST_TEST(told.correction_upstream == "spare");
            BOOST_TEST(told.retries == 0u);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_correction_to_the_first_upstream_carries_the_clients_own_key) {
    answering_model first({stream(markup), stream("Better.")});
    answering_model second({});
    running_proxy proxy(settings_with(first.port(), second.port(), "main"));
    BOOST_TEST(ask(proxy).body.find("Better.") != std::string::npos);
    BOOST_REQUIRE_EQUAL(first.asked().size(), 2U);
    BOOST_TEST(first.asked()[1].header("authorization").value_or("") == "Bearer mine");
    BOOST_TEST(first.asked()[1].body.find("\"tool_calls\"") != std::string::npos);
    BOOST_TEST(proxy.records(1)[0].correction_upstream == "");
}

BOOST_AUTO_TEST_CASE(a_correction_is_made_once_whatever_comes_of_it) {
    const struct {
        const char* what;
        std::string first, second; // answers; the second's empty: closes
        std::string code;
        unsigned status;
    } rows[] = {
        {"stream, markup again", stream(markup), stream(markup), "malformed_reply", 200},
        {"stream, closed", stream(markup), "", "correction_failed", 200},
        {"JSON, markup again", json_answer(markup), json_answer(markup), "malformed_reply", 502},
        {"JSON, closed", json_answer(markup), "", "correction_failed", 502},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            answering_model first({row.first});
            answering_model second({row.second});
            running_proxy proxy(settings_with(first.port(), second.port(), "spare"));
            const auto answer = ask(proxy);
            BOOST_TEST(answer.status() == row.status);
            BOOST_TEST(answer.body.find("\"code\":\"" + row.code + "\"") != std::string::npos);
            BOOST_TEST(first.asked().size() + second.asked().size() == 2u);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_upstream_for_corrections_that_is_not_there_is_a_failed_correction) {
    for (const std::string& answer : {stream(markup), json_answer(markup)}) {
        answering_model first({answer});
        running_proxy proxy(settings_with(first.port(), closed_port(), "spare"));
        const auto got = ask(proxy);
        BOOST_TEST(got.whole);
        BOOST_TEST(got.body.find("\"code\":\"correction_failed\"") != std::string::npos);
        BOOST_TEST(first.asked().size() == 1u);
        BOOST_TEST(proxy.records(1)[0].outcome == "failed");
    }
}

BOOST_AUTO_TEST_CASE(a_request_that_the_first_did_not_take_is_served_and_corrected_by_the_next) {
    answering_model second({stream(markup), stream("Better.")});
    running_proxy proxy(settings_with(closed_port(), second.port(), ""));
    BOOST_TEST(ask(proxy).body.find("Better.") != std::string::npos);
    BOOST_REQUIRE_EQUAL(second.asked().size(), 2U);
    for (const auto& asked : second.asked()) {
        check_foreign(asked);
    }
    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.retries == 1u);
    BOOST_TEST(told.upstream == "spare");
    BOOST_TEST(told.outcome == "corrected");
}

BOOST_AUTO_TEST_CASE(where_no_upstream_is_reached_the_client_is_told_once) {
    running_proxy proxy(settings_with(closed_port(), closed_port(), ""));
    const auto answer = ask(proxy);
    BOOST_TEST(answer.status() == 502u);
    BOOST_TEST(answer.body.find("upstream_unavailable") != std::string::npos);
    BOOST_TEST(proxy.records(1)[0].retries == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
