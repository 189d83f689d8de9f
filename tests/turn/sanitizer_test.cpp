#include "proxy/config/formats_file.hpp"
#include "proxy/turn/sanitizer.hpp"

#include "tests/support/allocations.hpp"
#include "tests/turn/driver.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace {

using proxy::turn::action;

const proxy::scaffold::catalog& formats() {
    static const auto catalog = proxy::config::built_in_catalog();
    return catalog;
}

std::string chunk(const std::string& text, const std::string& more = "") {
    return R"(data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[)"
           R"({"index":0,"delta":{"content":")" +
           text + "\"}" + more + "}]}\n\n";
}

const std::string finish_stop =
    R"(data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
    "\n\n";
const std::string call = R"(<tool_call>{\"name\": \"get\", \"arguments\": {}}</tool_call>)";
const std::string done = "data: [DONE]\n\n";
const std::string request =
    R"({"stream":true,"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"get"}}]})";

struct loop {
    explicit loop(std::string body = request, proxy::turn::turn_settings settings = {})
        : body_(std::move(body)), work(proxy::turn::make_workspace()),
          turn(settings, formats(), *work, proxy::chat::read_request(body_), body_) {}

    action push(const std::string& bytes) {
        const action next = turn.push(buffer.load(bytes), out);
        text += out.str();
        out.clear();
        buffer.spoil();
        return next;
    }

    action end(proxy::turn::upstream_end how = proxy::turn::upstream_end::whole) {
        const action next = turn.end(how, out);
        text += out.str();
        out.clear();
        return next;
    }

    std::string body_;
    proxy::turn::workspace_ptr work;
    proxy::turn::sanitizer turn;
    proxy::turn::output out;
    tests::read_buffer buffer;
    std::string text;
};

} // namespace

BOOST_AUTO_TEST_SUITE(sanitizer)

BOOST_AUTO_TEST_CASE(a_correction_that_only_the_budget_forbids_is_a_second_failure_that_says_so) {
    struct spent_budget final : proxy::turn::correction_gate {
        bool allows() const override { return false; }
    };

    const spent_budget gate;

    const struct {
        const char* what;
        bool enabled;
        std::string events;
        proxy::turn::outcome expected;
        bool spent;
    } rows[] = {
        {"markup only", true, chunk(call) + finish_stop + done, proxy::turn::outcome::failed, true},
        {"switched off", false, chunk(call) + finish_stop + done, proxy::turn::outcome::failed,
         false},
        {"answered", true, chunk("Hi " + call) + finish_stop + done,
         proxy::turn::outcome::sanitized, false},
        {"plain empty", true, chunk("") + finish_stop + done, proxy::turn::outcome::clean, true},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            proxy::turn::turn_settings settings;
            settings.gate = &gate;
            settings.recovery_enabled = row.enabled;
            settings.recovery_empty = proxy::turn::empty_mode::always;
            loop l(request, settings);
            BOOST_CHECK(l.push(row.events) == action::finish);
            BOOST_CHECK(l.turn.facts().outcome == row.expected);
            BOOST_CHECK_EQUAL(l.turn.facts().budget_spent, row.spent);
            BOOST_CHECK_EQUAL(l.turn.facts().corrections, 0U);
        }
    }
}

BOOST_AUTO_TEST_CASE(text_offsets_of_legacy_completions_move_in_every_later_event) {
    proxy::turn::turn_settings settings;
    settings.legacy_completions = true;
    const std::string sentinel = "<|tool_calls_section_begin|><|tool_call_begin|>functions.get:0"
                                 "<|tool_call_argument_begin|>{}<|tool_call_end|>"
                                 "<|tool_calls_section_end|>";
    const auto event = [](const std::string& text, std::size_t offset) {
        return R"(data: {"choices":[{"index":0,"text":")" + text + R"(","logprobs":{"tokens":[")" +
               text + R"("],"token_logprobs":[-1],"text_offset":[)" + std::to_string(offset) +
               "]}}]}\n\n";
    };
    const std::string end =
        R"(data: {"choices":[{"index":0,"text":"","logprobs":null,"finish_reason":"stop"}]})"
        "\n\n" +
        done;
    loop l(R"({"prompt":"q","stream":true})", settings);
    const std::size_t gone = sentinel.size();
    l.push(event("Hi.", 7) + event(sentinel, 10) + event(" <", 10 + gone) + event(" b", 12 + gone) +
           event("!", 14 + gone) + end);
    BOOST_CHECK_EQUAL(l.text,
                      event("Hi.", 7) + event(" <", 10) + event(" b", 12) + event("!", 14) + end);
    BOOST_CHECK_EQUAL(l.turn.facts().token_lists_nulled, 0U);
}

