// What a turn did, for the turn log: counters and reasons, no clock, no text but span excerpts.
#pragma once

#include "proxy/scaffold/choice_filter.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::turn {

enum class outcome { clean, sanitized, corrected, failed, passed, error, cancelled };

std::string_view to_string(outcome value);

/// What enforcing would have come to, for a turn that was only watched.
enum class shadow_verdict { none, clean, sanitize, correct, fail };

std::string_view to_string(shadow_verdict value);

struct logged_span {
    std::uint32_t choice = 0;
    unsigned attempt = 1;
    std::string format; ///< catalog name, or the rule for an orphan closer
    std::string_view rule;
    std::uint64_t offset = 0; ///< bytes, in the choice's text of that attempt
    std::uint64_t chars = 0;
    std::string excerpt; ///< unescaped; the log escapes and masks it
};

/// What was stripped (or found, in shadow mode) as one format.
struct format_sum {
    std::string name; ///< as in logged_span::format
    std::uint64_t spans = 0;
    std::uint64_t chars = 0;
};

struct report {
    turn::outcome outcome = turn::outcome::clean;
    shadow_verdict would = shadow_verdict::none; ///< none: the turn was enforced
    std::uint64_t scaffold_chars =
        0; ///< stripped (or found, in shadow mode), in characters over both attempts
    std::uint64_t spans = 0;
    std::vector<logged_span> logged; ///< the first limits::spans_logged_max
    std::vector<format_sum> formats; ///< each once, in the order in which they were met
    unsigned corrections = 0;        ///< 0 or 1
    bool budget_spent = false;       ///< a correction was due that only the budget forbade
    std::string finish;              ///< last finish reason that went out; empty for none
    std::string error_code;          ///< code of our own error; empty for none
    std::string model;               ///< as the upstream named it, at most 128 bytes
    std::uint64_t prompt_tokens = 0, completion_tokens = 0; ///< summed; 0 when not told
    std::uint64_t events = 0, events_edited = 0, events_dropped = 0, unreadable_events = 0;
    std::uint64_t token_lists_nulled = 0; ///< their tokens did not spell the text
    std::uint64_t bytes_after_end = 0;    ///< upstream bytes behind the terminal event
};

/// Adds a stripped span of choice `choice` in attempt 1 or 2 to the counters and the log excerpts.
void note_span(report& to, const scaffold::span& found, std::uint32_t choice, unsigned attempt);

} // namespace proxy::turn
