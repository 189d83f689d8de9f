#include "proxy/scaffold/payload_gemma.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>
#include <array>

namespace proxy::scaffold {

namespace {

constexpr std::array<std::string_view, 2> quotes = {"<|\"|>", "<escape>"};
constexpr std::string_view call_word = "call:";

} // namespace

step gemma_scanner::take(char c) {
    switch (phase_) {
    case phase::waiting:
        if (is_space(c)) {
            return step::more;
        }
        phase_ = phase::name;
        [[fallthrough]];
    case phase::name:
        return take_name(c);
    case phase::first_key:
    case phase::next_key:
    case phase::bare_key:
    case phase::behind_key:
        return is_space(c) && phase_ != phase::bare_key ? step::more : take_key(c);
    case phase::value:
    case phase::element:
        return is_space(c) ? step::more : take_value(c);
    case phase::bare:
    case phase::behind_value:
        return take_behind_value(c);
    case phase::quote:
        return take_quote(c);
    case phase::quoted:
        return take_quoted(c);
    case phase::plain_quoted:
    case phase::plain_escape:
        return take_plain(c);
    }
    return step::broken;
}

std::size_t gemma_scanner::skip(std::string_view text) const {
    const bool plain = phase_ == phase::quoted && mark_.empty();
    return plain ? std::min(text.find('<'), text.size()) : 0;
}

step gemma_scanner::take_name(char c) {
    if (is_name_byte(c)) {
        begin();
        name_ += c;
        if (name_ == call_word) {
            name_.clear();
        }
        return name_.size() <= limits::name_bytes_max ? step::more : step::broken;
    }
    if (c != '{' || !is_name(name_)) {
        return step::broken;
    }
    if (is_sentinel(fmt_)) {
        confirm();
    }
    return open(true) ? step::more : step::broken;
}

step gemma_scanner::take_key(char c) {
    if (phase_ == phase::bare_key && (is_name_byte(c) && c != ':')) {
        return step::more;
    }
    if ((phase_ == phase::bare_key || phase_ == phase::behind_key) && c == ':') {
        phase_ = phase::value;
        confirm();
        return step::more;
    }
    if (phase_ == phase::bare_key && is_space(c)) {
        phase_ = phase::behind_key;
        return step::more;
    }
    if (phase_ == phase::bare_key || phase_ == phase::behind_key) {
        return step::broken;
    }
    if (is_name_start(c)) {
        phase_ = phase::bare_key;
        return step::more;
    }
    key_string_ = true;
    return c == '}' ? close(c) : begin_quote(c);
}

step gemma_scanner::take_value(char c) {
    if (c == '{' || c == '[') {
        return open(c == '{') ? step::more : step::broken;
    }
    if (c == ']' && phase_ == phase::element) {
        return close(c);
    }
    key_string_ = false;
    if (c == '<' || c == '"' || c == '\'') {
        return begin_quote(c);
    }
    const bool begins = is_name_start(c) || c == '-' || c == '+' || (c & 0x80) != 0;
    phase_ = phase::bare;
    return begins ? step::more : step::broken;
}

step gemma_scanner::take_behind_value(char c) {
    switch (c) {
    case ',':
        phase_ = in_map() ? phase::next_key : phase::element;
        return step::more;
    case '}':
    case ']':
        return close(c);
    case '<': // a closer stands where the brace is missing
        tail_ = 0;
        return step::back;
    default:
        return phase_ == phase::bare || is_space(c) ? step::more : step::broken;
    }
}

step gemma_scanner::begin_quote(char c) {
    if (c == '"' || c == '\'') {
        quote_ = c == '"' ? "\"" : "'";
        phase_ = phase::plain_quoted;
        return step::more;
    }
    if (c != '<') {
        return step::broken;
    }
    mark_ = c;
    phase_ = phase::quote;
    return step::more;
}

step gemma_scanner::take_quote(char c) {
    mark_ += c;
    for (const std::string_view literal : quotes) {
        if (literal == mark_) {
            quote_ = literal;
            mark_.clear();
            phase_ = phase::quoted;
            return step::more;
        }
        if (literal.starts_with(mark_)) {
            return step::more;
        }
    }
    return step::broken;
}

step gemma_scanner::take_quoted(char c) {
    // The literals hold their first byte once, so a failed match can only begin anew with it.
    mark_ += c;
    if (!quote_.starts_with(mark_)) {
        mark_.assign(c == '<' ? 1U : 0U, c);
    }
    if (mark_ == quote_) {
        mark_.clear();
        end_string();
    }
    return step::more;
}

step gemma_scanner::take_plain(char c) {
    if (phase_ == phase::plain_escape) {
        phase_ = phase::plain_quoted;
    } else if (c == '\\') {
        phase_ = phase::plain_escape;
    } else if (c == quote_.front()) {
        end_string();
    }
    return step::more;
}

void gemma_scanner::end_string() {
    phase_ = key_string_ ? phase::behind_key : phase::behind_value;
}

bool gemma_scanner::open(bool map) {
    if (depth_ == limits::payload_depth_max) {
        return false;
    }
    const std::uint64_t bit = std::uint64_t{1} << depth_;
    maps_ = map ? maps_ | bit : maps_ & ~bit;
    ++depth_;
    phase_ = map ? phase::first_key : phase::element;
    return true;
}

step gemma_scanner::close(char c) {
    if (in_map() != (c == '}')) {
        return step::broken;
    }
    confirm();
    phase_ = phase::behind_value;
    return --depth_ == 0 ? step::done : step::more;
}

} // namespace proxy::scaffold
