// Reads conf/formats.yaml, the one source of what dialects of markup look like.
#pragma once

#include "proxy/scaffold/catalog.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::config {

/// What is wrong in a configuration file: names file, line, key, value and what is allowed.
class config_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Parses the YAML text of a formats file. `file` is its name for messages. Throws config_error.
std::vector<scaffold::format> parse_formats(std::string_view yaml, const std::string& file);

/// conf/formats.yaml as it was at build time.
std::string_view embedded_formats();

/// The embedded catalog without the formats named in `disabled`. Throws config_error for a name
/// that is not in the catalog.
scaffold::catalog built_in_catalog(const std::vector<std::string>& disabled = {});

} // namespace proxy::config
