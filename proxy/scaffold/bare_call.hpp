// JSON without an opener that is a call and no answer (D7).
#pragma once

#include "proxy/scaffold/format.hpp"

#include <string_view>

namespace proxy::scaffold {

/// True if `text` holds nothing but calls of declared tools: objects with the keys of a call only
/// and with arguments that are an object but no JSON Schema, lists of such, or `tool_calls`.
bool is_bare_call(std::string_view text, const context& ctx);

} // namespace proxy::scaffold
