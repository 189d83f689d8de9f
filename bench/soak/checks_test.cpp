// Every invariant can fail: an exchange in which all is right passes, and the same with one thing
// broken is found, by the invariant that it breaks.
#include <boost/test/unit_test.hpp>

#include "bench/soak/checks.hpp"
#include "bench/soak/forged.hpp"
#include "bench/soak/nonce.hpp"
#include <functional>
#include <sstream>
#include <string>
#include <vector>

using namespace bench::soak;

namespace {

constexpr std::string_view before = "High water ";
constexpr std::string_view markup =
    "<tool_call>\n{\"name\": \"lookup_tide\", \"arguments\": {}}\n</tool_call>";
constexpr std::string_view after = " is at 06:10.";

recording clean() {
    auto of = forged_stream("High water is late.", "High water is late.");
    of.identical = true;
    return of;
}

recording leak() {
    const auto text = std::string(before).append(markup).append(after);
    auto of = forged_stream(text, std::string(before).append(after));
    of.spans.push_back({1, 0, before.size(), markup.size(), "payload"});
    of.leaked.emplace_back(markup);
    of.turns[0] = {"sanitized", 200, markup.size(), 0, 0};
    return of;
}

// The stream breaks off, and the client is told.
recording cut() {
    auto with = composer(make_nonce(7), 7);
    auto of = clean();
    auto events = std::string{};
    for (const auto& event : with.text_events("High water")) {
        events += event;
    }
    of.attempts[0].sent = stream_head() + chunk_of(events);
    of.attempts[0].end = attempt_end::closed;
    of.client.body =
        events + "data: {\"error\":{\"code\":\"upstream_interrupted\"}}\n\ndata: [DONE]\n\n";
    of.turns[0].outcome = "error";
    return of;
}

recording left() {
    auto of = clean();
    of.client.end = client_end::left;
    of.client.left_ns = of.client.end_ns;
    of.client.body.resize(of.client.body.size() / 2);
    of.attempts[0].sent.resize(of.attempts[0].sent.size() / 2);
    of.attempts[0].end = attempt_end::peer_left;
    of.attempts[0].closed_ns = of.client.left_ns + 1'000'000;
    of.turns[0].outcome = "cancelled";
    return of;
}

void replace(std::string& in, std::string_view what, std::string_view with) {
    const auto at = in.find(what);
    BOOST_REQUIRE(at != std::string::npos);
    in.replace(at, what.size(), with);
}

void insert_before(std::string& in, std::string_view place, std::string_view what) {
    const auto at = in.find(place);
    BOOST_REQUIRE(at != std::string::npos);
    in.insert(at, what);
}

std::string text_event(std::string_view text) {
    return composer(make_nonce(7), 7).text_event(text);
}

// Sent on a kept connection while a drain closed it.
recording closed_idle() {
    auto of = clean();
    of.drained = true;
    of.attempts.clear();
    of.turns.clear();
    of.client.head.clear();
    of.client.body.clear();
    of.client.status = 0;
    of.client.end = client_end::unserved;
    of.client.may_be_unserved = true;
    return of;
}

recording refused() {
    auto of = closed_idle();
    of.client.may_be_unserved = false;
    of.client.refused = true;
    return of;
}

recording drained() {
    auto of = clean();
    of.drained = true;
    return of;
}

struct breaking {
    std::string name;
    std::size_t invariant;
    recording (*base)();
    std::function<void(recording&)> change;
};

const std::vector<breaking>& breakings() {
    static const std::vector<breaking> rows = {
        {"a word is lost", 1, clean, [](recording& of) { replace(of.client.body, "water", ""); }},
        {"a word is added", 1, clean,
         [](recording& of) { insert_before(of.client.body, "water", "new "); }},
        {"a span is not in the log", 1, leak, [](recording& of) { of.spans.clear(); }},
        {"a span is logged elsewhere", 1, leak, [](recording& of) { of.spans[0].offset -= 2; }},
        {"a span is logged of another choice", 1, leak,
         [](recording& of) { of.spans[0].choice = 1; }},
        {"markup is shown that nobody logged", 1, leak,
         [](recording& of) {
             of.spans.clear();
             of.client.body = forged_body(std::string(before).append(markup).append(after));
         }},
        {"a whole stream is cut short", 1, clean,
         [](recording& of) { of.client.body = forged_body("High "); }},
        {"text is cut that was sent before a fault", 1, cut,
         [](recording& of) {
             of.client.body = "data: {\"error\":{\"code\":\"x\"}}\n\ndata: [DONE]\n\n";
         }},
        {"text follows the finish", 2, clean,
         [](recording& of) { insert_before(of.client.body, "data: [DONE]", text_event("late")); }},
        {"no [DONE]", 3, clean,
         [](recording& of) { replace(of.client.body, "data: [DONE]\n\n", ""); }},
        {"two [DONE]", 3, clean, [](recording& of) { of.client.body += "data: [DONE]\n\n"; }},
        {"a comment follows [DONE]", 3, clean, [](recording& of) { of.client.body += ": x\n\n"; }},
        {"two errors", 3, cut,
         [](recording& of) {
             insert_before(of.client.body, "data: [DONE]", "data: {\"error\":{}}\n\n");
         }},
        {"text follows the error", 3, cut,
         [](recording& of) { insert_before(of.client.body, "data: [DONE]", text_event("x")); }},
        {"half an event at the end", 3, clean, [](recording& of) { of.client.body += "data: x"; }},
        {"no finish", 4, clean, [](recording& of) { replace(of.client.body, "\"stop\"", "null"); }},
        {"two finishes", 4, clean,
         [](recording& of) {
             const auto finish = composer(make_nonce(7), 7).finish_event();
             insert_before(of.client.body, "data: [DONE]", finish);
         }},
        {"a finish that nobody gave", 4, clean,
         [](recording& of) { replace(of.client.body, "\"stop\"", "\"length\""); }},
        {"three requests", 5, forged_correction,
         [](recording& of) { of.attempts.push_back(of.attempts[1]); }},
        {"a second request of a passed path", 5, forged_passing,
         [](recording& of) { of.attempts.push_back(of.attempts[0]); }},
        {"a request for a malformed one", 5, clean,
         [](recording& of) { of.surface = surface::malformed; }},
        {"a second request after a cut first", 5, forged_correction,
         [](recording& of) {
             of.attempts[0].sent.resize(of.attempts[0].sent.size() - 7);
             of.attempts[0].end = attempt_end::closed;
         }},
        {"a second request after visible text", 5, forged_correction,
         [](recording& of) { of.spans[0].chars -= 20; }},
        {"a second request after a structured call", 5, forged_correction,
         [](recording& of) {
             of.attempts[0].sent =
                 forged_answer(composer(make_nonce(7), 7).event(R"("tool_calls":[{"index":0}])") +
                               forged_body("\n"));
             of.spans.clear();
         }},
        {"a second request with tools", 5, forged_correction,
         [](recording& of) { of.attempts[1].request_body.insert(1, R"("tools":[],)"); }},
        {"two ids", 6, forged_correction,
         [](recording& of) { replace(of.client.body, of.nonce + "\"", of.nonce + "-second\""); }},
        {"the second's created", 6, forged_correction,
         [](recording& of) { replace(of.client.body, "1767225600", "1767225707"); }},
        {"the second's model", 6, forged_correction,
         [](recording& of) { replace(of.client.body, "\"soak\"", "\"soak-second\""); }},
        {"text of the first attempt", 6, forged_correction,
         [](recording& of) {
             of.client.body.insert(of.client.body.find("data:", 1), text_event("\n"));
         }},
        {"the end does not come", 7, clean,
         [](recording& of) { of.client.end = client_end::timeout; }},
        {"the end comes late", 7, clean, [](recording& of) { of.client.end_ns += 2'000'000'000; }},
        {"closed without an answer", 7, clean,
         [](recording& of) { of.client.end = client_end::unserved; }},
        {"refused, though the proxy was there", 7, refused,
         [](recording& of) { of.drained = false; }},
        {"a first request is dropped by a drain", 7, closed_idle,
         [](recording& of) { of.client.may_be_unserved = false; }},
        {"an answer that was asked for is dropped by a drain", 7, closed_idle,
         [](recording& of) { of.attempts = clean().attempts; }},
        {"cut by a drain", 7, drained, [](recording& of) { of.client.end = client_end::cut; }},
        {"ended loudly by a drain", 7, drained,
         [](recording& of) { of.turns[0].outcome = "error"; }},
        {"the upstream is held", 8, left,
         [](recording& of) { of.attempts[0].closed_ns += 2'000'000'000; }},
        {"the upstream is asked after the client left", 8, left,
         [](recording& of) {
             of.attempts[0].began_ns = of.client.left_ns + 1'500'000'000;
             of.attempts[0].closed_ns = of.attempts[0].began_ns;
         }},
        {"the upstream may go on to its end", 8, left,
         [](recording& of) {
             of.attempts[0].end = attempt_end::kept;
             of.attempts[0].last_write_ns = of.client.left_ns + 1'500'000'000;
         }},
        {"a cut stream without an error", 10, cut,
         [](recording& of) {
             replace(of.client.body, "data: {\"error\":{\"code\":\"upstream_interrupted\"}}\n\n",
                     "");
         }},
        {"cut bytes with a whole framing", 10, forged_passing,
         [](recording& of) {
             of.attempts[0].sent.resize(of.attempts[0].sent.size() - 1);
             of.attempts[0].end = attempt_end::closed;
         }},
        {"an answer that can't be trusted", 10, forged_passing,
         [](recording& of) { of.attempts[0].untrusted = true; }},
        {"a refused correction without an error", 10, forged_correction,
         [](recording& of) {
             of.attempts[1].sent = answer_with("429 Busy", "application/json", "{}");
         }},
        {"another's nonce in the answer", 11, clean,
         [](recording& of) { replace(of.client.body, "water", make_nonce(8)); }},
        {"another's nonce in the request", 11, clean,
         [](recording& of) { of.attempts[0].request_body += make_nonce(8); }},
        {"the nonce does not come back", 11, forged_passing,
         [](recording& of) {
             of.client.head = "HTTP/1.1 200 OK\r\n\r\n";
             of.client.body = "nothing";
         }},
        {"a malformed request is answered", 11, forged_passing,
         [](recording& of) { of.surface = surface::malformed; }},
        {"the request's body is changed", 12, clean,
         [](recording& of) { of.attempts[0].request_body += " "; }},
        {"the request's target is changed", 12, forged_passing,
         [](recording& of) { replace(of.attempts[0].request_head, "/v1/", "/v2/"); }},
        {"the request's key is lost", 12, clean,
         [](recording& of) { replace(of.attempts[0].request_head, "Authorization", "X-Other"); }},
        {"a clean stream is written anew", 12, clean,
         [](recording& of) { replace(of.client.body, "data: {", "data:{"); }},
        {"passed bytes are changed", 12, forged_passing,
         [](recording& of) { of.client.body[5] ^= 1; }},
        {"an edited event lost a member", 12, leak,
         [](recording& of) { replace(of.client.body, R"("finish_reason":null)", R"("x":1)"); }},
        {"an event that nobody wrote", 12, leak,
         [](recording& of) { of.client.body.insert(0, "data: {\"new\":1}\n\n"); }},
        {"a secret in an error", 13, cut,
         [](recording& of) { replace(of.client.body, "upstream_", planted_secret); }},
        {"a secret that the model did not say", 13, clean,
         [](recording& of) { of.client.head += planted_secret; }},
        {"no turn in the log", 14, clean, [](recording& of) { of.turns.clear(); }},
        {"two turns in the log", 14, clean, [](recording& of) { of.turns.push_back(of.turns[0]); }},
        {"another number of characters", 14, leak, [](recording& of) { ++of.turns[0].stripped; }},
        {"a correction that was not asked", 14, clean,
         [](recording& of) { of.turns[0].corrections = 1; }},
        {"a correction that is not in the log", 14, forged_correction,
         [](recording& of) { of.turns[0].corrections = 0; }},
        {"another status", 14, clean, [](recording& of) { of.turns[0].status = 502; }},
        {"cancelled, though the client stayed", 14, clean,
         [](recording& of) { of.turns[0].outcome = "cancelled"; }},
    };
    return rows;
}

} // namespace

BOOST_AUTO_TEST_SUITE(soak_checks)

BOOST_AUTO_TEST_CASE(an_exchange_in_which_all_is_right_breaks_nothing) {
    for (auto* const make : {clean, leak, cut, left, forged_correction, forged_passing, closed_idle,
                             refused, drained}) {
        ledger seen;
        check_exchange(make(), seen);
        BOOST_TEST(seen.broken() == 0u);
        for (const auto& example : seen.examples()) {
            BOOST_TEST_MESSAGE(example);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_broken_is_found_by_its_invariant) {
    for (const auto& row : breakings()) {
        BOOST_TEST_CONTEXT(row.name) {
            auto of = row.base();
            row.change(of);
            ledger seen;
            check_exchange(of, seen);
            BOOST_TEST(seen.broken(row.invariant) > 0u);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_invariant_of_an_exchange_has_a_way_to_break) {
    for (std::size_t number = 1; number <= invariant_count; ++number) {
        const auto rows = std::ranges::count(breakings(), number, &breaking::invariant);
        BOOST_TEST((rows > 0 || number == 9), invariant_name(number)); // 9 is the process's
    }
}

BOOST_AUTO_TEST_CASE(memory_is_bounded_by_the_streams) {
    constexpr std::uint64_t mib = 1 << 20;
    ledger seen;
    check_memory(10 * mib, 40 * mib, 1, mib, seen);
    BOOST_TEST(seen.broken(9) == 0u);
    check_memory(10 * mib, 50 * mib, 1, mib, seen);
    BOOST_TEST(seen.broken(9) == 1u);
    check_memory(10 * mib, 50 * mib, 100, mib, seen);
    BOOST_TEST(seen.broken(9) == 1u);
    BOOST_TEST(seen.checked(9) == 3u);
}

BOOST_AUTO_TEST_CASE(a_secret_in_the_log_is_found) {
    ledger seen;
    check_log_line("turn retries=0 request_id=nz-1", seen);
    BOOST_TEST(seen.broken(13) == 0u);
    check_log_line("authorization: Bearer sk-" + std::string(planted_secret), seen);
    BOOST_TEST(seen.broken(13) == 1u);
}

BOOST_AUTO_TEST_CASE(a_client_that_left_must_have_a_beginning_only) {
    auto of = left();
    replace(of.client.body, "High", "Low");
    ledger seen;
    check_exchange(of, seen);
    BOOST_TEST(seen.broken(1) > 0u);
}

BOOST_AUTO_TEST_CASE(bytes_that_a_reset_destroyed_are_not_missed) {
    auto of = cut();
    of.attempts[0].end = attempt_end::reset;
    of.client.body = "data: {\"error\":{\"code\":\"x\"}}\n\ndata: [DONE]\n\n";
    ledger seen;
    check_exchange(of, seen);
    BOOST_TEST(seen.broken() == 0u);
}

BOOST_AUTO_TEST_CASE(a_kill_behind_the_last_byte_of_a_first_answer_leaves_it_whole) {
    auto of = forged_correction();
    of.attempts[0].end = attempt_end::killed;
    ledger seen;
    check_exchange(of, seen);
    BOOST_TEST(seen.broken() == 0u);
}

BOOST_AUTO_TEST_CASE(a_report_names_all_invariants_and_the_first_examples) {
    ledger seen;
    for (int i = 0; i < 9; ++i) {
        seen.note(4, i % 2 == 0, "place " + std::to_string(i), "why");
    }
    std::ostringstream out;
    seen.report(out);
    for (std::size_t number = 1; number <= invariant_count; ++number) {
        BOOST_TEST(out.str().find(invariant_name(number)) != std::string::npos);
    }
    BOOST_TEST(seen.checked(4) == 9u);
    BOOST_TEST(seen.broken(4) == 4u);
    BOOST_TEST(seen.examples().size() == 3u);
    BOOST_TEST(out.str().find("broken: 4 in place 1: why") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
