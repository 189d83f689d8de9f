#include "bench/options.hpp"

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string_view>

namespace bench {

const char* const load_usage =
    "usage: unscaffold-load URL [--streams N] [--seconds S] [--model NAME] [--tools]\n"
    "  URL            base URL, such as http://127.0.0.1:8484/v1\n"
    "  --streams N    concurrent streams (20)\n"
    "  --seconds S    measured time (5), behind --warm-up S (0.5)\n"
    "  --drain S      let running streams come to their end for so long (0)\n"
    "  --once         ask for every stream once only and end with the last\n"
    "  --model NAME   default: the first of GET URL/models\n"
    "  --tools        declare tools in the request\n"
    "  --key KEY      bearer token\n"
    "  --expect FILE  text that every stream is compared with (else with each other)\n"
    "  --save FILE    write the longest text seen\n"
    "  --pid PID      measure the CPU time of that process\n"
    "  --label WORDS  print one line: WORDS key=value …\n";

namespace {

double number(std::string_view name, const std::string& text, double low, double high) {
    char* end = nullptr;
    const auto value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0' || !(value >= low && value <= high)) {
        throw std::runtime_error(std::string(name) + " " + text + ": a number from " +
                                 std::to_string(low) + " to " + std::to_string(high));
    }
    return value;
}

} // namespace

load_options parse_options(int argc, char** argv) {
    auto options = load_options{};
    const auto texts = std::map<std::string_view, std::string*>{{"--model", &options.model},
                                                                {"--key", &options.key},
                                                                {"--expect", &options.expect_file},
                                                                {"--save", &options.save_file},
                                                                {"--label", &options.label}};
    const auto times = std::map<std::string_view, double*>{{"--seconds", &options.seconds},
                                                           {"--warm-up", &options.warm_up},
                                                           {"--drain", &options.drain}};
    for (auto i = 1; i < argc; ++i) {
        const auto name = std::string_view(argv[i]);
        if (name == "--tools" || name == "--once") {
            (name == "--tools" ? options.tools : options.once) = true;
            continue;
        }
        if (!name.starts_with("--") && options.url.empty()) {
            options.url = name;
            continue;
        }
        if (++i == argc) {
            throw std::runtime_error("no value behind " + std::string(name));
        }
        const auto value = std::string(argv[i]);
        if (const auto text = texts.find(name); text != texts.end()) {
            *text->second = value;
        } else if (const auto time = times.find(name); time != times.end()) {
            *time->second = number(name, value, 0, 86'400);
        } else if (name == "--streams") {
            options.streams = static_cast<std::size_t>(number(name, value, 1, 100'000));
        } else if (name == "--pid") {
            options.pid = static_cast<int>(number(name, value, 1, 1e9));
        } else {
            throw std::runtime_error("unknown option " + std::string(name));
        }
    }
    if (options.url.empty()) {
        throw std::runtime_error("no URL");
    }
    return options;
}

} // namespace bench