BOOST_AUTO_TEST_CASE(token_lists_that_cannot_follow_are_counted) {
    const std::string lists = R"(,"logprobs":{"content":[{"token":"x","bytes":null}]})";
    loop l;
    l.push(chunk("Hi " + call, lists) + chunk("held " + call.substr(0, 11), lists) +
           chunk(call.substr(11), lists) + finish_stop + done);
    BOOST_CHECK(l.text.find(call.substr(0, 11)) == std::string::npos);
    BOOST_CHECK_EQUAL(l.turn.facts().token_lists_nulled, 2U);
}

BOOST_AUTO_TEST_CASE(a_clean_event_is_a_view_of_the_read) {
    loop l;
    const std::string event = chunk("Hello");
    const auto read = l.buffer.load(event + event);
    BOOST_CHECK(l.turn.push(read, l.out) == action::proceed);
    BOOST_REQUIRE_EQUAL(l.out.pieces(), 1U);
    BOOST_CHECK_EQUAL(l.out.piece(0).data(), read.data());
    BOOST_CHECK_EQUAL(l.out.bytes(), 2 * event.size());
}

BOOST_AUTO_TEST_CASE(no_allocation_for_an_unchanged_event) {
    loop l;
    const std::string event = chunk("a < b, list[0] and more text");
    std::string read;
    for (int i = 0; i < 16; ++i) {
        read += event;
    }
    std::string padded = read + std::string(64, '\0');
    const std::string_view bytes = std::string_view(padded).substr(0, read.size());
    for (int i = 0; i < 4; ++i) { // warm
        l.turn.push(bytes, l.out);
        l.out.clear();
    }
    const tests::allocation_count count;
    for (int i = 0; i < 100; ++i) {
        l.turn.push(bytes, l.out);
        l.out.clear();
    }
    BOOST_CHECK_EQUAL(count.made(), 0U);
}

