#include "proxy/scaffold/payload_any.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_json.hpp"
#include "proxy/scaffold/payload_named.hpp"
#include "proxy/scaffold/payload_pythonic.hpp"

#include <utility>

namespace proxy::scaffold {

step any_scanner::take(char c) {
    if (tags_ != nullptr && !(tags_->idle() && tags_->state() == payload_state::waiting)) {
        return pass_on(c);
    }
    if (inner_ != nullptr && (tags_ == nullptr || is_space(c) || c == '<' || c == ']')) {
        return pass_on(c);
    }
    if (!list_.empty()) {
        return choose_list(c);
    }
    if (is_space(c)) {
        apart_ = c == ' ';
        return step::more;
    }
    return choose(c);
}

bool any_scanner::chosen() const {
    return inner_ != nullptr && state_ != payload_state::waiting;
}

std::size_t any_scanner::skip(std::string_view text) const {
    return chosen() ? inner_->skip(text) : 0;
}

std::size_t any_scanner::run(std::string_view text) {
    return chosen() ? inner_->run(text) : 0;
}

bool any_scanner::whole_at_end() {
    if (inner_ == nullptr || !inner_->whole_at_end()) {
        return false;
    }
    tail_ = inner_->tail();
    return true;
}

std::string_view any_scanner::name() const {
    return inner_ == nullptr ? std::string_view{} : inner_->name();
}

const payload_scanner& any_scanner::reader() const {
    if (inner_ == nullptr || tags_ != nullptr) {
        return *this;
    }
    return inner_->reader();
}

step any_scanner::choose(char c) {
    const bool by_name =
        start_.fmt != nullptr && start_.fmt->payload == payload_kind::name_sep_json;
    if (c == '[') {
        begin();
        list_ = c;
        return step::more;
    }
    if (c == '{' || c == '`') {
        return hand_over(std::make_unique<json_scanner>(json_scanner::shape::list, start_.fmt),
                         {&c, 1});
    }
    if (c == ']' || (c == '<' && !by_name)) {
        auto tags = std::make_unique<tag_scanner>(start_, false);
        tags_ = tags.get();
        return hand_over(std::move(tags), {&c, 1});
    }
    const char spaced[] = {' ', c};
    const std::string_view text{spaced, sizeof spaced};
    return hand_over(std::make_unique<named_scanner>(start_), apart_ ? text : text.substr(1));
}

/// Behind `[`: a name begins a list of python calls, all else is JSON.
step any_scanner::choose_list(char c) {
    if (is_space(c) && list_.size() <= limits::payload_gap_max) {
        list_ += c;
        return step::more;
    }
    const std::string text = std::exchange(list_, {}) + c;
    if (is_letter(c) || c == '_') {
        return hand_over(make_pythonic(start_), text);
    }
    return hand_over(std::make_unique<json_scanner>(json_scanner::shape::list, start_.fmt), text);
}

step any_scanner::hand_over(std::unique_ptr<byte_scanner> inner, std::string_view text) {
    if (inner.get() != tags_) {
        tags_ = nullptr;
    }
    inner_ = std::move(inner);
    step result = step::more;
    for (const char c : text) {
        result = result == step::more ? pass_on(c) : step::broken;
    }
    return result;
}

step any_scanner::pass_on(char c) {
    const step result = inner_->take(c);
    if (inner_->state() == payload_state::started) {
        begin();
    }
    if (inner_->state() == payload_state::confirmed) {
        confirm();
    }
    tail_ = inner_->tail();
    return result;
}

} // namespace proxy::scaffold
