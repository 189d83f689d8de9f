// Invariants 3, 4, 7 and 10: how an answer ends, and when.
#include "bench/soak/checks.hpp"
#include <algorithm>

namespace bench::soak {

namespace {

bool is_shown_whole(const evidence& all) {
    if (!all.client_saw_all) {
        return false;
    }
    if (!all.sanitized) {
        return true;
    }
    return all.client.errors == 0 && (!all.client_is_stream || all.client.dones > 0);
}

void check_terminal(const evidence& all, ledger& to) {
    if (!all.sanitized || !all.client_is_stream || !all.client_saw_all) {
        return;
    }
    const auto& client = all.client;
    const bool one = client.dones == 1 && client.errors <= 1;
    const bool last = client.behind_done == 0 && !client.error_not_last && !client.partial;
    to.note(3, one && last, all.of,
            std::to_string(client.dones) + " [DONE], " + std::to_string(client.errors) +
                " errors, " + std::to_string(client.behind_done) + " events behind [DONE]");
}

bool was_given(const evidence& all, std::size_t choice, const std::string& finish) {
    return std::ranges::any_of(all.attempts, [&](const attempt_facts& attempt) {
        const auto found = attempt.facts.choices.find(choice);
        if (found == attempt.facts.choices.end()) {
            return false;
        }
        return std::ranges::any_of(found->second.finishes, [&](const std::string& given) {
            return given == finish || (given == "tool_calls" && finish == "stop");
        });
    });
}

// Finishes are counted where the model server ended well and the client was told no error.
void check_finishes(const evidence& all, ledger& to) {
    if (!all.sanitized || all.client.unreadable) {
        return;
    }
    const bool complete = is_shown_whole(all) && all.last()->ended && !all.last()->lossy;
    for (const auto& [number, choice] : all.client.choices) {
        const auto given = all.last()->facts.choices.find(number);
        const bool finishes =
            given != all.last()->facts.choices.end() && !given->second.finishes.empty();
        const bool count =
            complete && finishes ? choice.finishes.size() == 1 : choice.finishes.size() <= 1;
        to.note(4, count, all.of,
                std::to_string(choice.finishes.size()) + " finishes of choice " +
                    std::to_string(number));
        for (const auto& finish : choice.finishes) {
            to.note(4, was_given(all, number, finish), all.of,
                    "finish '" + finish + "' that no attempt gave");
        }
    }
}

// Refused while the proxy is not there, or sent while it closed a kept connection; but whoever's
// request went on to the model server must have an answer.
bool may_be_unserved(const recording& of) {
    return (of.client.refused ? of.drained : of.client.may_be_unserved) && of.attempts.empty();
}

void check_drain(const evidence& all, ledger& to) {
    if (all.of.drained) {
        to.note(7, !is_cut(all.of), all.of, "cut by a drain");
    }
}

void check_end(const evidence& all, ledger& to) {
    const auto& client = all.of.client;
    if (client.end == client_end::left) {
        return;
    }
    to.note(7, client.end != client_end::timeout, all.of, "no end came");
    to.note(7, client.end != client_end::unserved || may_be_unserved(all.of), all.of,
            client.refused ? "no connection was to be had" : "closed without an answer");
    if (all.of.attempts.empty() || client.slow || client.end == client_end::unserved) {
        return;
    }
    const auto& attempt = all.of.attempts.back();
    const auto from = last_sign_ns(attempt);
    const auto delay = client.end_ns - from;
    to.note(7, delay <= all.of.end_limit_ns, all.of,
            "the end came " + std::to_string(delay / 1'000'000) + " ms behind the last byte");
}

void check_wholeness(const evidence& all, ledger& to) {
    if (all.attempts.empty()) {
        return;
    }
    const auto& last = *all.last();
    const auto& recorded = all.of.attempts[all.attempts.size() - 1];
    const bool was_whole = last.valid_head && !recorded.opaque &&
                           (last.ended || (last.is_stream && last.said_end && all.sanitized));
    const bool refused_second = all.attempts.size() == 2 && last.status / 100 != 2;
    if (!was_whole || refused_second) {
        to.note(10, !is_shown_whole(all), all.of,
                "an answer that was not whole came as status " +
                    std::to_string(all.of.client.status) + " without an error");
    }
    if (recorded.untrusted && all.attempts.size() == 1 && all.of.client.end == client_end::whole) {
        to.note(10, all.of.client.status >= 500, all.of,
                "an answer that can't be trusted came as status " +
                    std::to_string(all.of.client.status));
    }
}

} // namespace

bool is_cut(const recording& of) {
    const bool given_up = std::ranges::any_of(of.turns, [](const log_turn& turn) {
        return turn.outcome == "error" || turn.outcome == "cancelled";
    });
    return !of.attempts.empty() && (of.client.end != client_end::whole || given_up);
}

void check_ends(const evidence& all, ledger& to) {
    check_terminal(all, to);
    check_finishes(all, to);
    check_end(all, to);
    check_drain(all, to);
    check_wholeness(all, to);
}

} // namespace bench::soak
