#include "proxy/scaffold/payload_attr_tokens.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_tag_reader.hpp"

namespace proxy::scaffold {

namespace {

constexpr std::string_view separator = "<|sep|>";
constexpr std::string_view argument_open = "<|open|>argument ";
constexpr std::string_view argument_close = "<|close|>argument<|sep|>";
constexpr std::string_view call_close = "<|close|>call<|sep|>";

bool is_attribute_byte(char c) {
    return is_name_byte(c) || c == ' ' || c == '=' || c == '"';
}

} // namespace

attr_token_scanner::attr_token_scanner(const payload_start& start)
    : value_ends_({std::string(argument_close), std::string(call_close)}) {
    const auto space = start.opener.rfind(' ');
    if (space != std::string_view::npos) {
        head_ = start.opener.substr(space + 1);
    }
}

step attr_token_scanner::take(char c) {
    switch (phase_) {
    case phase::head:
    case phase::argument:
        return take_head(c);
    case phase::body:
        return take_body(c);
    case phase::value:
        return take_value(c);
    }
    return step::broken;
}

std::size_t attr_token_scanner::skip(std::string_view text) const {
    return phase_ == phase::value ? value_ends_.skip(text) : 0;
}

/// Attributes up to the token that ends them. What stands in quotes is escaped as in XML, so a
/// quote ends it.
step attr_token_scanner::take_head(char c) {
    if (head_.size() >= limits::tag_bytes_max) {
        return step::broken;
    }
    begin();
    if (quoted_ || (sep_.empty() && is_attribute_byte(c))) {
        quoted_ = quoted_ != (c == '"');
        head_ += c;
        return step::more;
    }
    sep_ += c;
    if (sep_ == separator) {
        return end_head();
    }
    return separator.starts_with(sep_) ? step::more : step::broken;
}

step attr_token_scanner::end_head() {
    const std::string as_tag = "<call " + head_ + ">";
    head_.clear();
    sep_.clear();
    gap_ = 0;
    if (phase_ == phase::argument) {
        any_ = true;
        phase_ = phase::value;
        return step::more;
    }
    const auto found = read_tag(as_tag);
    if (!found || !is_name(found->name)) {
        return step::broken;
    }
    name_ = found->name;
    confirm();
    phase_ = phase::body;
    return step::more;
}

/// White space, then an argument; all else stands behind the call.
step attr_token_scanner::take_body(char c) {
    if (mark_.empty() && is_space(c) && gap_ < limits::payload_gap_max) {
        ++gap_;
        return step::more;
    }
    mark_ += c;
    if (mark_ == argument_open) {
        mark_.clear();
        phase_ = phase::argument;
        return step::more;
    }
    if (argument_open.starts_with(mark_)) {
        return step::more;
    }
    tail_ = gap_ + mark_.size() - 1;
    // `<|open|>call tool="f"<|sep|> opens a call` is a sentence.
    const bool token = mark_.starts_with("<|");
    return any_ || token ? step::back : step::broken;
}

step attr_token_scanner::take_value(char c) {
    const auto end = value_ends_.take(c);
    if (end.empty()) {
        return step::more;
    }
    if (end == argument_close) {
        gap_ = 0;
        phase_ = phase::body;
        return step::more;
    }
    tail_ = end.size(); // the argument's own closer is missing
    return step::done;
}

} // namespace proxy::scaffold
