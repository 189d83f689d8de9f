#include "proxy/front/authority.hpp"

#include <algorithm>

namespace proxy::front {

namespace {

constexpr std::size_t authority_bytes_max = 260;

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
    return text.size() <= 5 && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_bracketed(std::string_view inside) {
    return inside.find(':') != std::string_view::npos &&
           std::all_of(inside.begin(), inside.end(),
                       [](char c) { return is_hex(c) || c == ':' || c == '.'; });
}

} // namespace

bool is_authority(std::string_view text) {
    if (text.empty() || text.size() > authority_bytes_max) {
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
    const auto name = text.substr(0, colon);
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_char)) {
        return false;
    }
    return colon == std::string_view::npos || is_port(text.substr(colon + 1));
}

} // namespace proxy::front
