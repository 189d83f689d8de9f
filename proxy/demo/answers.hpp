// Builds answers of scripts from text, so that the tables of scripts hold nothing but what differs.
#pragma once

#include "proxy/demo/chunks.hpp"
#include "proxy/demo/script.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::demo {

/// What a model says, before it is cut into events.
struct reply {
    std::string text;
    std::size_t token_chars = 4; ///< characters in one event
    std::vector<call> calls;
    std::string reasoning;
    std::string finish; ///< empty: "tool_calls" if there are calls, else "stop"
};

/// The answer that streams `said` as chunks, one event a write: role, reasoning, text, calls,
/// finish, [DONE]; with its non-streamed form. `attempt` makes the id.
answer make_answer(std::string_view model, const reply& said, unsigned attempt = 1);

/// An answer without a stream: an error status with the usual object.
answer make_error(unsigned status, std::string_view type, std::string_view message);

} // namespace proxy::demo
