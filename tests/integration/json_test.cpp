// JSON answers over real sockets: sanitized as a whole, corrected, and honest about what happened.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace proxy;
using namespace proxy::tests;

namespace {

const std::string markup = R"(<tool_call>{\"name\":\"look\",\"arguments\":{\"q\":1}}</tool_call>)";

const std::string body = R"({"model":"m","tools":[{"type":"function","function":{"name":"look"}}],)"
                         R"("messages":[{"role":"user","content":"Hi"}]})";

std::string completion(const std::string& content) {
    return R"({"id":"c1", "object":"chat.completion","created":1.50,"model":"m","choices":[{"index":0,)"
           R"("message":{"role":"assistant","content":")" +
           content + R"("},"finish_reason":"stop"}]})";
}

std::string json_answer(const std::string& json) {
    return "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-kept: 1\r\ncontent-length: " +
           std::to_string(json.size()) + "\r\n\r\n" + json;
}

wire::message ask(running_proxy& proxy) {
    auto client = proxy.connect();
    client.send(chat_request(body));
    return client.read_message();
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_answers)

BOOST_AUTO_TEST_CASE(a_clean_answer_keeps_its_bytes_and_its_fields) {
    answering_model model({json_answer(completion("a < b, list[0]"))});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy);
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.status() == 200u);
    BOOST_TEST(answer.body == completion("a < b, list[0]"));
    BOOST_TEST(answer.header("x-kept").value_or("") == "1");
    BOOST_TEST(answer.header("x-unscaffold").value_or("") == "clean");
}

BOOST_AUTO_TEST_CASE(markup_is_cut_out_and_the_length_is_told_anew) {
    answering_model model({json_answer(completion("Hi " + markup + " there"))});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy);
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body == completion("Hi  there"));
    BOOST_TEST(answer.header("x-unscaffold").value_or("") == "sanitized; spans=1; chars=58");
    BOOST_TEST(proxy.records(1)[0].outcome == "sanitized");
}

BOOST_AUTO_TEST_CASE(a_chunked_answer_without_a_media_type_is_json_if_it_begins_so) {
    const std::string json = completion("Hi " + markup);
    answering_model model({"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" +
                           chunk(json.substr(0, 40)) + chunk(json.substr(40)) +
                           std::string(last_chunk)});
    running_proxy proxy(settings_for(model.port()));
    BOOST_TEST(ask(proxy).body == completion("Hi "));
}

BOOST_AUTO_TEST_CASE(an_emptied_answer_is_asked_again_once) {
    answering_model model({json_answer(completion(markup)), json_answer(completion("Hello"))});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy);
    BOOST_TEST(answer.status() == 200u);
    BOOST_TEST(answer.body == completion("Hello"));
    BOOST_TEST(answer.header("x-unscaffold").value_or("") == "corrected");
    const auto asked = model.asked();
    BOOST_REQUIRE(asked.size() == 2u);
    BOOST_TEST(asked[1].body.find("\"tools\"") == std::string::npos);
    BOOST_TEST(asked[1].body.find("raw tool-call markup") != std::string::npos);
    BOOST_TEST(proxy.records(1)[0].corrections == 1u);
}

BOOST_AUTO_TEST_CASE(the_second_failure_is_a_502_that_is_not_worth_a_retry) {
    const std::string refused =
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 31\r\n\r\n"
        R"({"error":{"message":"no tools"}})";

    const struct {
        const char* what;
        std::string second;
        std::string code;
    } rows[] = {
        {"markup again", json_answer(completion(markup)), "malformed_reply"},
        {"nothing", json_answer(completion("")), "malformed_reply"},
        {"refused", refused, "correction_failed"},
        {"closed", "", "correction_failed"},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            answering_model model({json_answer(completion(markup)), row.second});
            running_proxy proxy(settings_for(model.port()));
            const auto answer = ask(proxy);
            BOOST_TEST(answer.status() == 502u);
            BOOST_TEST(answer.header("x-should-retry").value_or("") == "false");
            BOOST_TEST(answer.body.find("\"code\":\"" + row.code + "\"") != std::string::npos);
            BOOST_TEST(answer.body.find("invalid_response_error") != std::string::npos);
            BOOST_TEST(model.asked().size() == 2u);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_plain_empty_answer_is_asked_again_only_where_configured) {
    const auto settings_with = [](std::uint16_t port, turn::empty_mode mode) {
        auto settings = settings_for(port);
        settings.recovery.empty = mode;
        settings.recovery.model = "other";
        return settings;
    };
    answering_model silent({json_answer(completion(""))});
    running_proxy off(settings_with(silent.port(), turn::empty_mode::off));
    BOOST_TEST(ask(off).body == completion(""));
    answering_model model({json_answer(completion("")), json_answer(completion("Hello"))});
    running_proxy on(settings_with(model.port(), turn::empty_mode::always));
    BOOST_TEST(ask(on).body == completion("Hello"));
    BOOST_REQUIRE(model.asked().size() == 2u);
    BOOST_TEST(model.asked()[1].body.find("previous reply was empty") != std::string::npos);
    BOOST_TEST(model.asked()[1].body.find("\"model\":\"other\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_broken_upstream_is_not_asked_twice_for_ever) {
    std::vector<std::string> answers(25, json_answer(completion(markup)));
    answering_model model(answers);
    auto settings = settings_for(model.port());
    settings.recovery.budget_ratio = 0;
    running_proxy proxy(settings);
    for (std::size_t i = 0; i < 15; ++i) {
        BOOST_TEST(ask(proxy).status() == 502u);
        proxy.records(i + 1);
    }
    // Ten corrections failed; from then on each turn asks once, and says why.
    BOOST_TEST(model.asked().size() == 25u);
    const auto told = proxy.records(15);
    for (std::size_t i = 0; i < 15; ++i) {
        BOOST_TEST(told[i].budget_spent == (i >= 10));
        BOOST_TEST(told[i].outcome == "failed");
    }
}

BOOST_AUTO_TEST_CASE(an_answer_over_the_limit_is_refused) {
    answering_model model({json_answer(completion(std::string(5'000, 'x')))});
    auto settings = settings_for(model.port());
    settings.limits.response = 4'096;
    running_proxy proxy(settings);
    BOOST_TEST(ask(proxy).status() == 502u);
}

BOOST_AUTO_TEST_CASE(an_answer_that_breaks_off_is_never_shown_as_whole) {
    const std::string json = completion("Hello");
    answering_model model({"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                           "transfer-encoding: chunked\r\n\r\n" +
                               chunk(json) + "zz\r\n",
                           ""});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy);
    BOOST_TEST(answer.status() == 502u);
    BOOST_TEST(answer.body.find("upstream_interrupted") != std::string::npos);
    BOOST_TEST(answer.body.find("Hello") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_error_answer_passes_as_it_is) {
    const std::string error = R"({"error":{"message":"no such model"}})";
    answering_model model({"HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\n"
                           "content-length: " +
                           std::to_string(error.size()) + "\r\n\r\n" + error});
    running_proxy proxy(settings_for(model.port()));
    const auto answer = ask(proxy);
    BOOST_TEST(answer.status() == 404u);
    BOOST_TEST(answer.body == error);
    BOOST_TEST(!answer.header("x-unscaffold"));
}

BOOST_AUTO_TEST_CASE(the_connection_serves_the_next_request) {
    answering_model model({json_answer(completion("one")), json_answer(completion("two"))});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request(body));
    BOOST_TEST(client.read_message().body == completion("one"));
    client.send(chat_request(body));
    BOOST_TEST(client.read_message().body == completion("two"));
    BOOST_TEST(model.connections() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
