// Small questions about text that several folders ask.
#pragma once

#include <string_view>

namespace proxy::base {

/// True if `text` holds nothing but ASCII white space.
inline bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

} // namespace proxy::base
