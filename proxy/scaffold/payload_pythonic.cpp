#include "proxy/scaffold/payload_pythonic.hpp"

#include <algorithm>

namespace proxy::scaffold {

namespace {

bool is_literal(std::string_view word) {
    while (word.ends_with(' ')) {
        word.remove_suffix(1);
    }
    return word == "True" || word == "False" || word == "None" || word == "true" ||
           word == "false" || word == "null";
}

bool begins_value(char c) {
    return is_name_start(c) || c == '-';
}

char closer_of(char opener) {
    return opener == '(' ? ')' : opener == '[' ? ']' : '}';
}

} // namespace

std::unique_ptr<byte_scanner> make_pythonic(const payload_start& start) {
    return std::make_unique<pythonic_scanner>(start.fmt);
}

step pythonic_scanner::take(char c) {
    if (following_ && !proved_ && phase_ != phase::behind_call) {
        ++gap_; // of a call that may turn out to be none
        if (gap_ > limits::payload_tail_max) {
            return give_up();
        }
    }
    switch (phase_) {
    case phase::waiting:
        return take_waiting(c);
    case phase::callee:
        return take_callee(c);
    case phase::arguments:
        return take_argument(c);
    case phase::string_begin:
    case phase::string_empty:
    case phase::string:
    case phase::escape:
        return take_string(c);
    case phase::behind_call:
        return take_behind_call(c);
    }
    return step::broken;
}

std::size_t pythonic_scanner::skip(std::string_view text) const {
    if (phase_ != phase::string || quotes_ != 0 || unproved()) {
        return 0;
    }
    const char stops[] = {quote_, '\\'};
    return std::min(text.find_first_of(std::string_view{stops, sizeof stops}), text.size());
}

bool pythonic_scanner::whole_at_end() {
    tail_ = gap_;
    // A name with its parenthesis behind whole calls is a call that was cut, a name alone is a
    // word.
    return !list_ && (phase_ == phase::behind_call || (unproved() && phase_ == phase::callee));
}

std::string_view pythonic_scanner::name() const {
    std::string_view name = name_;
    if (name.ends_with(".call")) {
        name.remove_suffix(5);
    }
    return name;
}

bool pythonic_scanner::unproved() const {
    return following_ && !proved_;
}

step pythonic_scanner::take_waiting(char c) {
    if (is_space(c)) {
        return step::more;
    }
    if (c == '[' && !list_) {
        list_ = true;
        begin();
        return step::more;
    }
    if (!is_letter(c) && c != '_') {
        return step::broken;
    }
    begin();
    word_ = c;
    phase_ = phase::callee;
    return step::more;
}

step pythonic_scanner::take_callee(char c) {
    if (c == '(') {
        proved_ = false;
        return open(c) ? step::more : give_up();
    }
    word_ += c;
    const bool name_byte = is_name_byte(c) && c != '/' && c != ':';
    return name_byte && word_.size() <= limits::name_bytes_max ? step::more : give_up();
}

step pythonic_scanner::take_argument(char c) {
    if (is_space(c)) {
        if (place_ == place::head && !word_.ends_with(' ')) {
            word_ += ' '; // a keyword may stand apart from its `=`, two words are prose
        }
        return step::more;
    }
    if (c == '"' || c == '\'') {
        if (place_ == place::first) {
            prove();
        }
        quote_ = c;
        triple_ = false;
        quotes_ = 0;
        phase_ = phase::string_begin;
        place_ = place::inside;
        return step::more;
    }
    if (place_ == place::head && is_name_byte(c)) {
        const bool one_word = !word_.ends_with(' ') && word_.size() < limits::name_bytes_max;
        word_ += c;
        return one_word ? step::more : give_up();
    }
    if (place_ == place::first && (is_letter(c) || c == '_')) {
        word_ = c;
        place_ = place::head;
        return step::more;
    }
    if (begins_value(c) && place_ != place::head) {
        if (place_ == place::first) {
            prove();
        }
        place_ = place::inside;
        return step::more;
    }
    return take_symbol(c);
}

step pythonic_scanner::take_symbol(char c) {
    switch (c) {
    case '(':
    case '[':
    case '{':
        return open(c) ? step::more : give_up();
    case ')':
    case ']':
    case '}':
        return close(c) ? step::more : give_up();
    case '=':
    case ':':
        if (place_ == place::head && c == '=') {
            prove();
        } else if (place_ != place::inside) {
            return give_up();
        }
        place_ = place::value;
        return step::more;
    case ',':
        if (place_ == place::first || place_ == place::value || !end_head()) {
            return give_up();
        }
        place_ = place::value;
        return step::more;
    case '<':
    case '`':
        return give_up();
    default:
        return place_ == place::inside ? step::more : give_up();
    }
}

step pythonic_scanner::take_string(char c) {
    if (phase_ == phase::escape) {
        phase_ = phase::string;
        return step::more;
    }
    if (phase_ == phase::string_begin && c == quote_) {
        phase_ = phase::string_empty;
        return step::more;
    }
    if (phase_ == phase::string_empty) {
        triple_ = c == quote_;
        phase_ = triple_ ? phase::string : phase::arguments;
        return triple_ ? step::more : take_argument(c);
    }
    phase_ = phase::string;
    if (c != quote_) {
        quotes_ = 0;
        phase_ = c == '\\' ? phase::escape : phase::string;
        return step::more;
    }
    if (!triple_ || ++quotes_ == 3) {
        quotes_ = 0;
        phase_ = phase::arguments;
    }
    return step::more;
}

step pythonic_scanner::take_behind_call(char c) {
    if (list_ && c == ']') {
        return step::done;
    }
    const bool separator = c == ',' || (c == ';' && !list_);
    if ((is_space(c) || separator) && gap_ < limits::payload_gap_max) {
        separated_ = separated_ || c == '\n' || separator;
        ++gap_;
        return step::more;
    }
    if (separated_ && (is_letter(c) || c == '_')) {
        ++gap_;
        following_ = true;
        proved_ = false;
        word_ = c;
        phase_ = phase::callee;
        return step::more;
    }
    if (list_ && c != '<') {
        return step::broken;
    }
    tail_ = gap_;
    return step::back;
}

bool pythonic_scanner::open(char c) {
    if (depth_ == limits::payload_depth_max) {
        return false;
    }
    const bool call = c == '(' && (phase_ == phase::callee || place_ == place::head);
    if (call) {
        if (name_.empty() || name_ == "print") {
            name_ = word_;
        }
    } else if (place_ == place::first) {
        prove(); // a list or dict without a keyword
    } else if (place_ == place::head) {
        return false;
    }
    closers_[depth_++] = closer_of(c);
    phase_ = phase::arguments;
    place_ = call ? place::first : place::value;
    return true;
}

bool pythonic_scanner::close(char c) {
    if (closers_[depth_ - 1] != c || !end_head()) {
        return false;
    }
    if (place_ == place::first) {
        prove(); // no arguments
    }
    place_ = place::inside;
    if (--depth_ == 0) {
        phase_ = phase::behind_call;
        gap_ = 0;
        separated_ = false;
    }
    return true;
}

/// A bare word is an argument only if it is a literal, or the opener is evidence enough.
bool pythonic_scanner::end_head() {
    if (place_ != place::head) {
        return true;
    }
    place_ = place::inside;
    if (is_literal(word_) || is_sentinel(fmt_)) {
        prove();
        return true;
    }
    return proved_;
}

void pythonic_scanner::prove() {
    proved_ = true;
    confirm();
}

step pythonic_scanner::give_up() {
    if (!unproved() || list_) {
        return step::broken;
    }
    tail_ = gap_ - 1; // the byte that broke it was counted and is not taken
    return step::back;
}

} // namespace proxy::scaffold
