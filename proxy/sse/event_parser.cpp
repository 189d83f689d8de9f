#include "proxy/sse/event_parser.hpp"

#include "proxy/base/ensure.hpp"

#include <algorithm>

namespace proxy::sse {

namespace {

constexpr std::string_view bom = "\xEF\xBB\xBF";

/// Memory that a stream keeps between two events: it may have none for long, so only a little.
constexpr std::size_t kept_capacity_max = 4096;

void clear_and_trim(std::string& text) {
    text.clear();
    if (text.capacity() > kept_capacity_max) {
        text.shrink_to_fit();
    }
}

void append_padded(std::string& text, std::string_view more) {
    const std::size_t needed = text.size() + more.size() + limits::json_padding;
    if (needed > text.capacity()) {
        text.reserve(needed); // at least doubles, so appending stays linear
    }
    text.append(more);
}

std::size_t find_byte(std::string_view text, char byte, std::size_t from) {
    return std::min(text.find(byte, from), text.size());
}

} // namespace

void event_parser::push(std::string_view bytes) {
    PROXY_ENSURE(at_ == input_.size());
    if (too_large_) {
        return;
    }
    input_ = bytes;
    at_ = 0;
    block_begin_ = 0;
    next_lf_ = find_byte(input_, '\n', 0);
    next_cr_ = find_byte(input_, '\r', 0);
}

std::optional<item> event_parser::next() {
    std::optional<item> out; // the only thing returned, so that it is made in its place
    if (carry_finished_ || !joined_.empty()) {
        release_carry();
    }
    if (too_large_ || (at_start_ && !pass_bom()) || take_plain_event(out)) {
        return out;
    }
    while (!out && at_ < input_.size()) {
        if (after_cr_ && swallow_line_feed(out)) {
            continue;
        }
        const std::size_t end = find_line_end();
        if (end == input_.size()) {
            break;
        }
        after_cr_ = input_[end] == '\r';
        if (take_bytes(end + 1)) {
            take_line(out);
        }
    }
    if (!out) {
        keep_rest();
    }
    return out;
}

/// The event of nearly every stream, `data: {...}` and a blank line, both ended by LF and whole in
/// this push: the same result as line by line, in half the time.
bool event_parser::take_plain_event(std::optional<item>& out) {
    constexpr std::string_view name = "data: ";
    const std::string_view rest = input_.substr(at_);
    const bool begun = !carry_.empty() || line_begin_ != 0 || after_cr_;
    if (begun || !rest.starts_with(name)) {
        return false;
    }
    const std::size_t end = find_line_end() - at_;
    if (rest.size() - end < 2 || rest[end] != '\n' || rest[end + 1] != '\n' ||
        end + 2 > event_bytes_max_) {
        return false;
    }
    out.emplace();
    out->raw = rest.substr(0, end + 2);
    out->data = rest.substr(name.size(), end - name.size());
    out->single_data_line = true;
    at_ += end + 2;
    block_begin_ = at_;
    return true;
}

/// Drops the item that lay in carry_, or was joined, once its views are no longer promised.
void event_parser::release_carry() {
    if (carry_finished_) {
        carry_finished_ = false;
        clear_and_trim(carry_);
    }
    if (facts_.data_lines == 0) {
        clear_and_trim(joined_);
    }
}

/// Looks for a BOM at the very start; its bytes gather in carry_ until it is whole or refuted.
/// False: not known yet.
bool event_parser::pass_bom() {
    while (at_ < input_.size() && carry_.size() < bom.size() && input_[at_] == bom[carry_.size()]) {
        carry_ += input_[at_++];
    }
    block_begin_ = at_;
    if (carry_.size() == bom.size()) {
        carry_.clear();
    } else if (at_ == input_.size()) {
        return false;
    }
    at_start_ = false;
    return true;
}

/// The next CR or LF at or behind at_, or the input's size. Every byte is searched once for each.
std::size_t event_parser::find_line_end() {
    if (next_lf_ < at_) {
        next_lf_ = find_byte(input_, '\n', at_);
    }
    if (next_cr_ < at_) {
        next_cr_ = find_byte(input_, '\r', at_);
    }
    return std::min(next_lf_, next_cr_);
}

/// Adds the input up to `end` to the block. False when it has become too large.
bool event_parser::take_bytes(std::size_t end) {
    const std::size_t begun = carry_.empty() ? at_ - block_begin_ : carry_.size();
    if (end - at_ > event_bytes_max_ || begun > event_bytes_max_ - (end - at_)) {
        fail();
        return false;
    }
    if (!carry_.empty()) {
        append_padded(carry_, input_.substr(at_, end - at_));
    }
    at_ = end;
    return true;
}

std::string_view event_parser::block() const {
    return carry_.empty() ? input_.substr(block_begin_, at_ - block_begin_)
                          : std::string_view(carry_);
}

/// Behind a CR: takes an LF as part of the same line end. Between items it is an item of its own,
/// whether it came in the same push or not. False when there is none.
bool event_parser::swallow_line_feed(std::optional<item>& out) {
    after_cr_ = false;
    if (input_[at_] != '\n') {
        return false;
    }
    const bool between_items = line_begin_ == 0;
    if (take_bytes(at_ + 1)) {
        if (between_items) {
            finish_block(item_kind::line_feed, out);
        } else {
            line_begin_ = block().size();
        }
    }
    return true;
}

/// The block's last line is complete.
void event_parser::take_line(std::optional<item>& out) {
    const bool first = line_begin_ == 0;
    const std::string_view bytes = block();
    const std::string_view line = bytes.substr(line_begin_, bytes.size() - 1 - line_begin_);
    if (line.empty() && first) {
        finish_block(item_kind::blank, out);
    } else if (line.empty()) {
        finish_block(facts_.data_lines > 0 ? item_kind::event : item_kind::fields, out);
    } else if (line.front() == ':' && first) {
        finish_block(item_kind::comment, out);
    } else {
        if (line.front() != ':') {
            take_field(line);
        }
        line_begin_ = bytes.size();
    }
}

/// One line of the form `name`, `name:value` or `name: value`.
void event_parser::take_field(std::string_view line) {
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    range value{line_begin_ + line.size(), 0};
    if (colon < line.size()) {
        const std::size_t skip = colon + 1 < line.size() && line[colon + 1] == ' ' ? 2 : 1;
        value = {line_begin_ + colon + skip, line.size() - colon - skip};
    }
    if (name == "data") {
        take_data(value);
    } else if (name == "event") {
        facts_.has_event_field = true;
        facts_.type = value;
    } else if (name == "id") {
        // An id with a NUL is ignored (WHATWG HTML 9.2.6).
        facts_.has_id |= line.find('\0') == std::string_view::npos;
    } else if (name == "retry") {
        facts_.has_retry = true;
    }
}

void event_parser::take_data(range value) {
    const std::string_view bytes = block();
    if (++facts_.data_lines == 1) {
        facts_.data = value;
        return;
    }
    if (facts_.data_lines == 2) {
        append_padded(joined_, bytes.substr(facts_.data.offset, facts_.data.length));
    }
    joined_ += '\n';
    append_padded(joined_, bytes.substr(value.offset, value.length));
}

/// Makes the item and gets ready for the next block. The item's views stay where they are.
void event_parser::finish_block(item_kind kind, std::optional<item>& out) {
    const std::string_view bytes = block();
    out.emplace();
    out->kind = kind;
    out->raw = bytes;
    out->type = bytes.substr(facts_.type.offset, facts_.type.length);
    out->has_event_field = facts_.has_event_field;
    out->has_id = facts_.has_id;
    out->has_retry = facts_.has_retry;
    out->single_data_line = facts_.data_lines == 1;
    out->data = facts_.data_lines > 1 ? std::string_view(joined_)
                                      : bytes.substr(facts_.data.offset, facts_.data.length);
    facts_ = {};
    line_begin_ = 0;
    block_begin_ = at_;
    carry_finished_ = !carry_.empty();
}

/// The pushed bytes end here: what is left of them is copied.
void event_parser::keep_rest() {
    const bool in_place = carry_.empty();
    if (!take_bytes(input_.size())) {
        return;
    }
    if (in_place && at_ > block_begin_) {
        append_padded(carry_, block());
    }
    input_ = {};
    at_ = 0;
    block_begin_ = 0;
    next_lf_ = 0;
    next_cr_ = 0;
}

/// Nothing comes out any more, and nothing is kept.
void event_parser::fail() {
    too_large_ = true;
    input_ = {};
    at_ = 0;
    block_begin_ = 0;
    std::string().swap(carry_); // frees; an assignment would keep the memory
    std::string().swap(joined_);
}

} // namespace proxy::sse
