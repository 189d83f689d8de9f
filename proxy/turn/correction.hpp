// The one changed second request: the client's body with a few splices and nothing else.
#pragma once

#include "proxy/chat/request_view.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::turn {

enum class correction_reason { markup, empty };

/// The line that is added to the last leading system or developer message.
std::string_view correction_line(correction_reason reason);

struct correction_options {
    correction_reason reason = correction_reason::markup;
    std::uint64_t max_tokens = 0;      ///< 0: leave alone; else lowers the client's, or inserts one
    std::string_view model;            ///< empty: the client's
    bool flatten_tool_history = false; ///< calls and tool messages become plain text
};

/// Builds the correction body from `body`, which `request` was read from. All bytes outside the
/// allowed edits are the client's. `request.correctable` must hold.
std::string build_correction(std::string_view body, const chat::request_view& request,
                             const correction_options& options);

} // namespace proxy::turn
