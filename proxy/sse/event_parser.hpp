// Server-sent events by the rules of WHATWG HTML 9.2.6, bytes in and items out, at any split.
//
// The parser works in place: what push() is given is not copied unless an event is cut by the end
// of it. Every byte of the stream comes out in exactly one item, in order, but for a leading BOM
// and an unfinished block at the end, so that forwarding every item's raw bytes forwards the stream.
#pragma once

#include "proxy/base/limits.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::sse {

enum class item_kind {
    event,     ///< a block with at least one data line, up to and including its blank line
    comment,   ///< one comment line that stands before any field of its block, with its line end
    blank,     ///< a blank line that ends no block
    fields,    ///< a block without data: only event, id, retry or unknown fields
    line_feed, ///< the LF of a CRLF whose CR already completed the item before
};

struct item {
    item_kind kind = item_kind::event;
    std::string_view raw;  ///< all bytes of the item
    std::string_view data; ///< data lines joined by LF; followed by json_padding readable bytes
    std::string_view type; ///< value of the last `event` line, empty for none
    bool has_event_field = false;
    bool has_id = false;
    bool has_retry = false;
    bool single_data_line = false; ///< `data` is a view into `raw`
};

/// Usage: push() a read, then next() until it gives nothing, then push() the next read.
class event_parser {
public:
    explicit event_parser(std::size_t event_bytes_max = limits::event_bytes_max)
        : event_bytes_max_(event_bytes_max) {}

    /// Hands over the bytes of one read. They must stay unchanged, with limits::json_padding
    /// readable bytes behind them, until next() has given nothing.
    void push(std::string_view bytes);

    /// The next complete item; its views are valid until the next call of next() or push(). When
    /// it gives nothing, the unfinished rest has been copied and the pushed bytes are free again.
    std::optional<item> next();

    /// True once one event is longer than the bound; next() then gives nothing any more.
    bool too_large() const { return too_large_; }

    /// Bytes of an unfinished block that were kept. At the end of the stream: a cut event, if not 0.
    std::size_t pending() const { return carry_.size(); }

    /// The unfinished block itself (a final `data: [DONE]` without a blank line counts).
    std::string_view pending_bytes() const { return carry_; }

private:
    std::size_t event_bytes_max_;
    bool too_large_ = false;
    std::string_view input_; // what is left of the pushed bytes
    std::string carry_;      // an unfinished block
    // Further state is the implementation's: BOM, the CR that may be followed by an LF, field flags.
    bool at_start_ = true;
    bool after_cr_ = false;
    std::string joined_; // data of an event with several data lines
};

} // namespace proxy::sse
