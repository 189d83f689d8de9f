// From flags, environment and file to one checked, immutable settings value.
//
// Order: flag, environment, file, default. Every key outside of `upstreams` has the environment
// variable UNSCAFFOLD_ and its path in capitals with '_' for '.': UNSCAFFOLD_LISTEN,
// UNSCAFFOLD_LIMITS_BODY. UNSCAFFOLD_UPSTREAM holds base URLs with commas between. OPENAI_BASE_URL
// and OPENAI_API_KEY are read only if nothing else names an upstream: users of the drop-in export
// them for their clients. In the file `${NAME}` stands for an environment variable, `$${` for `${`.
#pragma once

#include "proxy/config/formats_file.hpp"
#include "proxy/config/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::config {

/// One flag of the command line. The key "upstream" may occur several times: a base URL each.
struct flag_value {
    std::string flag; ///< as written, for messages: "--listen"
    std::string key;  ///< path of the key: "listen"
    std::string value;
};

/// Looks up an environment variable; nothing when it is not set.
using environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The environment of this process.
std::optional<std::string> process_environment(const std::string& name);

/// Where settings come from.
struct sources {
    std::optional<std::string> file; ///< path
    std::vector<flag_value> flags;
    config::environment environment = process_environment;
};

/// Loads and checks everything. Throws config_error, whose text names the place (file:line: key,
/// the variable or the flag), the value and what is allowed. Opens nothing but the file.
settings load(const sources& from);

/// As load(), with the text of the file given; `from.file` is its name for messages.
settings load_text(std::string_view yaml, const sources& from);

/// The settings as a YAML file that loads to the same settings; secrets are ***.
std::string print_config(const settings& value);

/// What stands in place of a secret in print_config().
inline constexpr std::string_view masked_secret = "***";

} // namespace proxy::config
