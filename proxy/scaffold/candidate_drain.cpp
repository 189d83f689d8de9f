// A payload that is dropped as it comes and whose reader gave up: where does it end? And which
// markers close it.
#include "proxy/scaffold/candidate.hpp"
#include "proxy/scaffold/marker_uses.hpp"

namespace proxy::scaffold {

/// Closers of any family may follow; those of anchored formats (three backticks) only behind their
/// own payload, and once: the next ones are the answer's.
bool candidate::may_close(const marker_entry& entry) const {
    return find_use(entry, [this](const marker_use& use) {
               const bool own_once = use.fmt == fmt_ && !closed_;
               const bool section =
                   use.role == marker_role::section_close && sections_.test(use.format);
               return is_close(use) && use.fmt->strip_as == span_kind::call &&
                      (own_once || section || use.fmt->anchor == anchor_kind::anywhere);
           }) != nullptr;
}

bool candidate::closes_own(const marker_entry& entry) const {
    return find_use(entry, [this](const marker_use& use) {
               return is_close(use) && use.fmt == fmt_;
           }) != nullptr;
}

/// A committed payload broke: the span ends at the next closer, opener or blank line.
candidate::verdict candidate::drain(const window& text, std::uint64_t limit, bool last) {
    while (cursor_ < limit) {
        const char c = text.at(cursor_);
        if (c == '\n' && !free_text_) {
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
        const bool ends = found == matcher::outcome::hit && closes_call(*probe_.best) &&
                          (!free_text_ || closes_own(*probe_.best));
        if (ends) {
            const auto* closer = probe_.best;
            enter_tail(cursor_ + probe_.best_length);
            take_closer(*closer);
            return {};
        }
        if (found == matcher::outcome::hit && !free_text_ && opens(*probe_.best)) {
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
