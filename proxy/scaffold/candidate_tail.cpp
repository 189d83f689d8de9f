// Behind the payload of a candidate: closers, further calls, or the end of the span.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/bare_call.hpp"
#include "proxy/scaffold/candidate.hpp"
#include "proxy/scaffold/marker_uses.hpp"

#include <algorithm>

namespace proxy::scaffold {

void candidate::enter_tail(std::uint64_t end) {
    const bool direct = find_use(*opener_, [this](const marker_use& use) {
                            return use.role == marker_role::open && use.fmt == fmt_;
                        }) != nullptr;
    if (direct) { // the payload stands right behind the opener, which therefore opened no section
        sections_ &= ~own_sections_;
    }
    end_ = cursor_ = end;
    committed_ = closed_ = probing_ = line_closes_ = false;
    scanners_.clear();
    phase_ = phase::tail;
    ending_ = fmt_ != nullptr && fmt_->alone ? ending::turn_end
              : !bare_                       ? ending::any
              : starts_turn_                 ? ending::line_end
                                             : ending::turn_end;
    pending_ = ending_ != ending::any && !dropped_;
}

/// The span ends here, if what follows allows it.
candidate::verdict candidate::close(bool text_ends) {
    if (pending_ && ending_ == ending::turn_end && !text_ends) {
        broken_at_ = cursor_;
        return status::refuted;
    }
    pending_ = false;
    return status::done;
}

/// Behind a bare payload at the start of the turn its line must end; false if that isn't known yet
/// or not so: `found` says which.
bool candidate::may_end_line(const window& text, std::uint64_t limit, bool last, verdict& found) {
    auto at = end_;
    while (at < limit && (text.at(at) == ' ' || text.at(at) == '\t' || text.at(at) == '\r')) {
        ++at;
    }
    if (at == limit && !last) {
        found = status::more;
        return false;
    }
    // A marker's first byte is let pass: a control token may follow.
    if (at < limit && std::string_view("\n<[").find(text.at(at)) == std::string_view::npos) {
        broken_at_ = at;
        found = status::refuted;
        return false;
    }
    pending_ = false;
    return true;
}

/// `functools[` and `[Calling tool: ` leave a bracket open that the payload doesn't close.
bool candidate::closes_bracket(char c) const {
    const std::string_view opener = opener_->literal;
    return c == ']' && !closed_ && opener.find(']') == std::string_view::npos &&
           opener.find('[') != std::string_view::npos;
}

/// Is `text` the begin of the closer of `<NAME>`, the tag named like a tool?
candidate::match candidate::named_closer(std::string_view text, bool last) const {
    const std::string_view opener = opener_->literal;
    if (fmt_ == nullptr || fmt_->payload != payload_kind::tag_params || !fmt_->open.empty() ||
        !text.starts_with('<')) {
        return match::no;
    }
    const std::string closer = "</" + std::string(opener.substr(1));
    if (text.starts_with(closer)) {
        return match::yes;
    }
    return closer.starts_with(text) && !last ? match::more : match::no;
}

/// Is `text` the begin of a further call of this format, glued to the last one? Those whose span
/// must end the turn are no markers behind a payload.
candidate::match candidate::own_opener(std::string_view text, bool last) const {
    const std::string_view opener = opener_->literal;
    if (fmt_ == nullptr || !fmt_->alone || !fmt_->close.empty() || opener.empty()) {
        return match::no;
    }
    if (text.starts_with(opener)) {
        return match::yes;
    }
    return opener.starts_with(text) && !last ? match::more : match::no;
}

/// Does the name of a further call follow one that has no opener? Residue comes glued together.
candidate::match candidate::next_name(std::string_view text, bool last) const {
    if (!bare_ || bare_kind_ != payload_kind::name_sep_json) {
        return match::no;
    }
    switch (match_name(ctx_, text, behind_bare_name, last).found) {
    case name_match::answer::no:
        return match::no;
    case name_match::answer::more:
        return match::more;
    case name_match::answer::yes:
        return match::yes;
    }
    return match::no;
}

/// Is the opener that was found a further call of an open section? A section's own opener begins
/// another one.
bool candidate::goes_on() const {
    const bool opens_call = find_use(*probe_.best, [this](const marker_use& use) {
                                return use.role == marker_role::open && usable(*use.fmt);
                            }) != nullptr;
    return ((sections_.any() || wrappers_.any()) && opens_call) || runs_on();
}

/// Pairs of keys and values end only at a closer, or at the next opener of their kind.
bool candidate::runs_on() const {
    return !closed_ && fmt_ != nullptr && fmt_->payload == payload_kind::name_kv &&
           find_use(*probe_.best, [this](const marker_use& use) {
               return use.role == marker_role::open && use.fmt == fmt_;
           }) != nullptr;
}

/// What stands on the line of `Observation:` behind its call is the result.
void candidate::pass_closing_line(const window& text, std::uint64_t limit) {
    while (line_closes_ && cursor_ < limit && text.at(cursor_) != '\n') {
        end_ = ++cursor_;
    }
    line_closes_ = line_closes_ && cursor_ == limit;
}

/// Behind a payload: closers, with white space between them; in a section the next call.
candidate::verdict candidate::tail(const window& text, std::uint64_t limit, bool last) {
    if (verdict found;
        pending_ && ending_ == ending::line_end && !may_end_line(text, limit, last, found)) {
        return found;
    }
    pass_closing_line(text, limit);
    while (cursor_ < limit) {
        const char c = text.at(cursor_);
        if (closes_bracket(c)) {
            end_ = ++cursor_;
            closed_ = true;
            continue;
        }
        if (!is_space(c)) {
            break;
        }
        ++cursor_;
        if (cursor_ - end_ > limits::candidate_start_max) {
            return close(false);
        }
    }
    if (cursor_ == limit && !last) {
        return status::more;
    }
    if (cursor_ == limit) {
        // Without its closer a call lasts to the end of the text, and so does an open section.
        const bool unclosed = !closed_ && fmt_ != nullptr &&
                              (!fmt_->close.empty() || fmt_->payload == payload_kind::tag_params);
        end_ = unclosed || sections_.any() || wrappers_.any() ? limit : end_;
        return close(true);
    }
    const auto named = named_closer(text.between(cursor_, limit), last);
    if (named == match::more) {
        return status::more;
    }
    if (named == match::yes) {
        end_ = cursor_ = cursor_ + opener_->literal.size() + 1;
        closed_ = true;
        return {};
    }
    const auto again = own_opener(text.between(cursor_, limit), last);
    if (again == match::more) {
        return status::more;
    }
    if (again == match::yes) {
        closed_ = true;
        take_opener(*opener_, cursor_ + opener_->literal.size());
        return {};
    }
    const auto name = next_name(text.between(cursor_, limit), last);
    if (name == match::more) {
        return status::more;
    }
    if (name == match::yes) {
        start_payload(cursor_);
        return {};
    }
    switch (probe(text, limit, last)) {
    case matcher::outcome::more:
        return status::more;
    case matcher::outcome::hit:
        if (may_close(*probe_.best) ||
            (pending_ && find_use(*probe_.best, is_control) != nullptr)) {
            end_ = cursor_ = cursor_ + probe_.best_length;
            take_closer(*probe_.best);
            line_closes_ = fmt_ != nullptr && fmt_->anchor == anchor_kind::line &&
                           probe_.best->literal.ends_with(':');
            return {};
        }
        if (goes_on() && opens(*probe_.best)) {
            closed_ = true;
            take_opener(*probe_.best, cursor_ + probe_.best_length);
            return {};
        }
        if (last && probe_.cut) {
            break;
        }
        return close(false);
    case matcher::outcome::none:
        break;
    }
    return behind_payload(text, limit, last);
}

/// Behind a payload stands no marker: a closer that lost its end, a further object, or text.
candidate::verdict candidate::behind_payload(const window& text, std::uint64_t limit, bool last) {
    if (last && probe_.cut) { // whatever begins behind a call and is cut off is markup
        end_ = cursor_ = limit;
        return close(true);
    }
    const auto stop = cursor_ + probe_.length;
    const auto* unfinished = markers_.unfinished(probe_);
    const bool line_ends = stop < limit && text.at(stop) == '\n';
    if (line_ends && unfinished != nullptr && closes_call(*unfinished)) {
        end_ = cursor_ = stop;
        closed_ = true;
        return {};
    }
    if (text.at(cursor_) == '{' && !closed_ && fmt_ != nullptr && is_json(fmt_->payload)) {
        commit_at_ = cursor_ + limits::candidate_bytes_max;
        closed_ = true;
        start_payload(cursor_);
        return {};
    }
    return close(false);
}

} // namespace proxy::scaffold
