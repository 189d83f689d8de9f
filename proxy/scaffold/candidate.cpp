#include "proxy/scaffold/candidate.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/marker_uses.hpp"

#include <algorithm>

namespace proxy::scaffold {

namespace {

/// The format of an opener that no other format has; null for one that several share.
const format* only_format(const marker_entry& opener) {
    const auto* fmt = opener.uses.front().fmt;
    const bool shared = std::ranges::any_of(
        opener.uses, [fmt](const marker_use& use) { return is_open(use) && use.fmt != fmt; });
    return shared || !is_open(opener.uses.front()) ? nullptr : fmt;
}

} // namespace

bool candidate::usable(const format& fmt) const {
    const bool sentinel = fmt.cls == format_class::sentinel;
    const bool stripped = fmt.strip_as == span_kind::call ||
                          fmt.payload == payload_kind::channel_text; // a candidate like a call
    if (!stripped || fmt.payload == payload_kind::none || fmt.payload == payload_kind::harmony ||
        (fmt.payload == payload_kind::free_text && !sentinel)) {
        return false;
    }
    if (sentinel || sentinel_) {
        return true;
    }
    if (bare_ && fmt.payload != bare_kind_) {
        return false;
    }
    const bool json_answer = bare_ || fmt.anchor == anchor_kind::turn;
    if (ctx_.json_answer && json_answer && is_json(fmt.payload)) {
        return false;
    }
    if (ctx_.sentinels_only) {
        return false;
    }
    return ctx_.tools || !(fmt.needs_tools || fmt.needs_declared_name);
}

bool candidate::opens(const marker_entry& entry) const {
    return std::ranges::any_of(entry.uses, [this](const marker_use& use) {
        return (use.role == marker_role::open || use.role == marker_role::section_open) &&
               usable(*use.fmt);
    });
}

void candidate::begin(const marker_entry& opener, std::uint64_t start, std::uint64_t length,
                      place where) {
    start_ = start;
    first_end_ = start + length;
    where_ = where;
    sentinel_ = false;
    end_ = 0;
    broken_at_ = 0;
    bare_ = pending_ = dropped_ = false;
    wrappers_.reset();
    sections_.reset();
    scanners_.clear();
    opener_ = nullptr;
    fmt_ = opener.uses.front().fmt;
    family_ = only_format(opener);
    rule_ = "payload";
    take_opener(opener, first_end_);
}

void candidate::begin_behind(const marker_entry& closer, std::uint64_t start,
                             std::uint64_t length) {
    begin(closer, start, length, {});
    family_ = nullptr;
    fmt_ = closer.uses.size() == 1 ? closer.uses.front().fmt : nullptr;
    rule_ = "orphan_close";
    enter_tail(start + length);
    closed_ = true;
}

void candidate::begin_bare(const marker_entry& opener, payload_kind kind, std::uint64_t start,
                           bool starts_turn) {
    begin(opener, start, 0, {});
    bare_ = true;
    bare_kind_ = kind;
    starts_turn_ = starts_turn;
    rule_ = "bare_payload";
    start_payload(start);
}

void candidate::take_opener(const marker_entry& opener, std::uint64_t end) {
    if (opener_ != nullptr && !closed_) {
        for (const auto& use : opener_->uses) { // an opener in front of an opener is a wrapper
            wrappers_.set(use.format);
        }
    }
    own_sections_.reset();
    for (const auto& use : opener.uses) {
        if (use.role == marker_role::section_open && !sections_.test(use.format)) {
            sections_.set(use.format);
            own_sections_.set(use.format);
        }
    }
    sentinel_ = sentinel_ || opener.sentinel;
    opener_ = &opener;
    opener_end_ = cursor_ = end;
    commit_at_ = end + limits::candidate_bytes_max;
    committed_ = closed_ = probing_ = false;
    phase_ = phase::seek;
}

/// A marker can be one format's closer of a call and another one's closer of a section.
void candidate::take_closer(const marker_entry& closer) {
    closed_ = true;
    for (const auto& use : closer.uses) {
        if (is_close(use)) {
            wrappers_.reset(use.format);
        }
        if (use.role == marker_role::section_close) {
            sections_.reset(use.format);
        }
    }
}

std::uint64_t candidate::sure_end() const {
    if (pending_) {
        return 0;
    }
    if (!committed_) {
        return end_;
    }
    if (phase_ != phase::payload) {
        return std::max(end_, cursor_);
    }
    // The scanner may turn out to have looked at what stands behind the payload.
    return fed_ - std::min<std::uint64_t>(limits::payload_tail_max, fed_ - opener_end_);
}

candidate::status candidate::advance(const window& text, std::uint64_t limit, bool last) {
    while (true) {
        verdict found;
        switch (phase_) {
        case phase::seek:
            found = seek(text, limit, last);
            break;
        case phase::payload:
            found = payload(text, limit, last);
            break;
        case phase::tail:
            found = tail(text, limit, last);
            break;
        case phase::drain:
            found = drain(text, limit, last);
            break;
        }
        if (found) {
            return *found;
        }
    }
}

matcher::outcome candidate::probe(const window& text, std::uint64_t limit, bool last) {
    if (!probing_) {
        const bool anchored =
            phase_ == phase::tail && fmt_ != nullptr && fmt_->anchor != anchor_kind::anywhere;
        probe_ = anchored ? markers_.start_behind_payload() : markers_.start(anchor_kind::anywhere);
        probing_ = true;
    }
    const auto found = markers_.follow(probe_, text.between(cursor_, limit), last);
    if (found != matcher::outcome::more) {
        probing_ = false;
    }
    return found;
}

/// Behind an opener: white space, then another opener or a payload.
candidate::verdict candidate::seek(const window& text, std::uint64_t limit, bool last) {
    while (cursor_ < limit && is_space(text.at(cursor_))) {
        ++cursor_;
        if (cursor_ - opener_end_ > limits::candidate_start_max) {
            return fail(cursor_);
        }
    }
    if (cursor_ == limit) {
        return last ? at_end(limit) : status::more;
    }
    const auto* front = opener_->uses.front().fmt;
    if (front->payload == payload_kind::free_text) { // whatever stands there, outside sentences
        if (!where_.fresh && !where_.line_start) {
            return fail(cursor_);
        }
        start_payload(opener_end_);
        return {};
    }
    const auto found = probe(text, limit, last);
    if (found == matcher::outcome::more) {
        return status::more;
    }
    const bool shaped = front->cls == format_class::shaped; // wraps nothing
    if (found == matcher::outcome::hit && !shaped && opens(*probe_.best)) {
        take_opener(*probe_.best, cursor_ + probe_.best_length);
        return {};
    }
    const bool closes = found == matcher::outcome::hit && closes_call(*probe_.best);
    if (closes && sentinel_ && sections_.any()) { // an empty section
        end_ = cursor_ = cursor_ + probe_.best_length;
        take_closer(*probe_.best);
        phase_ = phase::tail;
        return {};
    }
    if (last && probe_.cut) {
        return at_end(limit); // another opener, cut off
    }
    start_payload(opener_end_);
    return {};
}

} // namespace proxy::scaffold
