#include "proxy/scaffold/payload_arrow_map.hpp"

#include "proxy/base/limits.hpp"

#include <utility>

namespace proxy::scaffold {

namespace {

bool names_the_tool(std::string_view key) {
    return key == "tool" || key == "name" || key == "function";
}

literal_watch watch_of(const format* fmt) {
    std::vector<std::string> literals;
    for (const auto& m : fmt->close) {
        literals.push_back(m.literal);
    }
    return literal_watch(std::move(literals));
}

} // namespace

arrow_map_scanner::arrow_map_scanner(const format* fmt) : closers_{watch_of(fmt)} {}

step arrow_map_scanner::take(char c) {
    switch (phase_) {
    case phase::name:
        return take_name(c);
    case phase::rest:
        return take_rest(c);
    case phase::string:
        phase_ = c == '\\' ? phase::escape : c == '"' ? phase::rest : phase::string;
        return step::more;
    case phase::escape:
        phase_ = phase::string;
        return step::more;
    default:
        return take_head(c);
    }
}

/// `{tool => "`
step arrow_map_scanner::take_head(char c) {
    if (phase_ == phase::arrow) {
        phase_ = phase::behind_arrow;
        return c == '>' ? step::more : step::broken;
    }
    if (phase_ == phase::key && is_letter(c)) {
        key_ += c;
        return key_.size() <= limits::name_bytes_max ? step::more : step::broken;
    }
    if (phase_ == phase::key && !key_.empty()) {
        phase_ = phase::behind_key;
    }
    if (is_space(c)) {
        return step::more;
    }
    if (phase_ == phase::waiting && c == '{') {
        begin();
        phase_ = phase::key;
        return step::more;
    }
    if (phase_ == phase::behind_key && c == '=' && names_the_tool(key_)) {
        phase_ = phase::arrow;
        return step::more;
    }
    if (phase_ == phase::behind_arrow && (c == '"' || c == '\'')) {
        quote_ = c;
        phase_ = phase::name;
        return step::more;
    }
    return step::broken;
}

step arrow_map_scanner::take_name(char c) {
    if (c != quote_) {
        name_ += c;
        return name_.size() <= limits::name_bytes_max ? step::more : step::broken;
    }
    if (!is_name(name_)) {
        return step::broken;
    }
    confirm();
    phase_ = phase::rest;
    return step::more;
}

step arrow_map_scanner::take_rest(char c) {
    tail_ = closers_.take(c).size();
    if (tail_ != 0) { // a brace is missing
        return step::done;
    }
    switch (c) {
    case '"':
        phase_ = phase::string;
        return step::more;
    case '{':
        return ++depth_ <= limits::payload_depth_max ? step::more : step::broken;
    case '}':
        return --depth_ == 0 ? step::done : step::more;
    default:
        return step::more;
    }
}

} // namespace proxy::scaffold
