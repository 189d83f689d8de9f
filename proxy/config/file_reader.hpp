// Takes the keys of a configuration file over into settings.
#pragma once

#include "proxy/config/load.hpp"
#include "proxy/config/messages.hpp"

#include <string>
#include <string_view>

namespace proxy::config {

/// Reads `yaml` into `into`. Throws config_error for an unknown key (with the nearest known one), a
/// key of a later version, a value that its key does not take, an unset `${NAME}`.
void take_file(loaded& into, std::string_view yaml, const std::string& file,
               const environment& env);

/// `text` with each `${NAME}` replaced by that variable and `$${` by `${`; what comes in so is not
/// looked at again. Throws config_error, beginning with `where`, for a variable that is not set and
/// for a `${` without its `}`.
std::string expand(std::string_view text, const environment& env, const std::string& where);

} // namespace proxy::config
