// Reads Prometheus' text format back, strictly enough to notice what a scraper would refuse.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tests {

/// Every sample by its name and labels as written: `name{a="b",c="d"}`. Throws std::runtime_error
/// for a line that is neither a comment nor a sample, a sample of a family without # TYPE, a
/// sample that stands twice.
inline std::map<std::string, double> read_metrics(std::string_view text) {
    std::map<std::string, double> samples;
    std::string family = "none";
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string line(text.substr(0, end));
        if (end == std::string_view::npos) {
            throw std::runtime_error("a last line without its end: " + line);
        }
        text.remove_prefix(end + 1);
        if (line.starts_with("# TYPE ")) {
            family = line.substr(7, line.find(' ', 7) - 7);
            continue;
        }
        const auto space = line.rfind(' ');
        if (line.starts_with("# HELP ")) {
            continue;
        }
        if (space == std::string::npos || !line.starts_with(family)) {
            throw std::runtime_error("not a sample of " + family + ": " + line);
        }
        if (!samples.emplace(line.substr(0, space), std::stod(line.substr(space + 1))).second) {
            throw std::runtime_error("twice: " + line);
        }
    }
    return samples;
}

/// The value of one sample; 0 where there is none, as for a scraper.
inline double sample(const std::map<std::string, double>& samples, const std::string& name) {
    const auto found = samples.find(name);
    return found == samples.end() ? 0 : found->second;
}

} // namespace tests
