// The `filter` subcommand: standard input to standard output through the core that the proxy runs.
#pragma once

#include "proxy/app/command_line.hpp"

namespace proxy::app {

/// Returns the exit code: 0, 1 when input or output broke, 2 for a bad --request file.
int run_filter(const command& options);

} // namespace proxy::app
