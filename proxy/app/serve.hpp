// The `serve` and `demo` subcommands: settings, catalog, log, server, signals.
#pragma once

#include "proxy/app/command_line.hpp"

namespace proxy::app {

/// Serves until TERM or INT. Returns the exit code: 0, 1 when an address can't be had. Throws
/// config::config_error before anything is opened.
int run_serve(const command& options);

/// As run_serve(), in front of the scripted model.
int run_demo(const command& options);

} // namespace proxy::app
