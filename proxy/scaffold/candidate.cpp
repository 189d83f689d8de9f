#include "proxy/scaffold/candidate.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/bare_call.hpp"

#include <algorithm>

namespace proxy::scaffold {

namespace {

constexpr unsigned loose_braces_max = 4;

bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool is_closer(const marker_entry& entry) {
    return std::ranges::any_of(entry.uses, [](const marker_use& use) {
        return (use.role == marker_role::close || use.role == marker_role::section_close) &&
               use.fmt->strip_as == span_kind::call;
    });
}

bool is_control(const marker_entry& entry) {
    return std::ranges::any_of(
        entry.uses, [](const marker_use& use) { return use.fmt->payload == payload_kind::none; });
}

bool is_json(payload_kind kind) {
    return kind == payload_kind::json_call || kind == payload_kind::json_list ||
           kind == payload_kind::call_any;
}

} // namespace

bool candidate::usable(const format& fmt) const {
    if (fmt.strip_as != span_kind::call || fmt.payload == payload_kind::none ||
        fmt.payload == payload_kind::free_text || fmt.payload == payload_kind::harmony) {
        return false;
    }
    if (fmt.cls == format_class::sentinel || sentinel_) {
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
    bare_ = pending_ = false;
    wrappers_.reset();
    scanners_.clear();
    opener_ = nullptr;
    fmt_ = opener.uses.front().fmt;
    rule_ = "payload";
    take_opener(opener, first_end_);
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
    for (const auto& use : opener.uses) {
        if (use.role == marker_role::section_open) {
            wrappers_.set(use.format);
        }
    }
    sentinel_ = sentinel_ || opener.sentinel;
    opener_ = &opener;
    opener_end_ = cursor_ = end;
    commit_at_ = end + limits::candidate_bytes_max;
    committed_ = closed_ = probing_ = false;
    phase_ = phase::seek;
}

void candidate::take_closer(const marker_entry& closer) {
    closed_ = true;
    for (const auto& use : closer.uses) {
        if (use.role == marker_role::section_close) {
            wrappers_.reset();
        } else if (use.role == marker_role::close) {
            wrappers_.reset(use.format);
        }
    }
}

std::uint64_t candidate::sure_end() const {
    if (pending_) {
        return 0;
    }
    if (committed_) {
        return phase_ == phase::payload ? fed_ : std::max(end_, cursor_);
    }
    return end_;
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
        probe_ = phase_ == phase::tail ? markers_.start_behind_payload()
                                       : markers_.start(anchor_kind::anywhere);
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
    const auto found = probe(text, limit, last);
    if (found == matcher::outcome::more) {
        return status::more;
    }
    if (found == matcher::outcome::hit && opens(*probe_.best)) {
        take_opener(*probe_.best, cursor_ + probe_.best_length);
        return {};
    }
    const bool closes = found == matcher::outcome::hit && is_closer(*probe_.best);
    if (closes && sentinel_ && wrappers_.any()) { // an empty section
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

void candidate::start_payload(std::uint64_t from) {
    scanners_.clear();
    for (const auto& use : opener_->uses) {
        const bool apart = cursor_ != opener_end_ && use.fmt->glued;
        if (use.role == marker_role::open && usable(*use.fmt) && !apart) {
            scanners_.push_back({use.fmt, make_scanner({use.fmt, &ctx_, opener_->literal})});
        }
    }
    fed_ = broken_at_ = from;
    phase_ = phase::payload;
}

bool candidate::accepts(const live_scanner& live) const {
    return !live.fmt->needs_declared_name || ctx_.declared(live.scanner->name());
}

/// Feeds all scanners; true if one completed: end_ and fmt_ are set.
bool candidate::feed_scanners(std::string_view chunk) {
    std::uint64_t completed_at = 0;
    std::uint64_t completed_end = 0;
    const format* completed = nullptr;
    for (auto& live : scanners_) {
        const auto taken_at = fed_ + live.scanner->feed(chunk);
        const auto state = live.scanner->state();
        if (state == payload_state::complete && accepts(live)) {
            if (completed == nullptr || taken_at < completed_at) {
                completed = live.fmt;
                completed_at = taken_at;
                completed_end = taken_at - live.scanner->tail();
            }
        } else if (state == payload_state::broken || state == payload_state::complete) {
            broken_at_ = std::max(broken_at_, taken_at);
            live.scanner.reset();
        }
    }
    std::erase_if(scanners_, [](const live_scanner& live) { return live.scanner == nullptr; });
    if (completed != nullptr) {
        fmt_ = completed;
        enter_tail(completed_end);
    }
    return completed != nullptr;
}

/// Without an opener the name decides: as soon as it is known to be none of the declared ones, the
/// text is released. Byte by byte, so that this falls at the same byte however the text is cut.
bool candidate::feed_bare(const window& text, std::uint64_t bound) {
    while (fed_ < bound && !scanners_.empty()) {
        if (feed_scanners(text.between(fed_, fed_ + 1))) {
            return true;
        }
        ++fed_;
        if (names_undeclared()) {
            scanners_.clear();
        }
    }
    return false;
}

bool candidate::names_undeclared() const {
    return std::ranges::all_of(scanners_, [this](const live_scanner& live) {
        const auto name = live.scanner->name();
        return is_json(live.fmt->payload) && !name.empty() && !ctx_.declared(name);
    });
}

void candidate::enter_tail(std::uint64_t end) {
    end_ = cursor_ = end;
    committed_ = closed_ = probing_ = false;
    loose_ = 0;
    scanners_.clear();
    phase_ = phase::tail;
    ending_ = fmt_->alone    ? ending::turn_end
              : !bare_       ? ending::any
              : starts_turn_ ? ending::line_end
                             : ending::turn_end;
    pending_ = ending_ != ending::any;
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

candidate::verdict candidate::payload(const window& text, std::uint64_t limit, bool last) {
    const auto bound = committed_ ? limit : std::min(limit, std::max(commit_at_, fed_));
    const bool whole = bare_ ? feed_bare(text, bound) : feed_scanners(text.between(fed_, bound));
    if (whole) {
        return check_bare(text);
    }
    if (scanners_.empty() || (bare_ && bound >= commit_at_)) {
        return fail(std::max(broken_at_, fed_));
    }
    fed_ = bound;
    if (!committed_ && fed_ >= commit_at_) {
        committed_ = true;
        fmt_ = scanners_.front().fmt;
    }
    if (fed_ < limit) {
        return {};
    }
    return last ? finish_payload(text, limit) : status::more;
}

/// A whole payload of JSON without an opener must be a call in every part (D7).
candidate::verdict candidate::check_bare(const window& text) {
    if (bare_ && is_json(fmt_->payload) && !is_bare_call(text.between(start_, end_), ctx_)) {
        end_ = 0;
        return fail(cursor_);
    }
    return {};
}

candidate::verdict candidate::finish_payload(const window& text, std::uint64_t limit) {
    bool confirmed = committed_;
    for (auto& live : scanners_) {
        live.scanner->finish();
        const auto state = live.scanner->state();
        if (state == payload_state::complete && accepts(live)) {
            fmt_ = live.fmt;
            enter_tail(limit - live.scanner->tail());
            return check_bare(text);
        }
        const bool evident =
            state == payload_state::confirmed || ctx_.declared(live.scanner->name());
        if (evident && accepts(live) && !confirmed) {
            confirmed = true;
            fmt_ = live.fmt;
        }
    }
    if (confirmed) {
        rule_ = end_ == 0 ? "payload_cut" : rule_;
        enter_tail(limit);
        return close(true);
    }
    return at_end(limit);
}

/// The text ends behind an opener whose payload isn't confirmed (D2).
candidate::verdict candidate::at_end(std::uint64_t limit) {
    const bool wrapped = opener_end_ != first_end_; // one opener in another is no sentence
    const bool stands_out =
        where_.line_start || where_.fresh || (sentinel_ && where_.glued) || wrapped;
    const bool has_literal = opener_->uses.front().fmt->cls != format_class::shaped;
    if (end_ != 0 || (ctx_.tools && stands_out && has_literal)) {
        rule_ = end_ == 0 ? "opener_at_end" : rule_;
        enter_tail(limit);
        return close(true);
    }
    return fail(limit);
}

candidate::verdict candidate::fail(std::uint64_t at) {
    scanners_.clear();
    if (committed_) {
        cursor_ = at;
        blank_ = probing_ = false;
        phase_ = phase::drain;
        return {};
    }
    broken_at_ = at;
    return end_ != 0 ? status::done : status::refuted;
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
    if (fmt_->payload != payload_kind::tag_params || !fmt_->open.empty() ||
        !text.starts_with('<')) {
        return match::no;
    }
    const std::string closer = "</" + std::string(opener.substr(1));
    if (text.starts_with(closer)) {
        return match::yes;
    }
    return closer.starts_with(text) && !last ? match::more : match::no;
}

/// Behind a payload: closers, with white space between them; in a section the next call.
candidate::verdict candidate::tail(const window& text, std::uint64_t limit, bool last) {
    if (verdict found;
        pending_ && ending_ == ending::line_end && !may_end_line(text, limit, last, found)) {
        return found;
    }
    while (cursor_ < limit) {
        const char c = text.at(cursor_);
        if (closes_bracket(c)) {
            end_ = ++cursor_;
            closed_ = true;
            continue;
        }
        const bool stray_brace = c == '}' && !closed_ && loose_ < loose_braces_max;
        if (!is_space(c) && !stray_brace) {
            break;
        }
        loose_ += stray_brace ? 1 : 0; // "{{…}}" and one brace too many were seen
        ++cursor_;
        if (cursor_ - end_ > limits::candidate_start_max) {
            return close(false);
        }
    }
    if (cursor_ == limit) {
        return last ? close(true) : status::more;
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
    switch (probe(text, limit, last)) {
    case matcher::outcome::more:
        return status::more;
    case matcher::outcome::hit:
        if (is_closer(*probe_.best) || (pending_ && is_control(*probe_.best))) {
            end_ = cursor_ = cursor_ + probe_.best_length;
            take_closer(*probe_.best);
            return {};
        }
        if (wrappers_.any() && opens(*probe_.best)) {
            closed_ = true;
            take_opener(*probe_.best, cursor_ + probe_.best_length);
            return {};
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
    if (line_ends && unfinished != nullptr && is_closer(*unfinished)) {
        end_ = cursor_ = stop;
        closed_ = true;
        return {};
    }
    if (text.at(cursor_) == '{' && !closed_ && loose_ == 0 && fmt_ != nullptr &&
        is_json(fmt_->payload)) {
        commit_at_ = cursor_ + limits::candidate_bytes_max;
        closed_ = true;
        start_payload(cursor_);
        return {};
    }
    return close(false);
}

/// A committed payload broke: the span ends at the next closer, opener or blank line.
candidate::verdict candidate::drain(const window& text, std::uint64_t limit, bool last) {
    while (cursor_ < limit) {
        const char c = text.at(cursor_);
        if (c == '\n') {
            if (blank_) {
                enter_tail(cursor_);
                return status::done;
            }
            blank_ = true;
            ++cursor_;
            continue;
        }
        if (!markers_.starts(c, anchor_kind::anywhere)) {
            blank_ = blank_ && is_space(c);
            ++cursor_;
            continue;
        }
        const auto found = probe(text, limit, last);
        if (found == matcher::outcome::more) {
            return status::more;
        }
        if (found == matcher::outcome::hit && is_closer(*probe_.best)) {
            const auto* closer = probe_.best;
            enter_tail(cursor_ + probe_.best_length);
            take_closer(*closer);
            return {};
        }
        if (found == matcher::outcome::hit && opens(*probe_.best)) {
            enter_tail(cursor_);
            return status::done;
        }
        blank_ = false;
        ++cursor_;
    }
    if (last) {
        enter_tail(limit);
        return status::done;
    }
    return status::more;
}

} // namespace proxy::scaffold
