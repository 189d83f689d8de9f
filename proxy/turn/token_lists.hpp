// logprobs and token_ids restate the text: where text was taken out, they may not tell it.
#pragma once

#include "proxy/turn/event_edit.hpp"

#include <cstdint>
#include <string_view>

namespace proxy::turn {

/// Sets `logprobs` and `token_ids` of the choice with index `index` in the event's JSON to null.
/// `data` is the JSON that `editor` was begun with.
void clear_token_lists(event_editor& editor, std::string_view data, std::uint32_t index);

} // namespace proxy::turn
