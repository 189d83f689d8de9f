// unscaffold: reads the command line and runs one subcommand.
#include "proxy/app/command_line.hpp"
#include "proxy/app/filter.hpp"
#include "proxy/app/formats.hpp"
#include "proxy/app/serve.hpp"

#include <csignal>
#include <cstdio>
#include <exception>

namespace {

using namespace proxy;

int run(const app::command& options) {
    switch (options.subcommand) {
    case app::subcommand::serve:
        return app::run_serve(options);
    case app::subcommand::demo:
        return app::run_demo(options);
    case app::subcommand::filter:
        return app::run_filter(options);
    case app::subcommand::formats:
        return app::run_formats(options);
    }
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a reader that has gone is an error of the write
    try {
        int exit_code = 0;
        const auto options = app::read_command_line(argc, argv, exit_code);
        return options ? run(*options) : exit_code;
    } catch (const config::config_error& error) {
        std::fprintf(stderr, "unscaffold: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "unscaffold: %s\n", error.what());
        return 1;
    }
}
