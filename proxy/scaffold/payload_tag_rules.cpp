// What each tag means in each place: the rules by which values, calls and payloads end.
#include "proxy/scaffold/payload_tags.hpp"

namespace proxy::scaffold {

namespace {

void count(unsigned& open, bool closing) {
    if (!closing) {
        ++open;
    } else if (open != 0) {
        --open;
    }
}

/// Does a bar stand in front of the tag's word, as in `<｜DSML｜invoke`?
bool has_bar(std::string_view raw) {
    raw.remove_prefix(raw.starts_with("</") ? 2 : 1);
    if (!raw.empty() && is_space(raw.front())) {
        raw.remove_prefix(1);
    }
    return fold(raw.substr(0, 4)).starts_with('|');
}

} // namespace

/// A tag with other bars or another namespace than all tags of this dialect have, or with another
/// word for a call than this one.
bool tag_scanner::is_foreign(const tag& found, std::string_view raw) const {
    const bool other_word = !call_word_.empty() && found.base != call_word_;
    if (has_bar(raw) != barred_ || (found.word == tag_word::call && other_word)) {
        return true;
    }
    const std::string_view prefix = fmt_ == nullptr ? std::string_view{} : fmt_->prefix;
    if (!prefix.ends_with(':')) {
        return false;
    }
    raw.remove_prefix(raw.starts_with("</") ? 2 : 1);
    return !raw.starts_with(prefix);
}

step tag_scanner::on_tag(const tag& found) {
    const bool in_value = phase_ == phase::value || phase_ == phase::cut_value ||
                          (phase_ == phase::behind_value && !surely_);
    if (in_value && is_foreign(found, reader_.bytes())) {
        phase_ = phase::value; // no tag of this dialect: part of the value
        return step::more;
    }
    switch (phase_) {
    case phase::outer:
        return on_outer_tag(found);
    case phase::head:
        return found.word == tag_word::call && !found.closing ? begin_call(found) : step::broken;
    case phase::body:
        return on_body_tag(found);
    case phase::value:
        return on_value_tag(found);
    case phase::behind_value:
        return on_tag_behind_value(found);
    case phase::cut_value:
        return on_tag_in_cut_value(found);
    case phase::json:
        return step::broken;
    case phase::behind_json:
    case phase::behind_call:
        return on_tag_behind_call(found);
    }
    return step::broken;
}

step tag_scanner::on_outer_tag(const tag& found) {
    if (found.closing) {
        return step::broken;
    }
    if (found.word == tag_word::call) {
        return begin_call(found);
    }
    if (found.word == tag_word::parameter && is_sentinel(fmt_)) {
        barred_ = has_bar(reader_.bytes());
        begin();
        return begin_value(found);
    }
    return found.word == tag_word::wrapper ? step::more : step::broken;
}

step tag_scanner::on_body_tag(const tag& found) {
    if (!found.closing && (found.word == tag_word::parameter || is_key(found))) {
        return begin_value(found);
    }
    const bool closes_wrapper = found.word == tag_word::wrapper && found.closing;
    if (found.word == tag_word::call || closes_wrapper) {
        confirm();
        if (closes_wrapper) {
            return stop_before(found);
        }
        return found.closing ? close_call() : begin_call(found);
    }
    return confirmed() ? stop_before(found) : step::broken;
}

step tag_scanner::on_value_tag(const tag& found) {
    if (key_tags_) {
        if (found.base != key_ || found.self_closing) {
            return step::more;
        }
        if (found.closing && inner_params_ == 0) {
            return close_value(true);
        }
        count(inner_params_, found.closing);
        return step::more;
    }
    if (found.word == tag_word::parameter) {
        if (found.closing) {
            const bool surely = inner_params_ == 0;
            count(inner_params_, true);
            return close_value(surely);
        }
        inner_params_ += found.self_closing ? 0 : 1;
    }
    if (found.word == tag_word::call && !found.self_closing) {
        if (found.closing && inner_calls_ == 0) {
            phase_ = phase::cut_value;
            gap_ = 0;
        }
        count(inner_calls_, found.closing);
    }
    if (found.word == tag_word::wrapper && !found.self_closing) {
        count(inner_wrappers_, found.closing);
    }
    return step::more;
}

step tag_scanner::on_tag_behind_value(const tag& found) {
    const bool closes_call = found.word == tag_word::call && found.closing;
    const bool closes_wrapper = found.word == tag_word::wrapper && found.closing;
    if (surely_ || inner_calls_ == 0) {
        if (closes_call) {
            return close_call();
        }
        if (closes_wrapper && (surely_ || inner_wrappers_ == 0)) {
            return stop_before(found);
        }
    }
    if (!surely_ || (found.word == tag_word::parameter && found.closing)) {
        phase_ = phase::value;
        return on_value_tag(found);
    }
    if (!found.closing && (found.word == tag_word::parameter || is_key(found))) {
        return begin_value(found);
    }
    if (found.word == tag_word::call) {
        return begin_call(found);
    }
    if (line_ended_ || found.word == tag_word::wrapper || key_tags_) {
        return stop_before(found);
    }
    phase_ = phase::value;
    return on_value_tag(found);
}

/// `</function>` in a value whose own closer is missing, or text of the value.
step tag_scanner::on_tag_in_cut_value(const tag& found) {
    const bool closes_wrapper = found.word == tag_word::wrapper && found.closing;
    const bool opens_call = found.word == tag_word::call && !found.closing;
    if (closes_wrapper || (opens_call && !in_wrapper_)) {
        return stop_before(found);
    }
    if (opens_call) {
        return begin_call(found);
    }
    phase_ = phase::value;
    return on_value_tag(found);
}

step tag_scanner::on_tag_behind_call(const tag& found) {
    if (found.word == tag_word::call && found.closing && phase_ == phase::behind_json) {
        return close_call();
    }
    const bool next = found.word == tag_word::call && !found.closing && in_wrapper_;
    return next ? begin_call(found) : stop_before(found);
}

step tag_scanner::begin_call(const tag& found) {
    if (!is_name(found.name) && !is_sentinel(fmt_)) {
        return confirmed() ? stop_before(found) : step::broken;
    }
    begin();
    if (name_.empty()) {
        name_ = found.name;
    }
    phase_ = phase::body;
    barred_ = has_bar(reader_.bytes());
    call_word_ = found.base;
    gap_ = 0;
    if (found.self_closing) {
        confirm();
        return close_call();
    }
    if (is_sentinel(fmt_)) {
        confirm();
    }
    return step::more;
}

step tag_scanner::begin_value(const tag& found) {
    begin();
    confirm();
    if (found.self_closing) {
        return close_value(true);
    }
    if (key_tags_) {
        key_ = found.base;
    }
    phase_ = phase::value;
    inner_params_ = 0;
    inner_calls_ = 0;
    inner_wrappers_ = 0;
    return step::more;
}

/// A value's closer. `surely`: none of the tags seen inside the value needs it. If not, only the
/// closer of the call behind it shows that it ended the value after all.
step tag_scanner::close_value(bool surely) {
    phase_ = phase::behind_value;
    surely_ = surely;
    gap_ = 0;
    line_ended_ = false;
    return step::more;
}

step tag_scanner::close_call() {
    tail_ = 0;
    if (!in_wrapper_) {
        return step::done;
    }
    phase_ = phase::behind_call;
    gap_ = 0;
    return step::more;
}

/// The payload ended before the gap; the tag just read is not its own.
step tag_scanner::stop_before(const tag&) {
    tail_ = gap_ + tag_bytes_;
    return step::done;
}

bool tag_scanner::is_key(const tag& found) const {
    return key_tags_ && found.word == tag_word::other && !found.attributes;
}

} // namespace proxy::scaffold
