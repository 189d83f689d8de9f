// The catalog of formats for people: what `unscaffold formats` and the README show.
#pragma once

#include "proxy/scaffold/catalog.hpp"

#include <string>

namespace proxy::app {

/// Name, opener, class, families, risk and source of each format, columns aligned.
std::string formats_table(const scaffold::catalog& formats);

/// The same rows as a Markdown table.
std::string formats_markdown(const scaffold::catalog& formats);

} // namespace proxy::app
