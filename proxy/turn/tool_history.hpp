// Tool calls and results in a message history as plain text, for upstreams that refuse tool
// messages in a request without tools (https://github.com/can1357/oh-my-pi/issues/1227).
#pragma once

#include "proxy/turn/body_editor.hpp"

#include <string_view>

namespace proxy::turn {

/// Edits the raw array `messages`: assistant messages lose their calls and, where they have no
/// text, say in words which tools were used; tool and function messages become user messages that
/// begin with what they are. Other messages keep their bytes.
void flatten_tool_history(body_editor& edit, std::string_view messages);

} // namespace proxy::turn
