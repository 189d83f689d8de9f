// What is known of one upstream answer while it streams. A correction gets a fresh one.
#pragma once

#include "proxy/chat/chunk_shape.hpp"
#include "proxy/sse/event_parser.hpp"
#include "proxy/turn/choice_track.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::turn {

/// One choice: its text track and what else it brought.
struct choice_state {
    choice_state(std::uint32_t index, const scaffold::catalog& formats,
                 const scaffold::context& ctx)
        : track(index, formats, ctx) {}

    choice_track track;
    std::unique_ptr<scaffold::choice_filter> reasoning; ///< detects calls in reasoning deltas
    bool has_call = false;
    bool finished = false;
};

struct attempt {
    explicit attempt(std::size_t event_bytes_max) : parser(event_bytes_max) {}

    /// The state of choice `index`, made on first sight; null past limits::choices_max.
    choice_state* choice(std::uint32_t index, const scaffold::catalog& formats,
                         const scaffold::context& ctx);

    /// True when [DONE] came, or every begun choice has finished.
    bool whole() const;

    bool holds_text() const;

    sse::event_parser parser;
    chat::chunk_shape shape; ///< of the last event that brought nothing but text
    std::vector<choice_state> choices;
    std::string terminals;     ///< finish and usage events that wait for the verdict
    std::string usage;         ///< the last raw usage object seen
    std::string pending_lines; ///< id and retry lines of blocks without data, for the next event
    bool done_seen = false;
    bool call_markup = false; ///< call or result markup stripped, or found in reasoning
    bool exempt_finish = false;
    bool all_stopped = true; ///< no finish reason but "stop" so far
    bool reasoning_seen = false;
    bool id_lines_seen = false;
};

} // namespace proxy::turn
