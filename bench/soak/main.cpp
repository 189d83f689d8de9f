// The soak, the chaos and the drain run: see run_usage and bench/README.md.
#include "bench/soak/run.hpp"
#include <csignal>
#include <exception>
#include <iostream>

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const auto options = bench::soak::parse_run_options(argc, argv);
        if (options.help) {
            std::cout << bench::soak::run_usage;
            return 0;
        }
        bench::raise_file_limit();
        return bench::soak::run(options, std::cout).go() ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "unscaffold-soak: " << error.what() << '\n' << bench::soak::run_usage;
        return 2;
    }
}
