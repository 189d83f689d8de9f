#include "proxy/scaffold/payload_named.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_pythonic.hpp"

#include <algorithm>
#include <utility>

namespace proxy::scaffold {

namespace {

/// `functions.f:0` is the id of a call of `f` (Kimi K2).
std::string_view name_in_id(std::string_view id) {
    constexpr std::string_view prefix = "functions.";
    if (id.starts_with(prefix)) {
        id.remove_prefix(prefix.size());
    }
    const std::size_t digits = id.find_last_not_of("0123456789");
    if (digits != std::string_view::npos && digits + 1 < id.size() && id[digits] == ':') {
        id = id.substr(0, digits);
    }
    return id;
}

} // namespace

named_scanner::named_scanner(const payload_start& start) : start_{start} {
    if (start.fmt == nullptr) {
        return;
    }
    const bool pairs = start.fmt->payload == payload_kind::name_kv;
    labelled_ = !pairs || start.fmt->open.empty() || start.fmt->open.front().label;
    pair_separators_ = pairs && start.fmt->separators.size() == 3;
}

std::string_view named_scanner::name() const {
    if (inner_ != nullptr && !inner_->name().empty()) {
        return inner_->name();
    }
    // DeepSeek V3 and R1 write the type in front: `function<sep>NAME`.
    return name_in_id(name_ == "function" && !second_.empty() ? second_ : name_);
}

step named_scanner::take(char c) {
    switch (phase_) {
    case phase::waiting:
        if (is_space(c)) {
            apart_ = c == ' ';
            return step::more;
        }
        if (c == '<') {
            return begin_mark(c);
        }
        if (!is_name_start(c)) {
            return step::broken;
        }
        begin();
        phase_ = phase::name;
        name_ = c;
        return step::more;
    case phase::name:
    case phase::word:
        return take_word(c);
    case phase::behind_name:
    case phase::behind_separator:
    case phase::behind_key:
    case phase::behind_pair:
        return take_behind_word(c);
    case phase::mark:
        return take_mark(c);
    case phase::key:
    case phase::value:
        return take_in_text(c);
    case phase::json:
        return take_json(c);
    case phase::inner:
        return take_inner(c);
    }
    return step::broken;
}

std::size_t named_scanner::skip(std::string_view text) const {
    if (phase_ == phase::json) {
        return json_.skip(text);
    }
    if (phase_ == phase::inner) {
        return inner_->skip(text);
    }
    const bool in_text = (phase_ == phase::key || phase_ == phase::value) && mark_.empty();
    return in_text ? std::min(text.find('<'), text.size()) : 0;
}

std::size_t named_scanner::run(std::string_view text) {
    if (phase_ == phase::json) {
        return json_.run(text);
    }
    return phase_ == phase::inner ? inner_->run(text) : skip(text);
}

bool named_scanner::whole_at_end() {
    switch (phase_) {
    case phase::waiting:
    case phase::mark:
    case phase::behind_separator:
    case phase::word:
    case phase::key:
    case phase::behind_key:
    case phase::value:
        return false;
    case phase::name:
    case phase::behind_name:
        tail_ = gap_;
        return named_surely() && !apart_ && !name_.ends_with('.'); // else a sentence ends here
    case phase::behind_pair:
        tail_ = gap_;
        return true;
    case phase::json: {
        const bool whole = json_.whole_at_end();
        tail_ = json_.tail();
        return whole;
    }
    case phase::inner: {
        const bool whole = inner_->whole_at_end();
        tail_ = inner_->tail();
        return whole;
    }
    }
    return false;
}

step named_scanner::take_word(char c) {
    std::string& word = phase_ == phase::name ? name_ : second_;
    if (is_name_byte(c)) {
        word += c;
        return word.size() <= limits::name_bytes_max ? step::more : step::broken;
    }
    phase_ = phase::behind_name;
    gap_ = 0;
    return take_behind_word(c);
}

step named_scanner::take_behind_word(char c) {
    if (is_space(c)) {
        line_ended_ = line_ended_ || c == '\n';
        const bool waits = phase_ != phase::behind_pair;
        if (++gap_ > limits::payload_gap_max) {
            tail_ = gap_ - 1;
            return waits ? step::broken : step::back;
        }
        return step::more;
    }
    const bool behind_word = phase_ == phase::behind_name || phase_ == phase::behind_separator;
    // `<tool_call> then {` is a sentence, `<tool_call>NAME {` and `<tool_call> NAME\n{` are none.
    const bool sentence = apart_ && !line_ended_ && phase_ == phase::behind_name &&
                          second_.empty() && !is_sentinel(start_.fmt);
    if (behind_word && !sentence && (c == '{' || c == '`')) {
        if (c == '{' && gap_ == 0 && !apart_) {
            confirm(); // a name with its arguments glued to it
        }
        phase_ = phase::json;
        return take_json(c);
    }
    if (phase_ == phase::behind_name && c == '(' && gap_ == 0) {
        return hand_over(make_pythonic(start_), (second_.empty() ? name_ : second_) + c);
    }
    const bool shaped = start_.fmt != nullptr && start_.fmt->cls == format_class::shaped;
    if (phase_ == phase::behind_separator && is_name_start(c) && second_.empty() && !shaped) {
        phase_ = phase::word;
        second_ = c;
        return step::more;
    }
    return begin_mark(c);
}

/// Inside a key or a value: text up to its closer.
step named_scanner::take_in_text(char c) {
    if (mark_.empty() || c == '<' || mark_.size() >= limits::tag_bytes_max) {
        mark_.clear();
        if (c == '<') {
            mark_ = c;
        }
        return step::more;
    }
    mark_ += c;
    if (c != '>') {
        return step::more;
    }
    const role found = role_of_mark();
    mark_.clear();
    gap_ = 0;
    if (phase_ == phase::value) {
        phase_ = found == role::value_close ? phase::behind_pair : phase_;
    } else if (found == role::key_close) {
        phase_ = phase::behind_key;
    } else if (found == role::value_open) {
        phase_ = phase::value;
    }
    return step::more;
}

step named_scanner::take_json(char c) {
    const step result = json_.take(c);
    if (json_.state() == payload_state::confirmed) {
        confirm();
    }
    tail_ = json_.tail();
    return result;
}

step named_scanner::take_inner(char c) {
    const step result = inner_->take(c);
    if (inner_->state() == payload_state::confirmed) {
        confirm();
    }
    tail_ = inner_->tail();
    return result;
}

step named_scanner::hand_over(std::unique_ptr<byte_scanner> inner, std::string_view text) {
    inner_ = std::move(inner);
    phase_ = phase::inner;
    step result = step::more;
    for (const char c : text) {
        result = result == step::more ? take_inner(c) : step::broken;
    }
    return result;
}

/// True if the name alone is a call without arguments.
bool named_scanner::named_surely() const {
    const bool declared = start_.ctx != nullptr && start_.ctx->declared(name());
    return declared || is_sentinel(start_.fmt);
}

} // namespace proxy::scaffold
