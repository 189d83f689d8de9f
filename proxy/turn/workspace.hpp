// Scratch of one thread, shared by all its turns: parsers and buffers that would cost memory in
// every idle stream and an allocation in every event. Nothing here lives from one call to the next.
#pragma once

#include "proxy/chat/chunk_view.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/scaffold/choice_filter.hpp"
#include "proxy/turn/event_edit.hpp"
#include "proxy/turn/text_cut.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace proxy::turn {

struct workspace {
    chat::chunk_view chunk;         ///< the event in hand
    chat::chunk_view held_chunk;    ///< a held event that is being decided
    json::decoded_string text;      ///< text of the event in hand
    json::decoded_string held_text; ///< text of a held piece
    scaffold::decisions decided;
    event_editor editor;              ///< edits to the event in hand
    event_editor held_editor;         ///< edits to a held event
    std::string prefix;               ///< kept tails on their way to the next text of the choice
    std::string new_text;             ///< raw text that replaces the text of the event in hand
    std::vector<byte_range> stripped; ///< what goes of the text of the event in hand
    std::uint64_t shift = 0;          ///< code points stripped in front of that text
    std::uint64_t lists_nulled = 0;   ///< token lists of held events that could not follow
    std::string before;               ///< whole events that go in front of the event in hand
};

} // namespace proxy::turn
