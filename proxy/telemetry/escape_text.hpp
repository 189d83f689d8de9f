// Foreign text made fit for one line of a log: nothing that a terminal, a reader of lines or a
// reader of JSON could take for something else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace proxy::telemetry {

enum class quoting {
    text, ///< \n \r \t, \xNN for control and broken bytes, \uNNNN for characters that don't show
    json, ///< the inside of a JSON string; broken bytes become U+FFFD
};

/// Appends `text` with quotes, backslashes, control bytes, broken UTF-8 and characters that don't
/// show (bidi controls, zero width, line separators, C1) escaped.
void append_escaped(std::string& out, std::string_view text, quoting how);

/// Appends `text` escaped as for quoting::text, but with quotes and backslashes as they are: for a
/// message of ours that is not put in quotes.
void append_one_line(std::string& out, std::string_view text);

/// Appends `text` bare if it is a plain word, else escaped and in quotes.
void append_value(std::string& out, std::string_view text);

/// At most `bytes` of `text`, not ending within a character.
std::string_view first_bytes(std::string_view text, std::size_t bytes);

/// At most `chars` code points of `text`; a broken byte counts as one.
std::string_view first_chars(std::string_view text, std::size_t chars);

} // namespace proxy::telemetry
