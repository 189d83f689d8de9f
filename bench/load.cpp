// unscaffold-load: drives N streams against an OpenAI-compatible base URL and prints what came.
#include "bench/load_client.hpp"
#include "bench/options.hpp"
#include "bench/process_time.hpp"
#include "bench/socket.hpp"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

namespace {

using table = std::vector<std::pair<std::string, std::string>>;

std::string decimal(double value, int digits) {
    auto text = std::string(32, '\0');
    const auto length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::string micros(const histogram& times, double share) {
    return times.count() == 0 ? "-" : decimal(static_cast<double>(times.quantile(share)) / 1e3, 0);
}

double per(double value, std::uint64_t count) {
    return count == 0 ? 0 : value / static_cast<double>(count);
}

std::string read_file(const std::string& name) {
    auto file = std::ifstream(name, std::ios::binary);
    if (!file) {
        throw std::runtime_error("can't read " + name);
    }
    auto text = std::ostringstream{};
    text << file.rdbuf();
    return std::move(text).str();
}

/// What is measured between the two ends of the window.
struct measurement {
    load_figures figures;
    double seconds = 0;
    process_time spent;
};

process_time difference(const process_time& from, const process_time& to) {
    return {to.total_us - from.total_us, to.user_us - from.user_us, to.system_us - from.system_us};
}

table figures_of(const load_options& options, const measurement& result) {
    const auto& seen = result.figures;
    const auto& spent = result.spent;
    auto rows = table{
        {"streams", std::to_string(options.streams)},
        {"seconds", decimal(result.seconds, 2)},
        {"events", std::to_string(seen.events)},
        {"events_per_s", decimal(static_cast<double>(seen.events) / result.seconds, 0)},
        {"bytes", std::to_string(seen.bytes)},
        {"frames_per_read", decimal(per(static_cast<double>(seen.events), seen.reads), 2)},
        {"delay_us_p50", micros(seen.delay_ns, 0.5)},
        {"delay_us_p99", micros(seen.delay_ns, 0.99)},
    };
    if (options.pid != 0) {
        // The ticks tell how the exact total divides.
        const auto ticks = std::max(spent.user_us + spent.system_us, 1.0);
        const auto frame_us = per(spent.total_us, seen.events);
        rows.emplace_back("cpu_us_per_frame", decimal(frame_us, 3));
        rows.emplace_back("user_us_per_frame", decimal(frame_us * spent.user_us / ticks, 3));
        rows.emplace_back("system_us_per_frame", decimal(frame_us * spent.system_us / ticks, 3));
        rows.emplace_back("core_share", decimal(spent.total_us / result.seconds / 1e6, 2));
    }
    return rows;
}

void append_verdict(table& rows, const load_figures& all) {
    rows.emplace_back("first_token_us_p50", micros(all.first_text_ns, 0.5));
    rows.emplace_back("first_token_us_p99", micros(all.first_text_ns, 0.99));
    rows.emplace_back("streams_speaking", std::to_string(all.first_text_ns.count()));
    rows.emplace_back("streams_begun", std::to_string(all.streams_begun));
    rows.emplace_back("streams_complete", std::to_string(all.streams_complete));
    rows.emplace_back("text_mismatches", std::to_string(all.mismatches));
    rows.emplace_back("error_events", std::to_string(all.error_events));
    rows.emplace_back("cut_short", std::to_string(all.cut_short));
    rows.emplace_back("failed", std::to_string(all.failed));
}

void print(const load_options& options, const table& rows, const load_figures& all) {
    if (options.label.empty()) {
        for (const auto& [name, value] : rows) {
            std::printf("%-22s %s\n", name.c_str(), value.c_str());
        }
    } else {
        std::printf("%s", options.label.c_str());
        for (const auto& [name, value] : rows) {
            std::printf(" %s=%s", name.c_str(), value.c_str());
        }
        std::printf("\n");
    }
    if (!all.first_error.empty()) {
        std::fprintf(stderr, "first error: %s\n", all.first_error.c_str());
    }
}

/// Adds what counts over the whole run and not only in the window: correctness, first tokens.
void add_counts(load_figures& to, const load_figures& from) {
    to.streams_begun += from.streams_begun;
    to.streams_complete += from.streams_complete;
    to.mismatches += from.mismatches;
    to.error_events += from.error_events;
    to.cut_short += from.cut_short;
    to.failed += from.failed;
    to.events += from.events;
    to.first_text_ns.add(from.first_text_ns);
    if (to.first_error.empty()) {
        to.first_error = from.first_error;
    }
}

/// Runs warm-up, window and drain. True when everything that came was right.
bool run(const load_options& options) {
    const auto model = options.model.empty() ? first_model(options) : options.model;
    auto client = load_client(options, model);
    if (!options.expect_file.empty()) {
        client.expected().fix(read_file(options.expect_file));
    }
    auto all = load_figures{};
    client.start();
    if (options.once) {
        client.stop_repeating();
    }
    client.run(options.warm_up);
    add_counts(all, client.figures());

    auto result = measurement{};
    client.figures() = load_figures{};
    const auto before = options.pid != 0 ? read_process_time(options.pid) : process_time{};
    const auto began = now_ns();
    client.run(options.seconds);
    result.seconds = static_cast<double>(now_ns() - began) / 1e9;
    if (options.pid != 0) {
        result.spent = difference(before, read_process_time(options.pid));
    }
    result.figures = client.figures();
    add_counts(all, result.figures);

    client.figures() = load_figures{};
    client.stop_repeating();
    client.run(options.drain);
    add_counts(all, client.figures());

    if (!options.save_file.empty()) {
        std::ofstream(options.save_file, std::ios::binary) << client.expected().text();
    }
    auto rows = figures_of(options, result);
    append_verdict(rows, all);
    print(options, rows, all);
    return all.errors() == 0 && all.events > 0;
}

} // namespace

} // namespace bench

int main(int argc, char** argv) {
    try {
        std::signal(SIGPIPE, SIG_IGN);
        const auto options = bench::parse_options(argc, argv);
        bench::raise_file_limit();
        return bench::run(options) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "unscaffold-load: %s\n%s", error.what(), bench::load_usage);
        return 2;
    }
}
