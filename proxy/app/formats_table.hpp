// The catalog of formats for people: what `unscaffold formats` and the README show.
#pragma once

#include "proxy/app/case_counts.hpp"
#include "proxy/scaffold/catalog.hpp"

#include <string>

namespace proxy::app {

/// Name, opener, class, families, risk and source of each format, columns aligned; with `counts`
/// also how many cases find it.
std::string formats_table(const scaffold::catalog& formats, const case_counts* counts = nullptr);

/// The same rows as a Markdown table.
std::string formats_markdown(const scaffold::catalog& formats, const case_counts* counts = nullptr);

} // namespace proxy::app
