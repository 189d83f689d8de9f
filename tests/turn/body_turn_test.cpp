#include "proxy/config/formats_file.hpp"
#include "proxy/turn/body_turn.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using proxy::turn::action;
using proxy::turn::body_turn;
using proxy::turn::outcome;

const proxy::scaffold::catalog& formats() {
    static const auto catalog = proxy::config::built_in_catalog();
    return catalog;
}

const std::string request =
    R"({"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"get"}}]})";
const std::string call = R"(<tool_call>{\"name\": \"get\", \"arguments\": {}}</tool_call>)";

std::string answer(const std::string& message, const std::string& finish = "stop",
                   const std::string& id = "a", const std::string& usage = "") {
    return R"({"id":")" + id +
           R"(", "object":"chat.completion","created":1,"model":"m","choices":[)" +
           R"({"index":0,"message":{"role":"assistant",)" + message + R"(},"finish_reason":")" +
           finish + "\",\"x\":1.50}]" + usage + "}";
}

struct loop {
    explicit loop(std::string body = request, proxy::turn::turn_settings settings = {})
        : body_(std::move(body)),
          turn(settings, formats(), proxy::chat::read_request(body_), body_) {}

    action take(const std::string& text) {
        out.clear();
        return turn.take(text, out);
    }

    std::string body_;
    body_turn turn;
    std::string out;
};

struct row {
    const char* what;
    std::string in;
    std::string out;
    outcome expected;
};

} // namespace

BOOST_AUTO_TEST_SUITE(json_answers)

BOOST_AUTO_TEST_CASE(one_answer_is_edited_where_it_must_be_and_nowhere_else) {
    const row rows[] = {
        {"clean", answer(R"("content":"a < b, list[0]")"), answer(R"("content":"a < b, list[0]")"),
         outcome::clean},
        {"leak between texts", answer("\"content\":\"Hi " + call + " there\""),
         answer(R"("content":"Hi  there")"), outcome::sanitized},
        {"escapes of kept text stay", answer("\"content\":\"caf\\u00e9 \\/ " + call + "\\n\""),
         answer(R"("content":"caf\u00e9 \/ \n")"), outcome::sanitized},
        {"null content", answer(R"("content":null)"), answer(R"("content":null)"), outcome::clean},
        {"structured call with leak",
         answer("\"content\":\"" + call + "\",\"tool_calls\":[{\"id\":\"1\"}]", "tool_calls"),
         answer(R"("content":"","tool_calls":[{"id":"1"}])", "tool_calls"), outcome::sanitized},
        {"only white space left beside a call",
         answer("\"content\":\"\\n" + call + "\\n\",\"tool_calls\":[{\"id\":\"1\"}]"),
         answer(R"("content":"","tool_calls":[{"id":"1"}])"), outcome::sanitized},
        {"refusal", answer(R"("content":null,"refusal":"No.")"),
         answer(R"("content":null,"refusal":"No.")"), outcome::clean},
        {"finish tool_calls without a call",
         answer(R"("content":"Hi","tool_calls":[])", "tool_calls"),
         answer(R"("content":"Hi","tool_calls":[])", "stop"), outcome::clean},
        {"plain empty", answer(R"("content":"")"), answer(R"("content":"")"), outcome::clean},
        {"markup but filtered by the upstream",
         answer("\"content\":\"" + call + "\"", "content_filter"),
         answer(R"("content":"")", "content_filter"), outcome::sanitized},
        {"equal keys", answer("\"content\":\"" + call + "\",\"content\":\"Hi " + call + "\""),
         answer(R"("content":"Hi ","content":"Hi ")"), outcome::sanitized},
        {"an error body", R"({"error":{"message":"boom"}})", R"({"error":{"message":"boom"}})",
         outcome::error},
        {"no JSON", "<html>", "<html>", outcome::passed},
        {"an odd body", R"({"choices":[1,null,{"message":7},{"index":"x"}]})",
         R"({"choices":[1,null,{"message":7},{"index":"x"}]})", outcome::clean},
    };
    for (const row& r : rows) {
        loop l;
        BOOST_CHECK_MESSAGE(l.take(r.in) == action::finish, r.what);
        BOOST_CHECK_MESSAGE(l.out == r.out, r.what << ":\n" << l.out << "\n" << r.out);
        BOOST_CHECK_MESSAGE(l.turn.facts().outcome == r.expected, r.what);
        BOOST_CHECK_EQUAL(l.turn.status(), 0U);
    }
}