BOOST_AUTO_TEST_CASE(a_turn_between_two_events_owns_little) {
    const std::vector<std::string> reads = {chunk("\\n") + chunk("a < b, x["),
                                            chunk("0] and ") + chunk("text"), chunk(" goes on")};
    loop l; // its scratch, which all turns of a thread share, has grown to its size
    for (const std::string& read : reads) {
        l.push(read);
    }
    const tests::allocation_count since;
    proxy::turn::sanitizer turn({}, formats(), *l.work, proxy::chat::read_request(request),
                                request);
    BOOST_TEST(since.live_bytes() > 0);
    for (const std::string& read : reads) {
        turn.push(l.buffer.load(read), l.out);
        l.out.clear();
    }
    BOOST_TEST(turn.answered());
    BOOST_TEST(since.live_bytes() < 2'500);
}

BOOST_AUTO_TEST_CASE(the_request_body_is_wanted_until_the_first_visible_byte) {
    loop l;
    BOOST_CHECK(l.turn.wants_body());
    l.push(chunk("\\n"));
    BOOST_CHECK(l.turn.wants_body() && !l.turn.answered());
    l.push(chunk("Hi"));
    BOOST_CHECK(!l.turn.wants_body() && l.turn.answered());
}

BOOST_AUTO_TEST_CASE(a_request_that_is_no_json_object_is_filtered_but_never_corrected) {
    loop l("not json");
    l.push(chunk(call) + finish_stop);
    BOOST_CHECK(l.push(done) == action::finish);
    BOOST_CHECK(l.text.find("tool_call") == std::string::npos);
    BOOST_CHECK(l.text.find("malformed_reply") != std::string::npos);
    BOOST_CHECK(l.text.ends_with(done));
}

BOOST_AUTO_TEST_CASE(recovery_switched_off_ends_an_emptied_turn_as_the_second_failure) {
    proxy::turn::turn_settings settings;
    settings.recovery_enabled = false;
    loop l(request, settings);
    BOOST_CHECK(l.push(chunk(call) + finish_stop + done) == action::finish);
    BOOST_CHECK(l.text.find("malformed_reply") != std::string::npos);
    BOOST_CHECK(l.turn.facts().outcome == proxy::turn::outcome::failed);
    BOOST_CHECK_EQUAL(l.turn.facts().corrections, 0U);
}

BOOST_AUTO_TEST_CASE(a_refused_second_request_says_what_the_upstream_said) {
    loop l;
    BOOST_CHECK(l.push(chunk(call) + finish_stop + done) == action::correct);
    BOOST_CHECK(l.turn.second_refused("no tools allowed", l.out) == action::finish);
    const std::string text = l.out.str();
    BOOST_CHECK(text.find("correction_failed") != std::string::npos);
    BOOST_CHECK(text.find("no tools allowed") != std::string::npos);
    BOOST_CHECK(text.ends_with(done));
    BOOST_CHECK_EQUAL(l.turn.facts().corrections, 1U);
}

BOOST_AUTO_TEST_CASE(the_verdict_can_be_forced_after_the_last_finish) {
    loop l;
    BOOST_CHECK(!l.turn.awaiting_verdict());
    l.push(chunk("All."));
    BOOST_CHECK(!l.turn.awaiting_verdict());
    l.push(finish_stop);
    BOOST_CHECK(l.turn.awaiting_verdict());
    BOOST_CHECK(l.turn.verdict_timeout(l.out) == action::finish);
    BOOST_CHECK_EQUAL(l.out.str(), done);
}

BOOST_AUTO_TEST_CASE(keep_alive_comments_only_while_the_proxy_causes_the_silence) {
    loop l;
    l.turn.keepalive(l.out);
    BOOST_CHECK(l.out.empty());
    l.push(chunk("<tool_call>{"));
    l.turn.keepalive(l.out);
    BOOST_CHECK_EQUAL(l.out.str(), ": keep-alive\n\n");
    l.out.clear();
    l.push(chunk("\\\"x\\\": 1} is no call."));
    l.turn.keepalive(l.out);
    BOOST_CHECK(l.out.empty());
}

BOOST_AUTO_TEST_CASE(no_blank_line_of_ours_once_the_upstream_has_sent_an_id) {
    loop l;
    l.push("id: 3\n" + chunk("Hi "));
    l.push(chunk("<tool_call>{"));
    l.turn.keepalive(l.out);
    BOOST_CHECK_EQUAL(l.out.str(), ": keep-alive\n");
}

BOOST_AUTO_TEST_CASE(a_cancelled_turn_says_so_and_asks_nothing_more) {
    loop l;
    l.push(chunk(call));
    l.turn.cancelled();
    BOOST_CHECK(l.turn.finished());
    BOOST_CHECK(!l.turn.wants_body());
    BOOST_CHECK(l.turn.facts().outcome == proxy::turn::outcome::cancelled);
}

BOOST_AUTO_TEST_CASE(an_event_over_the_limit_is_a_loud_end) {
    proxy::turn::turn_settings settings;
    settings.event_bytes_max = 1000;
    loop l(request, settings);
    l.push(chunk("Hi"));
    BOOST_CHECK(l.push("data: " + std::string(2000, 'x')) == action::finish);
    BOOST_CHECK(l.text.find("upstream_interrupted") != std::string::npos);
    BOOST_CHECK(l.turn.upstream_spoiled());
}

BOOST_AUTO_TEST_CASE(bytes_behind_the_terminal_event_spoil_the_connection) {
    loop clean;
    clean.push(chunk("Hi") + finish_stop + done);
    BOOST_CHECK(!clean.turn.upstream_spoiled());
    loop tail;
    tail.push(chunk("Hi") + finish_stop + done + chunk("more"));
    BOOST_CHECK(tail.turn.upstream_spoiled());
    BOOST_CHECK(tail.turn.facts().bytes_after_end > 0);
}

BOOST_AUTO_TEST_CASE(facts_name_formats_spans_and_tokens) {
    loop l;
    l.push(chunk("Hi " + call + " there"));
    l.push(finish_stop);
    l.push(R"(data: {"id":"c","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}})"
           "\n\n" +
           done);
    const auto& facts = l.turn.facts();
    BOOST_CHECK(facts.outcome == proxy::turn::outcome::sanitized);
    BOOST_CHECK_EQUAL(facts.spans, 1U);
    BOOST_CHECK_EQUAL(facts.scaffold_chars, 55U);
    BOOST_REQUIRE_EQUAL(facts.logged.size(), 1U);
    BOOST_CHECK_EQUAL(facts.logged[0].offset, 3U);
    BOOST_CHECK(facts.logged[0].excerpt.starts_with("<tool_call>{\"name\""));
    BOOST_CHECK_EQUAL(facts.prompt_tokens, 7U);
    BOOST_CHECK_EQUAL(facts.completion_tokens, 9U);
    BOOST_CHECK_EQUAL(facts.finish, "stop");
    BOOST_CHECK_EQUAL(facts.model, "m");
}

