// Heads of the scripted model's responses.
#pragma once

#include "proxy/demo/script.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::demo {

/// What of a response head does not come from the answer.
struct head_facts {
    std::string_view content_type; ///< unless the answer has one
    demo::framing framing = framing::length;
    std::size_t body_bytes = 0; ///< for framing::length
    std::uint64_t number = 0;   ///< becomes x-request-id
    bool keep_alive = true;
    bool gzip = false;
};

/// The status line and header lines of `told`, the empty line included.
std::string response_head(const answer& told, const head_facts& facts);

/// The size line of one chunk.
std::string chunk_size_line(std::size_t bytes);

} // namespace proxy::demo
