// The only events of our own: comments and unnamed data events that end in LF.
#pragma once

#include <string>
#include <string_view>

namespace proxy::sse {

/// Appends `data: <json>` and a blank line. `json` must hold no line end.
void append_data_event(std::string& out, std::string_view json);

/// Appends `: <text>`; with `blank_line` (not once an upstream has sent an id) a blank line too.
void append_comment(std::string& out, std::string_view text, bool blank_line);

inline constexpr std::string_view done_event = "data: [DONE]\n\n";

} // namespace proxy::sse
