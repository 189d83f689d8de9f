// The marks of a named call: which separators, tags and closers stand behind a name.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_named.hpp"
#include "proxy/scaffold/payload_tag_reader.hpp"
#include "proxy/scaffold/payload_tags.hpp"

#include <algorithm>
#include <utility>

namespace proxy::scaffold {

namespace {

bool is_one_of(std::string_view folded, const std::vector<marker>& markers) {
    return std::any_of(markers.begin(), markers.end(),
                       [folded](const marker& known) { return fold(known.literal) == folded; });
}

} // namespace

step named_scanner::begin_mark(char c) {
    before_mark_ = phase_;
    mark_ = c;
    phase_ = phase::mark;
    fold_separators();
    if (role_of_separator(mark_) != role::none) {
        return end_mark(role_of_mark());
    }
    separable_ = follows_separator(fold(mark_));
    if (c == '<' || separable_) {
        return step::more;
    }
    tail_ = gap_;
    return before_mark_ == phase::behind_pair ? step::back : step::broken;
}

step named_scanner::take_mark(char c) {
    mark_ += c;
    if (separable_) { // what has left all separators never comes back to one
        const auto folded = fold(mark_);
        if (role_of_separator(folded) != role::none) {
            return end_mark(role_of_mark());
        }
        separable_ = follows_separator(folded);
    }
    if (mark_ == "</" && !separable_) {
        return on_closer();
    }
    const bool tag_goes_on =
        mark_.front() == '<' && c != '<' && mark_.size() < limits::tag_bytes_max;
    if (c == '>' && mark_.front() == '<' && !separable_) {
        return end_mark(role_of_mark());
    }
    if (tag_goes_on || separable_) {
        return step::more;
    }
    tail_ = gap_ + mark_.size() - 1;
    return before_mark_ == phase::behind_pair ? step::back : step::broken;
}

/// A closer stands behind the pairs, or behind a name without arguments.
step named_scanner::on_closer() {
    tail_ = gap_ + 1; // the bracket was taken
    const bool bare = before_mark_ == phase::behind_separator ||
                      (before_mark_ == phase::behind_name && named_surely());
    return bare || before_mark_ == phase::behind_pair ? step::back : step::broken;
}

step named_scanner::end_mark(role found) {
    const std::string mark = std::exchange(mark_, {});
    const bool opening = before_mark_ == phase::waiting;
    const std::size_t looked_at = std::exchange(gap_, 0) + mark.size();
    switch (found) {
    case role::none:
        if (before_mark_ == phase::behind_key) { // a type between key and value (K2 Horizon)
            phase_ = phase::key;
            return step::more;
        }
        break;
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
    const bool bare =
        found == role::closer && (before_mark_ == phase::behind_separator ||
                                  (before_mark_ == phase::behind_name && named_surely()));
    if (!bare && before_mark_ != phase::behind_pair) {
        return step::broken;
    }
    tail_ = looked_at;
    return step::done;
}

void named_scanner::fold_separators() {
    if (start_.fmt != nullptr && separators_.empty()) {
        for (const std::string& literal : start_.fmt->separators) {
            separators_.push_back(fold(literal));
        }
    }
}

bool named_scanner::follows_separator(std::string_view folded) const {
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
    if (pair_separators_ && (phase_ == phase::key || phase_ == phase::value)) {
        return role::none; // its tags are none of XML's
    }
    if (start_.fmt != nullptr && before_mark_ == phase::waiting &&
        (is_one_of(folded, start_.fmt->open) || is_one_of(folded, start_.fmt->section_open))) {
        return role::opener;
    }
    const auto found = read_tag(mark_);
    const bool part =
        found && (found->word == tag_word::arg_key || found->word == tag_word::arg_value);
    if (!part && start_.fmt != nullptr && is_one_of(folded, start_.fmt->close)) {
        return role::closer;
    }
    if (!found) {
        return role::none;
    }
    switch (found->word) {
    case tag_word::arg_key:
        return found->closing ? role::key_close : role::key_open;
    case tag_word::arg_value:
        return found->closing ? role::value_close : role::value_open;
    case tag_word::tool_sep: // Hunyuan's, whose tags have labels
        return labelled_ ? role::separator : role::none;
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

} // namespace proxy::scaffold
