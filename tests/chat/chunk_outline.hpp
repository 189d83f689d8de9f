// A chunk_view as one line of text, and both of its ways of reading apart.
#pragma once

#include "proxy/chat/chunk_view.hpp"

#include <string>
#include <string_view>

namespace proxy::chat {

/// The two ways that chunk_view::parse() chooses from. `data` needs no padding here.
struct chunk_view_paths {
    enum class way { parse, fast, scan };

    /// What the given way reads, as an outline; "no" when it refuses.
    static std::string outline(way how, std::string_view data);

    static bool run(chunk_view& view, way how, std::string_view padded);
};

} // namespace proxy::chat

namespace tests {

/// Every field that is set: `id=… model=… … choices | index 0 text=… | index 1 …`.
std::string outline(const proxy::chat::chunk_view& view);

} // namespace tests
