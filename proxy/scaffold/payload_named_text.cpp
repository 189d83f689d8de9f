#include "proxy/scaffold/payload_named_text.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>

namespace proxy::scaffold {

namespace {

literal_watch watch_of(const format& fmt) {
    std::vector<std::string> literals;
    for (const auto& m : fmt.close) {
        literals.push_back(m.literal);
    }
    for (const auto& m : fmt.open) { // the next call ends this one too
        if (fmt.cls != format_class::shaped) {
            literals.push_back(m.literal);
        }
    }
    return literal_watch(std::move(literals));
}

} // namespace

named_text_scanner::named_text_scanner(const payload_start& start, input ends)
    : separators_{&start.fmt->separators}, ends_{ends}, closers_{watch_of(*start.fmt)} {}

step named_text_scanner::take(char c) {
    switch (phase_) {
    case phase::waiting:
        return take_waiting(c);
    case phase::name:
        if (is_name_byte(c)) {
            name_ += c;
            return name_.size() <= limits::name_bytes_max ? step::more : step::broken;
        }
        phase_ = phase::behind_name;
        return take_behind_name(c);
    case phase::behind_name:
        return take_behind_name(c);
    case phase::behind_separator:
        return take_behind_separator(c);
    case phase::input:
        return take_input(c);
    }
    return step::broken;
}

bool named_text_scanner::whole_at_end() {
    tail_ = 0; // a line ends with the text, but what goes up to a closer is cut
    return phase_ == phase::input && ends_ == input::to_line_end;
}

std::size_t named_text_scanner::skip(std::string_view text) const {
    if (phase_ != phase::input || returned_) {
        return 0;
    }
    return ends_ == input::to_closer ? closers_.skip(text)
                                     : std::min(text.find_first_of("\r\n"), text.size());
}

step named_text_scanner::take_waiting(char c) {
    if (is_space(c)) {
        return step::more;
    }
    if (!is_name_start(c)) {
        return step::broken;
    }
    begin();
    name_ = c;
    phase_ = phase::name;
    return step::more;
}

step named_text_scanner::take_behind_name(char c) {
    if (mark_.empty() && is_space(c)) {
        line_ended_ = line_ended_ || c == '\n';
        return ++gap_ <= limits::payload_gap_max ? step::more : step::broken;
    }
    mark_ += c;
    const bool begun = std::ranges::any_of(
        *separators_, [this](const auto& one) { return one.starts_with(mark_); });
    if (!begun) {
        return step::broken;
    }
    if (std::ranges::find(*separators_, mark_) == separators_->end()) {
        return step::more;
    }
    if (ends_ == input::to_line_end && !line_ended_) {
        return step::broken;
    }
    confirm();
    gap_ = 0;
    line_ended_ = false;
    phase_ = ends_ == input::to_closer ? phase::input : phase::behind_separator;
    return step::more;
}

/// In front of an input that ends with its line.
step named_text_scanner::take_behind_separator(char c) {
    if (is_space(c) && gap_ < limits::payload_gap_max) {
        line_ended_ = line_ended_ || c == '\n';
        ++gap_;
        return step::more;
    }
    if (c == '{' || c == '`') {
        return step::broken;
    }
    if (line_ended_) { // the input is empty; what follows is another line
        tail_ = gap_;
        return step::back;
    }
    phase_ = phase::input;
    return take_input(c);
}

step named_text_scanner::take_input(char c) {
    if (ends_ == input::to_closer) {
        tail_ = closers_.take(c).size();
        return tail_ != 0 ? step::done : step::more;
    }
    if (c == '\n') {
        tail_ = returned_ ? 1 : 0;
        return step::back;
    }
    returned_ = c == '\r';
    return step::more;
}

} // namespace proxy::scaffold
