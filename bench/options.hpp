// Command line of the load client.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

struct load_options {
    std::string url;
    std::string model;       ///< empty: the first that GET <url>/models names
    std::string key;         ///< bearer token; empty: none
    std::string label;       ///< not empty: one line `label key=value …` in place of the table
    std::string expect_file; ///< text that every stream must begin with
    std::string save_file;   ///< gets the longest text seen
    std::size_t streams = 20;
    double seconds = 5;
    double warm_up = 0.5;
    double drain = 0; ///< seconds that running streams may still take behind the measurement
    int pid = 0;      ///< its CPU time is measured too; 0: none
    bool tools = false;
    bool once = false; ///< every stream once; ends with the last of them
};

/// Throws std::runtime_error with what is wrong.
load_options parse_options(int argc, char** argv);

extern const char* const load_usage;

} // namespace bench