BOOST_AUTO_TEST_CASE(a_plain_empty_turn_is_asked_again_only_under_its_conditions) {
    using proxy::turn::empty_mode;
    const std::string role =
        R"(data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})"
        "\n\n";
    const std::string plain = R"({"stream":true,"messages":[{"role":"user","content":"q"}]})";
    const std::string after_tool =
        R"({"stream":true,"messages":[{"role":"tool","tool_call_id":"1","content":"r"}]})";
    const std::string reasoning =
        R"(data: {"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]})"
        "\n\n";
    const std::string length =
        R"(data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"length"}]})"
        "\n\n";

    const struct {
        const char* what;
        empty_mode mode;
        std::string body, stream;
        action expected;
    } rows[] = {
        {"off", empty_mode::off, plain, role + finish_stop, action::finish},
        {"always", empty_mode::always, plain, role + finish_stop, action::correct},
        {"white space only", empty_mode::always, plain, role + chunk("\\n") + finish_stop,
         action::correct},
        {"always, with tools", empty_mode::always, request, role + finish_stop, action::correct},
        {"no_tools", empty_mode::no_tools, plain, role + finish_stop, action::correct},
        {"no_tools, with tools", empty_mode::no_tools, request, role + finish_stop, action::finish},
        {"after a tool result", empty_mode::always, after_tool, role + finish_stop, action::finish},
        {"with reasoning", empty_mode::always, plain, role + reasoning + finish_stop,
         action::finish},
        {"length", empty_mode::always, plain, role + length, action::finish},
    };

    for (const auto& row : rows) {
        proxy::turn::turn_settings settings;
        settings.recovery_empty = row.mode;
        loop l(row.body, settings);
        BOOST_CHECK_MESSAGE(l.push(row.stream + done) == row.expected, row.what);
    }
}

BOOST_AUTO_TEST_CASE(a_plain_empty_turn_has_its_own_line_and_its_own_error) {
    proxy::turn::turn_settings settings;
    settings.recovery_empty = proxy::turn::empty_mode::always;
    loop l(R"({"stream":true,"messages":[{"role":"user","content":"q"}]})", settings);
    BOOST_CHECK(l.push(finish_stop + done) == action::correct);
    BOOST_CHECK(l.turn.correction_body().find("previous reply was empty") != std::string::npos);
    l.turn.begin_second();
    BOOST_CHECK(l.push(finish_stop + done) == action::finish);
    BOOST_CHECK(l.text.find("\"code\":\"empty_reply\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_spent_budget_ends_an_emptied_turn_as_the_second_failure) {
    struct closed final : proxy::turn::correction_gate {
        bool allows() const override { return false; }
    };

    const closed gate;
    proxy::turn::turn_settings settings;
    settings.gate = &gate;
    settings.recovery_empty = proxy::turn::empty_mode::always;
    loop emptied(request, settings);
    BOOST_CHECK(emptied.push(chunk(call) + finish_stop + done) == action::finish);
    BOOST_CHECK(emptied.text.find("malformed_reply") != std::string::npos);
    loop plain(request, settings);
    BOOST_CHECK(plain.push(finish_stop + done) == action::finish);
    BOOST_CHECK_EQUAL(plain.text, finish_stop + done);
}

BOOST_AUTO_TEST_CASE(choices_past_the_bound_pass_without_a_filter) {
    loop l;
    std::string stream;
    for (int i = 0; i < 200; ++i) {
        stream += R"(data: {"id":"c","choices":[{"index":)" + std::to_string(i) +
                  R"(,"delta":{"content":"x"}}]})"
                  "\n\n";
    }
    l.push(stream);
    BOOST_CHECK_EQUAL(l.text, stream);
}

BOOST_AUTO_TEST_CASE(a_long_call_does_not_pile_up) {
    loop l;
    l.push(chunk("Hi "));
    l.push(chunk(R"(<tool_call>{\"name\": \"get\", \"arguments\": {\"x\": \")"));
    const std::string part = chunk(std::string(1000, 'y'));
    for (int i = 0; i < 500; ++i) {
        BOOST_CHECK(l.push(part) == action::proceed);
    }
    l.push(chunk(R"(\"}}</tool_call>Bye)"));
    l.push(finish_stop + done);
    BOOST_CHECK_EQUAL(l.text, chunk("Hi ") + chunk("Bye") + finish_stop + done);
    BOOST_CHECK_GT(l.turn.facts().scaffold_chars, 500'000U);
}

BOOST_AUTO_TEST_CASE(held_events_past_their_bound_keep_their_text) {
    loop l;
    l.push(chunk("Hi "));
    l.push(chunk(R"(<tool_call>{\"name\": \"get\", \"arguments\": {\"x\": \")"));
    std::string text = "<tool_call>{\\\"name\\\": \\\"get\\\", \\\"arguments\\\": {\\\"x\\\": \\\"";
    for (int i = 0; i < 2000; ++i) {
        l.push(chunk("zz"));
        text += "zz";
    }
    l.push(chunk("\\\" oops, no call"));
    text += "\\\" oops, no call";
    l.push(finish_stop + done);
    std::string joined;
    for (std::size_t at = 0; (at = l.text.find("\"content\":\"", at)) != std::string::npos;) {
        at += 11;
        std::size_t stop = at;
        while (l.text[stop] != '"' || l.text[stop - 1] == '\\') {
            ++stop;
        }
        joined += l.text.substr(at, stop - at);
    }
    BOOST_CHECK_EQUAL(joined, "Hi " + text);
}

BOOST_AUTO_TEST_SUITE_END()
