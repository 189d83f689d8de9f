// Drives an event_parser over a text cut into pushes and keeps copies of what came out. Throws
// std::logic_error when a view is not where it should be.
#pragma once

#include "proxy/sse/event_parser.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// An item with its own bytes.
struct kept_item {
    proxy::sse::item_kind kind;
    std::string raw, data, type;
    bool has_event_field, has_id, has_retry, single_data_line;

    bool operator==(const kept_item&) const = default;
};

struct reading {
    std::vector<kept_item> items;
    std::string pending;
    bool too_large = false;

    /// All raw bytes in order and the unfinished rest: the stream again.
    std::string all_bytes() const;

    bool operator==(const reading&) const = default;
};

/// Pushes `text` in pieces of `sizes` bytes (the last one repeated until the text is used up). Each
/// piece lies in memory of its own that ends behind its padding, and is overwritten afterwards.
reading read_in_pieces(std::string_view text, const std::vector<std::size_t>& sizes,
                       std::size_t event_bytes_max = proxy::limits::event_bytes_max);

/// The text in one push.
reading read_whole(std::string_view text,
                   std::size_t event_bytes_max = proxy::limits::event_bytes_max);

/// A short form for comparing: one line for each item, such as `event|data=a|type=b|id`.
std::string outline(const reading& r);

/// Readable: control bytes as escapes.
std::string shown(std::string_view bytes);

} // namespace tests
