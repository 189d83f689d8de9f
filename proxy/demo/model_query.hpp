// The model name of a request with its options: "bench?tokens=1000&per_write=16".
#pragma once

#include "proxy/demo/script.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::demo {

struct model_query {
    std::string name;                              ///< before the question mark
    std::optional<std::chrono::microseconds> pace; ///< pace_ms, pace_us: between writes
    std::size_t per_write = 1;                     ///< writes of the script joined into one
    std::size_t tokens = 1000;                     ///< of the synthetic model
    std::optional<demo::framing> framing;          ///< chunked, length, close
    bool gzip = false; ///< coding=gzip: compressed, asked for or not; never framing::length
    std::string error; ///< not empty: what is wrong with the options
};

/// Reads `model`. Unknown options and values out of range are errors, never ignored.
model_query read_model_query(std::string_view model);

} // namespace proxy::demo
