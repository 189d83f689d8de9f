#include "tests/sse/reading.hpp"

#include "proxy/json/escape.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace tests {

namespace {

using proxy::sse::event_parser;
using proxy::sse::item;
using proxy::sse::item_kind;

/// Reads the padding behind `data`, so that a sanitizer sees a short buffer.
void touch_padding(std::string_view data) {
    volatile char sink = 0;
    for (std::size_t i = 0; data.data() != nullptr && i < proxy::limits::json_padding; ++i) {
        sink = data.data()[data.size() + i];
    }
    static_cast<void>(sink);
}

kept_item keep(const item& it) {
    if (it.kind == item_kind::event) {
        touch_padding(it.data);
    }
    const bool in_raw = it.data.data() >= it.raw.data() &&
                        it.data.data() + it.data.size() <= it.raw.data() + it.raw.size();
    if (it.single_data_line && !in_raw) {
        throw std::logic_error("data of a single line does not lie in raw");
    }
    return {it.kind,
            std::string(it.raw),
            std::string(it.data),
            std::string(it.type),
            it.has_event_field,
            it.has_id,
            it.has_retry,
            it.single_data_line};
}

const char* name_of(item_kind kind) {
    switch (kind) {
    case item_kind::event:
        return "event";
    case item_kind::comment:
        return "comment";
    case item_kind::blank:
        return "blank";
    case item_kind::fields:
        return "fields";
    case item_kind::line_feed:
        return "line_feed";
    }
    return "?";
}

} // namespace

std::string reading::all_bytes() const {
    std::string all;
    for (const kept_item& it : items) {
        all += it.raw;
    }
    return all + pending;
}

reading read_in_pieces(std::string_view text, const std::vector<std::size_t>& sizes,
                       std::size_t event_bytes_max) {
    event_parser parser(event_bytes_max);
    reading out;
    std::size_t at = 0;
    std::size_t piece = 0;
    do {
        const std::size_t size =
            std::min(sizes[std::min(piece++, sizes.size() - 1)], text.size() - at);
        const auto memory = std::make_unique<char[]>(size + proxy::limits::json_padding);
        std::memcpy(memory.get(), text.data() + at, size);
        parser.push({memory.get(), size});
        while (const auto it = parser.next()) {
            out.items.push_back(keep(*it));
        }
        std::memset(memory.get(), '#', size); // nothing may look at it any more
        at += size;
    } while (at < text.size());
    out.pending = std::string(parser.pending_bytes());
    out.too_large = parser.too_large();
    if (parser.pending() != out.pending.size()) {
        throw std::logic_error("pending() is not the size of pending_bytes()");
    }
    return out;
}

reading read_whole(std::string_view text, std::size_t event_bytes_max) {
    return read_in_pieces(text, {std::max<std::size_t>(text.size(), 1)}, event_bytes_max);
}

std::string outline(const reading& r) {
    std::string out;
    for (const kept_item& it : r.items) {
        out += name_of(it.kind);
        if (it.kind == item_kind::event) {
            out += "|data=" + it.data;
        }
        out += it.type.empty() ? "" : "|type=" + it.type;
        out += it.has_event_field ? "|event" : "";
        out += it.has_id ? "|id" : "";
        out += it.has_retry ? "|retry" : "";
        out += '\n';
    }
    return out;
}

std::string shown(std::string_view bytes) {
    std::string out;
    proxy::json::append_escaped(out, bytes);
    return out;
}

} // namespace tests
