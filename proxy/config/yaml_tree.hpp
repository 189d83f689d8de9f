// A YAML text as a plain tree with line numbers: the only place of the settings that knows
// yaml-cpp. Refuses what the library lets pass in silence: equal keys, several documents, aliases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proxy::config {

struct yaml_member;

struct yaml_node {
    enum class kinds { null, scalar, list, map };

    kinds kind = kinds::null;
    int line = 1;                     ///< of its first byte, from 1
    std::string text;                 ///< of a scalar, unquoted
    std::vector<yaml_node> items;     ///< of a list
    std::vector<yaml_member> members; ///< of a map, in the order of the file
};

struct yaml_member {
    std::string key;
    int line = 1; ///< of the key
    yaml_node value;
};

/// Reads `text`; an empty one gives a null node. `file` is its name for messages. Throws
/// config_error with file and line for broken YAML, equal keys, keys that are no scalars, aliases,
/// a second document, nesting deeper than 16.
yaml_node read_yaml(std::string_view text, const std::string& file);

} // namespace proxy::config
