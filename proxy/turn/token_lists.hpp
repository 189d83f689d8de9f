// logprobs and token_ids restate a choice's text token by token, and citations point into it: where
// text was taken out, they follow.
#pragma once

#include "proxy/json/scan.hpp"
#include "proxy/turn/text_cut.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace proxy::turn {

/// Replaces the bytes `old`, a view into the JSON in hand, by `text`.
using replacer = std::function<void(std::string_view old, std::string_view text)>;

/// One event's (or body's) text of one choice and what of it goes.
struct text_cut {
    std::string_view text;                             ///< decoded, as the upstream sent it
    const std::vector<byte_range>* stripped = nullptr; ///< of `text`, ascending and apart
    std::uint64_t shift = 0; ///< code points of the choice that were stripped in front of `text`
};

/// Takes the entries of stripped tokens out of the lists of `choice` and of its delta, and moves
/// the `text_offset` of legacy completions. False if there were lists whose tokens don't spell the
/// text, or of which one was cut in two: these are null then.
bool cut_token_lists(json::value_view choice, const text_cut& cut, const replacer& replace);

/// Moves start_index and end_index of the url citations in `message` (or delta).
void move_citations(json::value_view message, const cut_places& places, const replacer& replace);

/// The choice at `position` among the objects of the last `choices` of the chunk `data`: as
/// chat::chunk_view numbers them, for several may claim one index.
std::optional<json::value_view> find_choice(std::string_view data, std::size_t position);

} // namespace proxy::turn
