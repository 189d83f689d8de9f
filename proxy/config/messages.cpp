#include "proxy/config/messages.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/config/formats_file.hpp"

namespace proxy::config {

std::string quoted(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text.substr(0, limits::config_shown_bytes_max)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            result += "\\x";
            result += digits[byte >> 4];
            result += digits[byte & 15];
        } else {
            result += c;
        }
    }
    return result + (text.size() > limits::config_shown_bytes_max ? "…\"" : "\"");
}

void throw_bad_value(const std::string& where, std::string_view value, bool secret,
                     const std::string& problem) {
    // A URL with user:password@ is refused, but its password must not be what the message shows.
    const bool hidden = secret || (value.find("://") != std::string_view::npos &&
                                   value.find('@') != std::string_view::npos);
    throw config_error(where + ": value " + (hidden ? "***" : quoted(value)) + ": " + problem);
}

void take_value(loaded& into, const key<settings>& k, std::string_view value,
                const std::string& where) {
    const std::string problem = k.set(into.value, value);
    if (!problem.empty()) {
        throw_bad_value(where, value, k.secret, problem);
    }
    into.places[k.name] = where;
}

} // namespace proxy::config
