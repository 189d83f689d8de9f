// The command line of unscaffold-soak.
#pragma once

#include "bench/soak/plan.hpp"
#include <cstddef>
#include <cstdint>
#include <string>

namespace bench::soak {

struct run_options {
    load_kind kind = load_kind::soak;
    std::string binary; ///< of the proxy
    double seconds = 30;
    std::size_t cycles = 100; ///< of a drain run
    std::size_t streams = 64; ///< clients at a time
    unsigned threads = 2;     ///< of the proxy
    std::uint64_t seed = 1;
    bool help = false; ///< the usage is wanted, and nothing else
};

/// Throws std::runtime_error with what is wrong.
run_options parse_run_options(int argc, char** argv);

extern const char* const run_usage;

} // namespace bench::soak
