// The payload of a candidate: all its formats read it side by side.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/bare_call.hpp"
#include "proxy/scaffold/candidate.hpp"
#include "proxy/scaffold/marker_uses.hpp"

#include <algorithm>

namespace proxy::scaffold {

void candidate::start_payload(std::uint64_t from) {
    scanners_.clear();
    for (const auto& use : opener_->uses) {
        const bool apart = cursor_ != opener_end_ && use.fmt->glued;
        if (use.role == marker_role::open && usable(*use.fmt) && !apart) {
            scanners_.push_back({use.fmt, make_scanner({use.fmt, &ctx_, opener_->literal})});
        }
    }
    fed_ = broken_at_ = from;
    compared_ = bare_ || scanners_.size() < 2;
    phase_ = phase::payload;
    free_text_ = !scanners_.empty() && scanners_.front().fmt->payload == payload_kind::free_text;
    if (free_text_) { // the opener is so long that it is evidence enough
        fmt_ = scanners_.front().fmt;
        scanners_.clear();
        committed_ = dropped_ = true;
        cursor_ = from;
        blank_ = probing_ = false;
        phase_ = phase::drain;
    }
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
        family_ = family_ == nullptr ? completed : family_; // the first call gives the name
        enter_tail(completed_end);
    }
    return completed != nullptr;
}

/// Up to the first byte that isn't white space: there most scanners know what they read, and of
/// those that read alike the first one is enough. True if a payload is whole.
bool candidate::feed_first(const window& text, std::uint64_t bound) {
    auto first = fed_;
    while (!compared_ && first < bound && is_space(text.at(first))) {
        ++first;
    }
    if (compared_ || first == bound) {
        return false;
    }
    compared_ = true;
    if (feed_scanners(text.between(fed_, first + 1))) {
        return true;
    }
    if (!scanners_.empty()) {
        fed_ = first + 1;
        drop_alike();
    }
    return false;
}

void candidate::drop_alike() {
    for (std::size_t i = 0; i < scanners_.size(); ++i) {
        const auto alike = [&one = scanners_[i]](const live_scanner& other) {
            return one.fmt->needs_declared_name == other.fmt->needs_declared_name &&
                   one.scanner->reads_like(*other.scanner);
        };
        const auto behind = scanners_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        scanners_.erase(std::remove_if(behind, scanners_.end(), alike), scanners_.end());
    }
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

candidate::verdict candidate::payload(const window& text, std::uint64_t limit, bool last) {
    const auto bound = committed_ ? limit : std::min(limit, std::max(commit_at_, fed_));
    const bool whole = bare_ ? feed_bare(text, bound)
                             : feed_first(text, bound) || feed_scanners(text.between(fed_, bound));
    if (whole) {
        return check_bare(text);
    }
    if (scanners_.empty() || (bare_ && bound >= commit_at_)) {
        return fail(std::max(broken_at_, fed_));
    }
    fed_ = bound;
    if (!committed_ && fed_ >= commit_at_) {
        committed_ = dropped_ = true;
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
    bool refused = false; // a call, but none that counts
    for (auto& live : scanners_) {
        live.scanner->finish();
        const auto state = live.scanner->state();
        if (state == payload_state::complete && accepts(live)) {
            fmt_ = live.fmt;
            const auto end = limit - live.scanner->tail();
            // A fence around the payload may be cut in its closing backticks.
            const bool only_rest = std::ranges::all_of(
                text.between(end, limit), [](char c) { return is_space(c) || c == '`'; });
            enter_tail(only_rest && !fmt_->close.empty() ? limit : end);
            return check_bare(text);
        }
        // A header and any text up to the end: where a sentence goes on, that is the sentence.
        const bool any_text =
            live.fmt->payload == payload_kind::name_sep_text && !stands_out() && sentinel_;
        const bool evident = state == payload_state::confirmed ||
                             state == payload_state::complete ||
                             ctx_.declared(live.scanner->name());
        const bool counts = accepts(live) && !any_text;
        refused = refused || (evident && !counts);
        if (evident && counts && !confirmed) {
            confirmed = true;
            fmt_ = live.fmt;
        }
    }
    if (confirmed) {
        rule_ = end_ == 0 ? "payload_cut" : rule_;
        enter_tail(limit);
        return close(true);
    }
    return refused && end_ == 0 ? fail(limit) : at_end(limit);
}

/// Does the span begin where no sentence goes on?
bool candidate::stands_out() const {
    return where_.line_start || where_.fresh || (sentinel_ && where_.glued);
}

/// The text ends behind an opener whose payload isn't confirmed (D2).
candidate::verdict candidate::at_end(std::uint64_t limit) {
    const bool wrapped = opener_end_ != first_end_; // one opener in another is no sentence
    const bool has_literal = opener_->uses.front().fmt->cls != format_class::shaped;
    if (end_ != 0 || (ctx_.tools && (stands_out() || wrapped) && has_literal)) {
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
        free_text_ = false;
        blank_ = probing_ = false;
        phase_ = phase::drain;
        return {};
    }
    broken_at_ = at;
    // What a whole payload needs behind it is not there either.
    return end_ != 0 && !pending_ ? status::done : status::refuted;
}

} // namespace proxy::scaffold
