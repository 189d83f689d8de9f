// A run of closers and control tokens: markup if nothing but them follows up to the turn's end (D6,
// D13), else text.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/filter_impl.hpp"
#include "proxy/scaffold/marker_uses.hpp"

#include <algorithm>

namespace proxy::scaffold {

void choice_filter::impl::begin_trailer(const marker_entry& entry, std::uint64_t length,
                                        bool control) {
    opener = &entry;
    trailer_end = trailer_cursor = pos + length;
    trailer_call = !control;
    trailer_sure = false;
    trailer_format = entry.uses.size() == 1 ? entry.uses.front().fmt : nullptr;
    probing = false;
    now = state::trailer;
}

bool choice_filter::impl::run_trailer(bool last, decisions& out) {
    const auto bound = pos + limits::candidate_bytes_max;
    const auto limit = std::min(text.end(), bound);
    while (trailer_cursor < limit) {
        const char c = text.at(trailer_cursor);
        if (is_space(c)) {
            ++trailer_cursor;
            continue;
        }
        if (!probing) {
            probe = markers.start(anchor_kind::anywhere);
            probing = true;
        }
        const auto found = markers.follow(probe, text.from(trailer_cursor), last);
        if (found == matcher::outcome::more) {
            return false;
        }
        probing = false;
        const bool cut_closer = found == matcher::outcome::none && last && probe.cut;
        if (cut_closer) {
            trailer_end = trailer_cursor = text.end();
            continue;
        }
        if (found == matcher::outcome::none ||
            !extend_trailer(*probe.best, probe.best_length, out)) {
            break;
        }
        if (now != state::trailer) {
            return true;
        }
    }
    if (trailer_cursor == text.end() && !last && trailer_cursor < bound) {
        return false;
    }
    if (trailer_sure || (trailer_cursor == text.end() && last)) {
        end_trailer(out);
        return true;
    }
    no_trailer_until = trailer_cursor; // something else follows: all of it is text
    now = state::text;
    return true;
}

/// Takes a further marker; false if it doesn't belong to such a run.
bool choice_filter::impl::extend_trailer(const marker_entry& entry, std::uint64_t length,
                                         decisions& out) {
    if (fresh && any_span && find_use(entry, is_result) != nullptr) {
        end_trailer(out); // behind a call: the run stands between it and its result
        return true;
    }
    const bool closer = find_use(entry, [](const marker_use& use) {
                            return is_close(use) && !is_kept_reasoning(*use.fmt);
                        }) != nullptr;
    const auto control = std::ranges::find_if(entry.uses, is_control);
    const bool is_token = control != entry.uses.end();
    if ((!closer && !is_token) || (!entry.sentinel && shown(entry))) {
        return false;
    }
    trailer_end = trailer_cursor = trailer_cursor + length;
    trailer_call = trailer_call || closer;
    if (is_token && control->fmt->place == control_place::header && !shown(entry)) {
        end_trailer(out); // the next part begins: what stands before its header is no sentence
    }
    return true;
}

void choice_filter::impl::end_trailer(decisions& out) {
    emit.begin_span(trailer_format, trailer_call ? span_kind::call : span_kind::control,
                    trailer_call ? "orphan_close" : "control");
    end_span(trailer_end, out);
}

} // namespace proxy::scaffold
