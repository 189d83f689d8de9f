// Server-sent events by the rules of WHATWG HTML 9.2.6, bytes in and items out, at any split.
//
// The parser works in place: what push() is given is not copied unless an event is cut by the end
// of it. Every byte of the stream comes out in exactly one item, in order, but for a leading BOM
// and an unfinished block at the end, so that forwarding every item's raw bytes forwards the
// stream.
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

    /// Bytes of an unfinished block that were kept: meaningful once next() has given nothing. At
    /// the end of the stream: a cut event, if not 0.
    std::size_t pending() const { return pending_bytes().size(); }

    /// The unfinished block itself (a final `data: [DONE]` without a blank line counts).
    std::string_view pending_bytes() const {
        return carry_finished_ ? std::string_view{} : std::string_view{carry_};
    }

  private:
    /// A place inside the block, which may lie in input_ or in carry_.
    struct range {
        std::size_t offset = 0;
        std::size_t length = 0;
    };

    /// What the lines of the unfinished block have told so far.
    struct block_facts {
        std::size_t data_lines = 0;
        range data; // of the first data line
        range type;
        bool has_event_field = false;
        bool has_id = false;
        bool has_retry = false;
    };

    bool take_plain_event(std::optional<item>& out);
    void release_carry();
    bool pass_bom();
    std::size_t find_line_end();
    bool take_bytes(std::size_t end);
    std::string_view block() const;
    bool swallow_line_feed(std::optional<item>& out);
    void take_line(std::optional<item>& out);
    void take_field(std::string_view line);
    void take_data(range value);
    void finish_block(item_kind kind, std::optional<item>& out);
    void keep_rest();
    void fail();

    std::size_t event_bytes_max_;
    bool too_large_ = false;
    bool at_start_ = true;        // a BOM may still come
    bool after_cr_ = false;       // an LF that comes now belongs to that CR
    bool carry_finished_ = false; // the item in carry_ was handed out
    std::string_view input_;      // the pushed bytes
    std::size_t at_ = 0;          // next byte of input_
    std::size_t block_begin_ = 0; // in input_, when carry_ is empty
    std::size_t next_lf_ = 0;     // in input_, the first LF at or behind at_ once searched
    std::size_t next_cr_ = 0;     // likewise
    std::size_t line_begin_ = 0;  // of the unfinished line, in the block; 0: no line yet
    block_facts facts_;
    std::string carry_;  // the block's begin, when it came in an earlier push
    std::string joined_; // data of an event with several data lines
};

} // namespace proxy::sse
