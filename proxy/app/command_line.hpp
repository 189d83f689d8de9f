// What the command line asked for. The only place that knows CLI11.
#pragma once

#include "proxy/config/load.hpp"

#include <optional>
#include <string>
#include <vector>

namespace proxy::app {

enum class subcommand { serve, demo, filter, formats };

struct command {
    app::subcommand subcommand = app::subcommand::serve;

    // serve and demo
    config::sources sources; ///< file and flags; the environment is this process's
    bool test = false;
    bool print_config = false;
    std::string model_listen = "127.0.0.1:8486"; ///< demo

    // filter
    std::string as = "auto";
    std::string request_file;
    std::vector<std::string> tools;

    // formats
    bool markdown = false;
    std::vector<std::string> case_files; ///< with `tools`
};

/// Reads the arguments. Nothing when they were answered already: help and version on standard
/// output (`exit_code` 0), or a message on standard error (`exit_code` 2).
std::optional<command> read_command_line(int argc, const char* const* argv, int& exit_code);

} // namespace proxy::app
