// Every key of the configuration as one row: its name, how a text sets it, how it is printed. The
// file, the environment, the flags, --print-config and the messages all go by these tables.
#pragma once

#include "proxy/config/settings.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::config {

template <class Target>
struct key {
    std::string name; ///< path with dots ("limits.body"); of an upstream: its member
    bool list = false;
    bool secret = false; ///< its value stands in no message and is printed as ***

    /// Takes a value (of a list: one more item). Returns what is wrong, beginning with what is
    /// allowed; empty when it was taken.
    std::function<std::string(Target&, std::string_view)> set;

    /// The values to print, one each line or item; null for a key that knows only one value.
    std::function<std::vector<std::string>(const Target&)> get;
};

/// Keys outside of `upstreams`, in the order of the file.
const std::vector<key<settings>>& settings_keys();

/// Keys of one element of `upstreams`.
const std::vector<key<upstream_settings>>& upstream_keys();

/// Keys and sections that belong to a later version, with what to do instead; refused.
struct later_key {
    std::string_view name;
    std::string_view hint;
};

const std::vector<later_key>& later_keys();

/// The one of `names` that `word` is most likely meant to be; empty when none is near. Compares
/// whole names and, for a name with dots, its last part.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

} // namespace proxy::config
