// Envelopes (D12): the header goes, visible segments stay, the others go whole.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/filter_impl.hpp"
#include "proxy/scaffold/marker_uses.hpp"

namespace proxy::scaffold {

bool choice_filter::impl::run_header(bool last, decisions& out) {
    while (header_cursor < text.end()) {
        const auto status = header->step(text.at(header_cursor));
        ++header_cursor;
        if (status == envelope_header::status::broken) {
            release(header_opener_end, header_cursor);
            return true;
        }
        if (status == envelope_header::status::done) {
            open_segment(out);
            return true;
        }
    }
    if (!last) {
        return false;
    }
    // Cut inside a header; the opener is a sentinel that stands where envelopes stand (D2).
    emit.begin_span(body_format, span_kind::call, "opener_at_end");
    any_span = true;
    end_span(text.end(), out);
    return true;
}

void choice_filter::impl::open_segment(decisions& out) {
    const auto kind = header->kind();
    envelope = body_format;
    if (kind == segment_kind::visible && header->preamble() && ctx.tools) {
        preamble = std::make_unique<json_scanner>(json_scanner::shape::any, nullptr);
        preamble_whole = false;
        body_cursor = header_cursor;
        probing = false;
        now = state::preamble;
        return;
    }
    if (kind == segment_kind::visible) {
        show_segment(out);
        return;
    }
    segment = kind == segment_kind::call     ? span_kind::call
              : kind == segment_kind::result ? span_kind::result
                                             : span_kind::reasoning;
    emit.begin_span(body_format, segment, "envelope");
    emit.strip(text, header_cursor, out);
    body_cursor = body_opener_end = header_cursor;
    body_strings.begin(segment == span_kind::call);
    body_sure = true;
    probing = false;
    now = state::body;
}

/// The segment is for the user: only its header goes.
void choice_filter::impl::show_segment(decisions& out) {
    emit.begin_span(body_format, span_kind::control, "envelope");
    end_span(header_cursor, out);
}

/// A preamble is for the user, unless all of it is one JSON object: a call without its recipient
/// (formats.md 2.5).
bool choice_filter::impl::run_preamble(bool last, decisions& out) {
    const auto bound = header_cursor + limits::candidate_bytes_max;
    const auto limit = std::min(text.end(), bound);
    while (body_cursor < limit && !preamble_whole) {
        const char c = text.at(body_cursor);
        const auto result = preamble->take(c);
        const bool ended = result == step::done || result == step::back;
        preamble_whole = ended || preamble->whole_at_end();
        if (result == step::broken) {
            show_segment(out);
            return true;
        }
        body_cursor += result == step::back ? 0 : 1;
    }
    while (body_cursor < limit && preamble_whole && is_space(text.at(body_cursor))) {
        ++body_cursor;
    }
    if (body_cursor == text.end() && !last && body_cursor < bound) {
        return false;
    }
    return end_preamble(limit, last, out);
}

/// Behind the object, or where the text ends in it: is the segment over?
bool choice_filter::impl::end_preamble(std::uint64_t limit, bool last, decisions& out) {
    bool over = last && body_cursor == text.end() &&
                (preamble_whole || preamble->state() == payload_state::confirmed);
    if (body_cursor < limit && preamble_whole) {
        if (!probing) {
            probe = markers.start(anchor_kind::anywhere);
            probing = true;
        }
        const auto found = markers.follow(probe, text.from(body_cursor), last);
        if (found == matcher::outcome::more) {
            return false;
        }
        probing = false;
        over = found == matcher::outcome::hit ? body_role(*probe.best) != marker_role::mention ||
                                                    find_use(*probe.best, is_control) != nullptr
                                              : last && probe.cut;
    }
    if (!over) {
        show_segment(out);
        return true;
    }
    segment = span_kind::call;
    emit.begin_span(body_format, segment, "envelope");
    body_opener_end = header_cursor;
    body_strings.begin(true);
    body_sure = true;
    body_cursor = header_cursor;
    probing = false;
    now = state::body;
    return true;
}

} // namespace proxy::scaffold