BOOST_AUTO_TEST_CASE(an_emptied_answer_is_corrected_once_and_speaks_as_the_first) {
    loop l;
    BOOST_CHECK(l.take(answer("\"content\":\"" + call + "\"", "tool_calls", "a",
                              R"(,"usage":{"prompt_tokens":10,"completion_tokens":5})")) ==
                action::correct);
    BOOST_CHECK(l.turn.wants_body());
    const std::string second = l.turn.correction_body();
    BOOST_CHECK(second.find("\"tools\"") == std::string::npos);
    BOOST_CHECK(second.find("raw tool-call markup") != std::string::npos);
    BOOST_CHECK(l.take(answer(R"("content":"Hello")", "stop", "b",
                              R"(,"usage":{"prompt_tokens":8,"completion_tokens":2})")) ==
                action::finish);
    BOOST_CHECK_EQUAL(l.out, answer(R"("content":"Hello")", "stop", "a",
                                    R"(,"usage":{"prompt_tokens":18,"completion_tokens":7})"));
    BOOST_CHECK(l.turn.facts().outcome == outcome::corrected);
    BOOST_CHECK_EQUAL(proxy::turn::summary(l.turn.facts()), "corrected");
    BOOST_CHECK_EQUAL(l.turn.facts().prompt_tokens, 18U);
}

BOOST_AUTO_TEST_CASE(usage_of_the_first_answer_is_not_lost) {
    loop l;
    l.take(answer("\"content\":\"" + call + "\"", "stop", "a", R"(,"usage":{"prompt_tokens":10})"));
    l.take(answer(R"("content":"Hello")"));
    BOOST_CHECK(l.out.ends_with(R"(],"usage":{"prompt_tokens":10}})"));
}

BOOST_AUTO_TEST_CASE(the_second_failure_is_a_502_with_the_error_object) {
    for (const std::string& second : {answer("\"content\":\"" + call + "\""),
                                      answer(R"("content":"")"), answer(R"("content":" \n")")}) {
        loop l;
        BOOST_CHECK(l.take(answer("\"content\":\"" + call + "\"")) == action::correct);
        BOOST_CHECK(l.take(second) == action::finish);
        BOOST_CHECK_EQUAL(l.turn.status(), 502U);
        BOOST_CHECK(l.out.find(R"("code":"malformed_reply")") != std::string::npos);
        BOOST_CHECK(l.turn.facts().outcome == outcome::failed);
    }
}

BOOST_AUTO_TEST_CASE(a_second_answer_that_is_an_error_or_refused_says_so) {
    loop error;
    error.take(answer("\"content\":\"" + call + "\""));
    BOOST_CHECK(error.take(R"({"error":{"message":"no capacity"}})") == action::finish);
    BOOST_CHECK(error.out.find("no capacity") != std::string::npos);
    BOOST_CHECK(error.out.find("correction_failed") != std::string::npos);
    loop refused;
    refused.take(answer("\"content\":\"" + call + "\""));
    BOOST_CHECK(refused.turn.second_refused("", refused.out) == action::finish);
    BOOST_CHECK_EQUAL(refused.turn.status(), 502U);
}

BOOST_AUTO_TEST_CASE(tokens_of_a_first_answer_are_counted_once_when_the_second_request_fails) {
    loop l;
    l.take(answer("\"content\":\"" + call + "\"", "stop", "a",
                  R"(,"usage":{"prompt_tokens":10,"completion_tokens":5})"));
    l.turn.second_refused("", l.out);
    BOOST_CHECK_EQUAL(l.turn.facts().prompt_tokens, 10U);
    BOOST_CHECK_EQUAL(l.turn.facts().completion_tokens, 5U);
}

BOOST_AUTO_TEST_CASE(calls_in_reasoning_are_evidence_and_stay_where_they_are) {
    loop l;
    BOOST_CHECK(l.take(answer("\"content\":\"\",\"reasoning_content\":\"" + call + "\"")) ==
                action::correct);
    loop answered;
    const std::string text = answer("\"content\":\"Hi\",\"reasoning_content\":\"" + call + "\"");
    BOOST_CHECK(answered.take(text) == action::finish);
    BOOST_CHECK_EQUAL(answered.out, text);
}

