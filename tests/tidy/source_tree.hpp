// The project's own files as text, for rules that a compiler does not know.
#pragma once

#include <string>
#include <vector>

namespace tests {

struct source_file {
    std::string path;   ///< from the repository root, "proxy/sse/event_parser.cpp"
    std::string folder; ///< second part of the path: "sse"
    std::vector<std::string> lines;

    bool is_header() const { return path.ends_with(".hpp"); }
};

/// Every .hpp and .cpp below `root` (a folder of the repository: "proxy", "tests", "bench").
std::vector<source_file> sources_below(const std::string& root);

/// What a line includes: the path between quotes or angle brackets; empty when it is no include.
std::string included(const std::string& line);

} // namespace tests
