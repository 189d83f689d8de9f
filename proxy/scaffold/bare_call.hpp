// Calls without an opener: JSON that is a call and no answer (D7), the name of a declared tool.
#pragma once

#include "proxy/scaffold/format.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace proxy::scaffold {

/// True if `text` holds nothing but calls of declared tools: objects with the keys of a call only
/// and with arguments that are an object but no JSON Schema, lists of such, or `tool_calls`.
bool is_bare_call(std::string_view text, const context& ctx);

/// The name of a declared tool at the begin of a text; `more`: the next bytes must tell.
struct name_match {
    enum class answer : std::uint8_t { no, more, yes };

    answer found = answer::no;
    std::size_t length = 0;
};

/// Does `text` begin with a declared name and then one of `ends`? With `last` nothing follows.
name_match match_name(const context& ctx, std::string_view text, std::string_view ends, bool last);

/// What may stand behind the name of a call that has no opener: its arguments, also on the next
/// line, the number of an id, or a token that was not skipped.
inline constexpr std::string_view behind_bare_name = "{:<[\n";

} // namespace proxy::scaffold
