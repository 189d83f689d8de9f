// A configuration from literals: YAML text, environment and flags, without files.
#pragma once

#include "proxy/config/load.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxy::config {

using variables = std::map<std::string, std::string>;

inline sources make_sources(variables env = {}, std::vector<flag_value> flags = {}) {
    sources from;
    from.file = "c.yaml";
    from.flags = std::move(flags);
    from.environment = [env = std::move(env)](const std::string& name) {
        const auto found = env.find(name);
        return found == env.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
    return from;
}

inline settings load_from(std::string_view yaml, variables env = {},
                          std::vector<flag_value> flags = {}) {
    return load_text(yaml, make_sources(std::move(env), std::move(flags)));
}

/// The message of the refusal; empty when the configuration was taken.
inline std::string refusal(std::string_view yaml, variables env = {},
                           std::vector<flag_value> flags = {}) {
    try {
        load_from(yaml, std::move(env), std::move(flags));
    } catch (const config_error& error) {
        return error.what();
    }
    return {};
}

inline constexpr std::string_view one_upstream =
    "upstreams: [{base_url: http://127.0.0.1:8000/v1}]\n";

} // namespace proxy::config
