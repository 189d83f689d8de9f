// How many example texts the filter takes for each format: what `unscaffold formats --cases` shows.
#pragma once

#include "proxy/scaffold/catalog.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::app {

/// Name of a format to the number of texts in which a span of it was stripped.
using case_counts = std::map<std::string, std::size_t, std::less<>>;

/// Reads one JSON object a line (`raw`: the text; `tools`: true if `tool_names` are declared in its
/// request), filters each text and adds what was found to `counts`. Throws std::runtime_error, with
/// the number of the line, for a line that is not such an object.
void count_cases(std::string_view lines, const scaffold::catalog& formats,
                 const std::vector<std::string>& tool_names, case_counts& counts);

} // namespace proxy::app
