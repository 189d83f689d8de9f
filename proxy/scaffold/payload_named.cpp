#include "proxy/scaffold/payload_named.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_pythonic.hpp"
#include "proxy/scaffold/payload_tag_reader.hpp"
#include "proxy/scaffold/payload_tags.hpp"

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

bool is_one_of(std::string_view folded, const std::vector<marker>& markers) {
    return std::any_of(markers.begin(), markers.end(),
                       [folded](const marker& known) { return fold(known.literal) == folded; });
}

} // namespace

named_scanner::named_scanner(const payload_start& start) : start_{start} {
    if (start.fmt == nullptr) {
        return;
    }
    for (const std::string& literal : start.fmt->separators) {
        separators_.push_back(fold(literal));
    }
    pair_separators_ = start.fmt->payload == payload_kind::name_kv && separators_.size() == 3;
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
        const bool waits = phase_ != phase::behind_pair;
        if (++gap_ > limits::payload_gap_max) {
            tail_ = gap_ - 1;
            return waits ? step::broken : step::back;
        }
        return step::more;
    }
    const bool behind_word = phase_ == phase::behind_name || phase_ == phase::behind_separator;
    if (behind_word && (c == '{' || c == '`')) {
        phase_ = phase::json;
        return take_json(c);
    }
    if (phase_ == phase::behind_name && c == '(' && gap_ == 0 && second_.empty()) {
        return hand_over(make_pythonic(start_), name_ + c);
    }
    if (phase_ == phase::behind_separator && is_name_start(c) && second_.empty()) {
        phase_ = phase::word;
        second_ = c;
        return step::more;
    }
    return begin_mark(c);
}

step named_scanner::begin_mark(char c) {
    before_mark_ = phase_;
    mark_ = c;
    phase_ = phase::mark;
    if (c == '<' || may_become_separator()) {
        return step::more;
    }
    tail_ = gap_;
    return before_mark_ == phase::behind_pair ? step::back : step::broken;
}

step named_scanner::take_mark(char c) {
    mark_ += c;
    if (role_of_separator(fold(mark_)) != role::none) {
        return end_mark(role_of_mark());
    }
    if (mark_ == "</") {
        return on_closer();
    }
    const bool tag_goes_on =
        mark_.front() == '<' && c != '<' && mark_.size() < limits::tag_bytes_max;
    if (c == '>' && mark_.front() == '<' && !may_become_separator()) {
        return end_mark(role_of_mark());
    }
    if (tag_goes_on || may_become_separator()) {
        return step::more;
    }
    tail_ = gap_ + mark_.size() - 1;
    return before_mark_ == phase::behind_pair ? step::back : step::broken;
}

/// A closer stands behind the pairs, or behind a name without arguments.
step named_scanner::on_closer() {
    tail_ = gap_ + 1; // the bracket was taken
    const bool bare = before_mark_ == phase::behind_name && named_surely();
    return bare || before_mark_ == phase::behind_pair ? step::back : step::broken;
}

step named_scanner::end_mark(role found) {
    const std::string mark = std::exchange(mark_, {});
    const bool opening = before_mark_ == phase::waiting;
    const std::size_t looked_at = std::exchange(gap_, 0) + mark.size();
    switch (found) {
    case role::none:
    case role::key_close:
    case role::value_close:
    case role::closer:
        break;
    case role::opener:
        phase_ = phase::waiting;
        return opening ? step::more : step::broken;
    case role::separator:
        if (opening || before_mark_ == phase::behind_pair) {
            break;
        }
        confirm();
        phase_ = phase::behind_separator;
        return step::more;
    case role::key_open:
        if (opening) {
            break;
        }
        confirm();
        phase_ = phase::key;
        return step::more;
    case role::value_open:
        if (opening || before_mark_ == phase::behind_pair) {
            break;
        }
        confirm();
        phase_ = phase::value;
        return step::more;
    case role::call: {
        payload_start wrapped = start_;
        wrapped.opener = {};
        return hand_over(std::make_unique<tag_scanner>(wrapped, false), mark);
    }
    case role::bare_name:
        confirm();
        second_ = mark.substr(1, mark.size() - 2);
        phase_ = phase::behind_name;
        return step::more;
    }
    const bool bare = found == role::closer && before_mark_ == phase::behind_name && named_surely();
    if (!bare && before_mark_ != phase::behind_pair) {
        return step::broken;
    }
    tail_ = looked_at;
    return step::done;
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

bool named_scanner::may_become_separator() const {
    const std::string folded = fold(mark_);
    return std::any_of(separators_.begin(), separators_.end(),
                       [&](const std::string& separator) { return separator.starts_with(folded); });
}

named_scanner::role named_scanner::role_of_separator(std::string_view folded) const {
    const auto found = std::find(separators_.begin(), separators_.end(), folded);
    if (found == separators_.end()) {
        return role::none;
    }
    if (!pair_separators_) {
        return role::separator;
    }
    constexpr role roles[] = {role::key_open, role::value_open, role::value_close};
    return roles[found - separators_.begin()];
}

named_scanner::role named_scanner::role_of_mark() const {
    const std::string folded = fold(mark_);
    const role by_literal = role_of_separator(folded);
    if (by_literal != role::none) {
        return by_literal;
    }
    if (start_.fmt != nullptr && before_mark_ == phase::waiting &&
        (is_one_of(folded, start_.fmt->open) || is_one_of(folded, start_.fmt->section_open))) {
        return role::opener;
    }
    if (start_.fmt != nullptr && is_one_of(folded, start_.fmt->close)) {
        return role::closer;
    }
    const auto found = read_tag(mark_);
    if (!found) {
        return role::none;
    }
    switch (found->word) {
    case tag_word::arg_key:
        return found->closing ? role::key_close : role::key_open;
    case tag_word::arg_value:
        return found->closing ? role::value_close : role::value_open;
    case tag_word::tool_sep:
        return role::separator;
    case tag_word::call:
        return found->closing ? role::none : role::call;
    case tag_word::other:
        return name_ == "function" && is_name(found->base) ? role::bare_name : role::none;
    case tag_word::parameter:
    case tag_word::wrapper:
        return role::none;
    }
    return role::none;
}

/// True if the name alone is a call without arguments.
bool named_scanner::named_surely() const {
    const bool declared = start_.ctx != nullptr && start_.ctx->declared(name());
    return declared || is_sentinel(start_.fmt);
}

} // namespace proxy::scaffold
