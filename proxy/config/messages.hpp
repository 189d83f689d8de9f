// The state of a loading and the one form of its messages: place: value "x": what is allowed.
#pragma once

#include "proxy/config/keys.hpp"
#include "proxy/config/settings.hpp"

#include <map>
#include <string>
#include <string_view>

namespace proxy::config {

/// Settings in the making, and for each key that was set the place that set it last.
struct loaded {
    settings value;
    std::map<std::string, std::string> places; ///< key path to "f.yaml:3: listen"
};

/// `text` in quotes for a message: control characters escaped, at most 80 bytes.
std::string quoted(std::string_view text);

/// Throws config_error for a value at `where`; a secret's value is not shown.
[[noreturn]] void throw_bad_value(const std::string& where, std::string_view value, bool secret,
                                  const std::string& problem);

/// Sets `k` to `value`, or throws config_error.
void take_value(loaded& into, const key<settings>& k, std::string_view value,
                const std::string& where);

} // namespace proxy::config
