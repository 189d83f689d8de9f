// Candidates and free bodies: hold, strip, or release.
#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/filter_impl.hpp"
#include "proxy/scaffold/marker_uses.hpp"

#include <algorithm>

namespace proxy::scaffold {

/// A result that came as a message of its own has no closer: the next message's tokens end it.
bool choice_filter::impl::is_message() const {
    return segment == span_kind::result && body_format->close.empty() && body_format->behind_call;
}

bool choice_filter::impl::ends_message(const marker_entry& entry) const {
    return entry.sentinel && find_use(entry, is_control) != nullptr;
}

bool choice_filter::impl::may_end_body(char c) const {
    const bool anchored = body_format->anchor != anchor_kind::anywhere;
    const auto& closers = body_format->close;
    return markers.starts(c, anchor_kind::anywhere) ||
           (anchored &&
            std::ranges::any_of(closers, [c](const marker& m) { return m.literal.front() == c; }));
}

/// What a marker is to the body that is open: its closer, the next segment's header (open), or
/// nothing (mention).
marker_role choice_filter::impl::body_role(const marker_entry& entry) const {
    if (is_message()) {
        const bool again = find_use(entry, [this](const marker_use& use) {
                               return use.role == marker_role::open && use.fmt == body_format;
                           }) != nullptr;
        const bool ends = ends_message(entry) || find_use(entry, is_result) != nullptr;
        return ends && !again ? marker_role::open : marker_role::mention;
    }
    for (const auto& use : entry.uses) {
        if (use.fmt != body_format) {
            continue;
        }
        if (use.role == marker_role::close || use.role == marker_role::section_close) {
            return marker_role::close;
        }
        if (use.fmt->payload == payload_kind::harmony) {
            return marker_role::open;
        }
    }
    return marker_role::mention;
}

/// Ends the open span at `end`; reading goes on there.
void choice_filter::impl::end_span(std::uint64_t end, decisions& out) {
    PROXY_ENSURE(end >= pos);
    emit.strip(text, end, out);
    emit.end_span(out);
    pos = end;
    fresh = true;
    probing = false;
    now = state::text;
}

/// The opener is text, and what was read behind it is read again, as long as the credit lasts.
void choice_filter::impl::release(std::uint64_t opener_end, std::uint64_t broken_at) {
    PROXY_ENSURE(pos >= emit.decided()); // nothing of it is stripped yet
    show(*opener);
    now = state::text;
    probing = false;
    pass_until(std::max(opener_end, pos + 1)); // a bare payload has no opener
    rescanned += broken_at - opener_end;
    if (rescanned > limits::rescan_factor * broken_at) {
        blind_until = broken_at;
    }
}

/// What reads a candidate. It is kept once there is one: where markup came, more is to be expected.
candidate& choice_filter::impl::reader() {
    if (!call) {
        call = std::make_unique<candidate>(markers, ctx);
    }
    return *call;
}

bool choice_filter::impl::run_candidate(bool last, decisions& out) {
    if (watching) {
        if (!watch_inline(last)) {
            return false;
        }
        if (now != state::candidate) {
            return true;
        }
    }
    const auto status = call_done ? candidate::status::done : call->advance(text, text.end(), last);
    if (status == candidate::status::refuted) {
        release(call->opener_end(), call->broken_at());
        return true;
    }
    if (const auto sure = call->sure_end(); sure > emit.decided()) {
        if (!emit.in_span()) {
            emit.begin_span(call->fmt(), call->kind(), call->rule());
            any_span = any_span || call->kind() != span_kind::reasoning;
        }
        emit.name_span(call->fmt());
        emit.strip(text, sure, out);
    }
    if (status == candidate::status::more) {
        return false;
    }
    end_span(call->sure_end(), out);
    return true;
}

/// The opener stands behind an open backtick run: reads byte by byte until it is known whether
/// that run closes. True when it is known (or the candidate is refuted), false for more.
bool choice_filter::impl::watch_inline(bool last) {
    auto answer = inline_watch::answer::open;
    while (answer == inline_watch::answer::open && watched < text.end()) {
        const bool final_byte = last && watched + 1 == text.end();
        if (!call_done) {
            const auto status =
                call->advance(text, std::max(watched + 1, call->opener_end()), final_byte);
            if (status == candidate::status::refuted) {
                watching = false;
                release(call->opener_end(), call->broken_at());
                return true;
            }
            call_done = status == candidate::status::done;
        }
        answer = watch.step(text.at(watched));
        ++watched;
        if (watched - pos > limits::candidate_bytes_max) {
            answer = inline_watch::answer::code;
        }
    }
    if (answer == inline_watch::answer::open && !last) {
        return false;
    }
    if (answer == inline_watch::answer::open) {
        answer = watch.finish();
    }
    watching = false;
    if (answer == inline_watch::answer::code) {
        code.confirm_inline();
        now = state::text;
    } else {
        code.drop_inline();
    }
    return true;
}

bool choice_filter::impl::run_body(bool last, decisions& out) {
    if (body_sure && !emit.in_span()) {
        emit.begin_span(body_format, segment, "body");
    }
    // What is only a result if it is closed waits no longer than any candidate.
    const auto bound = body_opener_end + limits::candidate_bytes_max;
    const auto limit = body_sure ? text.end() : std::min(text.end(), bound);
    while (body_cursor < limit) {
        const char c = text.at(body_cursor);
        if (body_strings.inside() || !may_end_body(c)) {
            body_strings.step(c);
            ++body_cursor;
            continue;
        }
        if (!probing) {
            const bool anchored = body_format->anchor != anchor_kind::anywhere;
            probe =
                anchored ? markers.start_behind_payload() : markers.start(anchor_kind::anywhere);
            probing = true;
        }
        const auto found = markers.follow(probe, text.from(body_cursor), last);
        if (found == matcher::outcome::more) {
            break;
        }
        probing = false;
        const auto* ends = found == matcher::outcome::hit ? probe.best : nullptr;
        const auto use = ends == nullptr ? marker_role::mention : body_role(*ends);
        if (use == marker_role::mention) {
            body_strings.step(c);
            ++body_cursor;
            continue;
        }
        if (!emit.in_span()) {
            emit.begin_span(body_format, segment, "body");
        }
        any_span = any_span || segment != span_kind::reasoning;
        end_span(body_cursor + (use == marker_role::close ? probe.best_length : 0), out);
        if (is_message() && ends_message(*ends)) { // the tokens go with it, whatever follows them
            begin_trailer(*ends, probe.best_length, true);
            trailer_sure = true;
        }
        return true;
    }
    if (body_sure) {
        emit.strip(text, last ? text.end() : body_cursor, out);
        if (last) {
            end_span(text.end(), out);
        }
        return last;
    }
    if (last || body_cursor == bound) {
        release(body_opener_end, body_cursor);
        return true;
    }
    return false;
}

} // namespace proxy::scaffold
