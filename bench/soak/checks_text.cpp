// Invariants 1, 2 and 6: the text that the client got, choice by choice.
#include "bench/soak/checks.hpp"
#include <set>

namespace bench::soak {

namespace {

// What the client must have of a choice, and whether it may have only its beginning.
struct expectation {
    std::string text;
    bool to_the_end = false;
    bool may_be_empty = false;
};

expectation expected_of(const evidence& all, std::size_t choice) {
    const auto number = static_cast<unsigned>(all.attempts.size());
    const auto& last = all.attempts.back();
    auto expected = expectation{};
    expected.text = without_spans(last.facts.text(choice), all.of.spans, number, choice);
    expected.to_the_end = all.client_saw_all && !last.lossy;
    // White space that is left of a stripped choice is no text, and nothing of a failed turn is.
    expected.may_be_empty = is_blank(expected.text);
    return expected;
}

bool fits(const expectation& expected, const std::string& got) {
    if (got.empty() && expected.may_be_empty) {
        return true;
    }
    return expected.to_the_end ? got == expected.text : expected.text.starts_with(got);
}

bool texts_are_known(const evidence& all) {
    if (!all.sanitized || all.client.unreadable) {
        return false;
    }
    for (std::size_t i = 0; i < all.attempts.size(); ++i) {
        if (all.of.attempts[i].opaque || all.attempts[i].facts.unreadable) {
            return false;
        }
    }
    return true;
}

void check_choices(const evidence& all, ledger& to) {
    auto choices = std::set<std::size_t>{};
    for (const auto& choice : all.client.choices) {
        choices.insert(choice.first);
    }
    for (const auto& choice : all.attempts.back().facts.choices) {
        choices.insert(choice.first);
    }
    for (const auto choice : choices) {
        const auto expected = expected_of(all, choice);
        const auto& got = all.client.text(choice);
        to.note(1, fits(expected, got), all.of,
                "choice " + std::to_string(choice) + ": " + difference(expected.text, got));
        if (all.attempts.size() == 2) {
            to.note(6, expected.text.starts_with(got), all.of,
                    "text that is not attempt 2's: " + difference(expected.text, got));
        }
    }
}

} // namespace

void check_texts(const evidence& all, ledger& to) {
    const bool answered = all.of.client.status / 100 == 2;
    if (!all.sanitized || !answered) {
        return;
    }
    if (texts_are_known(all) && all.of.spans.size() < 8) { // all spans are in the log
        check_choices(all, to);
    }
    for (const auto& [number, choice] : all.client.choices) {
        for (const auto& markup : all.of.leaked) {
            to.note(1, choice.text.find(markup) == std::string::npos, all.of,
                    "markup in the text of choice " + std::to_string(number));
        }
        to.note(2, !choice.text_after_finish, all.of,
                "text of choice " + std::to_string(number) + " behind its finish");
    }
    const auto& first = all.attempts.front().facts;
    const auto one = [&](const std::set<std::string>& got, const std::set<std::string>& given) {
        return got.size() <= 1 && (got.empty() || given.empty() || got == given);
    };
    if (first.ids.size() <= 1) { // else the model server itself changes them
        to.note(6,
                one(all.client.ids, first.ids) && one(all.client.created, first.created) &&
                    one(all.client.models, first.models),
                all.of, "id, created or model is not the first attempt's");
    }
}

} // namespace bench::soak