BOOST_AUTO_TEST_CASE(several_choices_are_empty_only_if_all_are) {
    const std::string two =
        R"({"choices":[{"index":0,"message":{"content":")" + call +
        R"("},"finish_reason":"stop"},{"index":1,"message":{"content":"Hi"},"finish_reason":"stop"}]})";
    loop l;
    BOOST_CHECK(l.take(two) == action::finish);
    BOOST_CHECK(l.turn.facts().outcome == outcome::sanitized);
    BOOST_CHECK(l.out.find("tool_call>") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(legacy_completions_lose_sentinels_only_and_are_never_corrected) {
    proxy::turn::turn_settings settings;
    settings.legacy_completions = true;
    const std::string sentinel = "<|tool_calls_section_begin|><|tool_call_begin|>functions.get:0"
                                 "<|tool_call_argument_begin|>{}<|tool_call_end|>"
                                 "<|tool_calls_section_end|>";
    const auto body = [](const std::string& text) {
        return R"({"choices":[{"index":0,"text":")" + text + R"(","finish_reason":"stop"}]})";
    };
    const std::string prompt = R"({"prompt":"q"})";
    loop tagged(prompt, settings);
    BOOST_CHECK(tagged.take(body("Hi " + call)) == action::finish);
    BOOST_CHECK_EQUAL(tagged.out, body("Hi " + call));
    loop mixed(prompt, settings);
    BOOST_CHECK(mixed.take(body("Hi " + sentinel)) == action::finish);
    BOOST_CHECK_EQUAL(mixed.out, body("Hi "));
    loop emptied(prompt, settings);
    BOOST_CHECK(emptied.take(body(sentinel)) == action::finish);
    BOOST_CHECK_EQUAL(emptied.turn.status(), 502U);
}

BOOST_AUTO_TEST_CASE(lists_and_citations_follow_the_text_that_is_left) {
    const auto body = [](const std::string& text, const std::string& tokens, const char* ids,
                         std::size_t from, std::size_t to) {
        return R"({"choices":[{"index":0,"message":{"content":")" + text +
               R"(","annotations":[{"type":"url_citation","url_citation":{"start_index":)" +
               std::to_string(from) + R"(,"end_index":)" + std::to_string(to) +
               R"(}}]},"logprobs":{"content":[)" + tokens + R"(]},"token_ids":)" + ids + "}]}";
    };
    const auto token = [](const std::string& text) { return R"({"token":")" + text + "\"}"; };
    const std::size_t gone = 55; // characters of `call`
    loop l;
    l.take(body("Hi " + call + " there", token("Hi ") + "," + token(call) + "," + token(" there"),
                "[1,2,3]", 4 + gone, 9 + gone));
    BOOST_CHECK_EQUAL(l.out,
                      body("Hi  there", token("Hi ") + "," + token(" there"), "[1,3]", 4, 9));
    BOOST_CHECK_EQUAL(l.turn.facts().token_lists_nulled, 0U);
}

BOOST_AUTO_TEST_CASE(legacy_offsets_of_a_body_follow_too) {
    proxy::turn::turn_settings settings;
    settings.legacy_completions = true;
    const std::string sentinel = "<|tool_call_begin|>functions.get:0<|tool_call_argument_begin|>{}"
                                 "<|tool_call_end|>";
    const auto body = [](const std::string& text, const std::string& tokens,
                         const std::string& offsets) {
        return R"({"choices":[{"text":")" + text + R"(","logprobs":{"tokens":[)" + tokens +
               R"(],"text_offset":[)" + offsets + R"(]},"finish_reason":"stop"}]})";
    };
    loop l(R"({"prompt":"q"})", settings);
    l.take(body("Hi" + sentinel + "!", R"("Hi",")" + sentinel + R"(","!")",
                "0,2," + std::to_string(2 + sentinel.size())));
    BOOST_CHECK_EQUAL(l.out, body("Hi!", R"("Hi","!")", "0,2"));
}

BOOST_AUTO_TEST_CASE(lists_that_restate_stripped_text_are_cleared) {
    loop l;
    l.take(R"({"choices":[{"index":0,"message":{"content":"Hi )" + call +
           R"("},"logprobs":{"content":[1]},"token_ids":[1,2]}]})");
    BOOST_CHECK(l.out.find(R"("logprobs":null,"token_ids":null)") != std::string::npos);
    BOOST_CHECK_EQUAL(l.turn.facts().token_lists_nulled, 1U);
}

BOOST_AUTO_TEST_CASE(the_summary_counts_spans_and_characters) {
    loop l;
    l.take(answer("\"content\":\"Hi " + call + " and " + call + "\""));
    BOOST_CHECK_EQUAL(proxy::turn::summary(l.turn.facts()), "sanitized; spans=2; chars=110");
}

BOOST_AUTO_TEST_SUITE_END()
