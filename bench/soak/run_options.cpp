#include "bench/soak/run_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

namespace bench::soak {

const char* const run_usage =
    "usage: unscaffold-soak soak|chaos|drain --proxy FILE [--seconds S] [--cycles N]\n"
    "                       [--streams N] [--threads N] [--seed N]\n"
    "  soak           ordinary streams and a few faults\n"
    "  chaos          every second exchange is a fault; kills and restarts\n"
    "  drain          ordinary streams, and the proxy is drained and started again and again\n"
    "  --proxy FILE   the unscaffold to start\n"
    "  --seconds S    how long soak and chaos run (UNSCAFFOLD_SOAK_SECONDS, else 30)\n"
    "  --cycles N     how many drains (100)\n"
    "  --streams N    clients at a time (64)\n"
    "  --threads N    of the proxy (2)\n"
    "  --seed N       another order of the same plans (1)\n"
    "  -h, --help     this text\n"
    "The exit code is 1 when something is broken, and 2 when a run can't be made.\n";

namespace {

// Takes one option with a number; false when there is none of that name.
bool take_number(run_options& options, std::string_view name, double number) {
    if (name == "--seconds") {
        options.seconds = number;
    } else if (name == "--cycles") {
        options.cycles = static_cast<std::size_t>(number);
    } else if (name == "--streams") {
        options.streams = static_cast<std::size_t>(number);
    } else if (name == "--threads") {
        options.threads = static_cast<unsigned>(number);
    } else if (name == "--seed") {
        options.seed = static_cast<std::uint64_t>(number);
    } else {
        return false;
    }
    return true;
}

load_kind kind_of(std::string_view word) {
    static const std::map<std::string_view, load_kind> kinds = {
        {"soak", load_kind::soak}, {"chaos", load_kind::chaos}, {"drain", load_kind::drain}};
    const auto found = kinds.find(word);
    if (found == kinds.end()) {
        throw std::runtime_error("soak, chaos or drain is wanted, not '" + std::string(word) + "'");
    }
    return found->second;
}

bool asks_for_help(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc,
                       [](std::string_view word) { return word == "--help" || word == "-h"; });
}

} // namespace

run_options parse_run_options(int argc, char** argv) {
    auto options = run_options{};
    if (const auto* seconds = std::getenv("UNSCAFFOLD_SOAK_SECONDS")) {
        options.seconds = std::max(1.0, std::strtod(seconds, nullptr));
    }
    options.help = argc > 0 && asks_for_help(argc, argv);
    if (options.help) {
        return options;
    }
    options.kind = kind_of(argc > 1 ? argv[1] : "");
    for (auto i = 2; i < argc; i += 2) {
        const auto name = std::string_view(argv[i]);
        const auto value = std::string(i + 1 < argc ? argv[i + 1] : "");
        const auto number = std::strtod(value.c_str(), nullptr);
        if (name == "--proxy" && !value.empty()) {
            options.binary = value;
        } else if (!(number >= 1 && number <= 1e6)) {
            throw std::runtime_error(std::string(name) + " '" + value +
                                     "': a number from 1 to 1000000");
        } else if (!take_number(options, name, number)) {
            throw std::runtime_error("unknown option " + std::string(name));
        }
    }
    if (options.binary.empty()) {
        throw std::runtime_error("no --proxy");
    }
    return options;
}

} // namespace bench::soak
