// The characters that folded markers take as one: bars and low lines (conf/formats.yaml, `fold`).
#pragma once

#include <cstddef>
#include <string_view>

namespace proxy::scaffold {

inline constexpr std::string_view wide_bar = "\xEF\xBD\x9C";   // U+FF5C
inline constexpr std::string_view double_bar = "\xE2\x80\x96"; // U+2016
inline constexpr std::string_view low_block = "\xE2\x96\x81";  // U+2581

/// Length in bytes of the bar at the begin of `text`, 0 if there is none.
inline std::size_t bar_length(std::string_view text) {
    if (text.starts_with('|')) {
        return 1;
    }
    return text.starts_with(wide_bar) || text.starts_with(double_bar) ? wide_bar.size() : 0;
}

} // namespace proxy::scaffold
