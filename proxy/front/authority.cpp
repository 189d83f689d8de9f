#include "proxy/front/authority.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>

namespace proxy::front {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_name_char(char c) {
    static constexpr std::string_view marks = "-._~!$&'()*+,;=%";
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
}

bool is_port(std::string_view text) {
    unsigned port = 0;
    for (const char c : text) {
        port = port * 10 + static_cast<unsigned>(c - '0');
        if (!is_digit(c) || port > 65'535) {
            return false;
        }
    }
    return true;
}

bool is_name(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2]);
        if (!is_name_char(text[i]) || (text[i] == '%' && !escape)) {
            return false;
        }
    }
    return !text.empty();
}

bool is_bracketed(std::string_view inside) {
    return inside.find(':') != std::string_view::npos &&
           std::all_of(inside.begin(), inside.end(),
                       [](char c) { return is_hex(c) || c == ':' || c == '.'; });
}

} // namespace

bool is_authority(std::string_view text) {
    if (text.empty() || text.size() > limits::authority_bytes_max) {
        return false;
    }
    if (text.front() == '[') {
        const auto end = text.find(']');
        if (end == std::string_view::npos || !is_bracketed(text.substr(1, end - 1))) {
            return false;
        }
        const auto rest = text.substr(end + 1);
        return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
    }
    const auto colon = text.find(':');
    if (!is_name(text.substr(0, colon))) {
        return false;
    }
    return colon == std::string_view::npos || is_port(text.substr(colon + 1));
}

} // namespace proxy::front
