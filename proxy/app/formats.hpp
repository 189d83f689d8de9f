// The `formats` subcommand: the catalog as a table, with the cases of files counted.
#pragma once

#include "proxy/app/command_line.hpp"

namespace proxy::app {

/// Returns the exit code: 0, 1 when output broke, 2 for a file of cases that can't be used.
int run_formats(const command& options);

} // namespace proxy::app
