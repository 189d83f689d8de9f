// What calls are made of: names, argument values of every type, and strings full of the characters
// and markers that a careless reader would take for an end.
#pragma once

#include "tests/generator/dice.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tests::generator {

struct value {
    enum class kind { null_value, boolean, number, text, list, map };

    kind is = kind::null_value;
    std::string text;              ///< a number's or boolean's spelling, or the string itself
    std::vector<std::string> keys; ///< of a map, one for each item
    std::vector<value> items;
};

struct call {
    std::string name;
    value arguments; ///< a map
};

/// Which strings a format can carry without an escape of its own.
struct text_rule {
    bool any = true;                   ///< the format escapes: everything goes
    std::vector<std::string_view> own; ///< parts of the format's own marks, which it can't carry
};

/// A tool's name. `plain` ones are identifiers of lower case letters, digits and low lines.
std::string random_name(dice& chance, bool plain);

std::string random_key(dice& chance);

std::string random_text(dice& chance, const text_rule& rule);

/// Zero to four arguments, nested up to three deep; at least `least` of them.
value random_arguments(dice& chance, const text_rule& rule, std::size_t least = 0);

/// How a value is spelled in JSON.
struct json_style {
    std::string comma = ", ";
    std::string colon = ": ";
    bool ascii = false;   ///< \u escapes for everything else
    bool slashes = false; ///< "\/", and \u003c for "<", as some encoders write
    bool pretty = false;
};

json_style random_json_style(dice& chance);

std::string json_quoted(std::string_view text, const json_style& style = {});
std::string to_json(const value& from, const json_style& style, std::size_t depth = 0);

/// A Python literal; `quote` is ' or ".
std::string python_quoted(std::string_view text, char quote);
std::string to_python(const value& from, char quote);

/// Text for a place between two tags: strings as they are, all else as JSON.
std::string to_raw(const value& from);

} // namespace tests::generator
