#include "proxy/scaffold/payload_json.hpp"

#include "proxy/base/limits.hpp"

namespace proxy::scaffold {

bool fence_reader::take_opening(char c) {
    if (c == '`' && opened_ < 3) {
        ++opened_;
        in_info_ = opened_ == 3;
        return true;
    }
    if (in_info_ && (is_name_byte(c) || c == ' ')) {
        return ++info_bytes_ <= limits::fence_info_bytes_max;
    }
    if (!is_space(c) || (opened_ != 0 && opened_ != 3)) {
        return false;
    }
    in_info_ = false;
    return true;
}

bool fence_reader::take_closing(char c) {
    if (c != '`' || closed_ == 3) {
        return false;
    }
    ++closed_;
    return true;
}

step json_scanner::take(char c) {
    switch (phase_) {
    case phase::waiting:
        return take_waiting(c);
    case phase::inside:
        return take_inside(c);
    case phase::behind:
        return take_behind(c);
    }
    return step::broken;
}

std::size_t json_scanner::skip(std::string_view text) const {
    return phase_ == phase::inside ? json_.skip(text) : 0;
}

std::size_t json_scanner::run(std::string_view text) {
    const bool counted = following_ && !proved_; // take() counts what may stand behind the payload
    return phase_ == phase::inside && !counted ? json_.run(text) : skip(text);
}

bool json_scanner::whole_at_end() {
    if (phase_ == phase::inside && following_ && !proved_) {
        tail_ = gap_; // a call, and then the begin of something else
        return true;
    }
    if (phase_ == phase::behind) {
        tail_ = gap_;
    }
    return phase_ == phase::behind;
}

bool json_scanner::at_object_begin() const {
    return phase_ == phase::inside && !following_ && !fence_.begun() && json_.at_object_begin();
}

bool json_scanner::reads_like(const payload_scanner& other) const {
    const auto* like = dynamic_cast<const json_scanner*>(&other.reader());
    if (like == nullptr || shape_ != like->shape_ || !at_object_begin() ||
        !like->at_object_begin()) {
        return false;
    }
    if (fmt_ == nullptr || like->fmt_ == nullptr) {
        return fmt_ == like->fmt_;
    }
    return fmt_->cls == like->fmt_->cls && fmt_->keys == like->fmt_->keys &&
           fmt_->list_keys == like->fmt_->list_keys;
}

step json_scanner::take_waiting(char c) {
    const bool opens = c == '{' || (c == '[' && shape_ != shape::any);
    if (opens && fence_.may_begin_payload()) {
        begin();
        phase_ = phase::inside;
        return take_inside(c);
    }
    if (!fence_.take_opening(c)) {
        return step::broken;
    }
    if (fence_.begun()) {
        begin();
    }
    return step::more;
}

step json_scanner::take_inside(char c) {
    // `{"name": "f", "arguments": {}</tool_call>`: a brace is missing, the call is not.
    const bool cut_short = c == '<' && json_.behind_value() && confirmed() && named_;
    if (cut_short) {
        tail_ = gap_;
        return step::back;
    }
    const bool tentative = following_ && !proved_;
    if (tentative && ++gap_ > limits::payload_tail_max) {
        return give_up();
    }
    if (!json_.take(c) || !judge_event()) {
        return give_up();
    }
    if (!tentative) {
        gap_ = json_.behind_value() && is_space(c) ? gap_ + 1 : 0;
    }
    if (json_.whole()) {
        phase_ = phase::behind;
        gap_ = 0;
        surplus_ = 0;
        separated_ = false;
    }
    return step::more;
}

/// What came is no call; if whole ones stand before it, they are the payload.
step json_scanner::give_up() {
    if (!following_) {
        return step::broken;
    }
    tail_ = proved_ ? 0 : gap_ - 1; // the byte that broke it was counted and is not taken
    return step::back;
}

step json_scanner::take_behind(char c) {
    if (c == '}' && !separated_ && ++surplus_ <= limits::surplus_braces_max) {
        return step::more;
    }
    if (fence_.open() && fence_.take_closing(c)) {
        ++gap_;
        return fence_.open() ? step::more : (gap_ = 0, step::done);
    }
    const bool between = is_space(c) || (shape_ == shape::list && (c == ',' || c == ';'));
    const bool looks_on = fence_.open() || shape_ == shape::list;
    if (between && looks_on && gap_ < limits::payload_gap_max) {
        separated_ = true;
        ++gap_;
        return step::more;
    }
    if (shape_ == shape::list && (c == '{' || c == '[') && fence_.closing_bytes() == 0) {
        return next_object(c);
    }
    tail_ = gap_;
    return step::back;
}

step json_scanner::next_object(char c) {
    json_ = json_machine{};
    call_depth_ = 0;
    fresh_ = true;
    named_ = false;
    schema_type_ = false;
    schema_properties_ = false;
    proved_ = false;
    following_ = true;
    phase_ = phase::inside;
    return take_inside(c);
}

} // namespace proxy::scaffold
