// Which tokens of a list belong to text that was taken out: the tokens must spell the text.
#pragma once

#include "proxy/json/scan.hpp"
#include "proxy/turn/token_lists.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace proxy::turn {

/// Which tokens stay, and where each begins in the text.
struct alignment {
    bool none = false; ///< all of the text goes, and every token with it
    std::vector<bool> stays;
    std::vector<std::size_t> begins;
};

/// Lays the tokens of a `logprobs` object (`content` of chat, `tokens` of completions) along the
/// text. Nothing if they spell another text or one of them was cut in two. O(tokens + cuts).
std::optional<alignment> align(json::value_view logprobs, const text_cut& cut);

/// The member `key` of an object, if it is of that kind.
std::optional<json::value_view> json_member(json::value_view object, std::string_view key,
                                            json::kind kind);

/// A non-negative integer.
std::optional<std::uint64_t> json_count(json::value_view value);

} // namespace proxy::turn
