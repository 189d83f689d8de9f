// A whole marker in prose: what does it start? Each function says whether it took the marker; one
// that nobody takes is text.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/filter_impl.hpp"
#include "proxy/scaffold/marker_uses.hpp"

#include <algorithm>

namespace proxy::scaffold {

bool choice_filter::impl::on_marker(const marker_entry& entry, std::uint64_t length,
                                    decisions& out) {
    if (on_reasoning(entry, length, out)) {
        return true;
    }
    if (code.in_code()) { // only a reasoning block's closer counts there
        return false;
    }
    if (on_header(entry, length) || on_opener(entry, length) || on_body(entry, length, out)) {
        flush(out);
        return true;
    }
    return on_closer(entry, length, out) || on_control(entry, length, out);
}

/// A reasoning block that opens the turn is kept, but isn't visible text; its end starts the turn
/// anew.
bool choice_filter::impl::on_reasoning(const marker_entry& entry, std::uint64_t length,
                                       decisions& out) {
    if (reasoning != nullptr) {
        const auto* use = find_use(
            entry, [this](const marker_use& u) { return is_close(u) && u.fmt == reasoning; });
        if (use == nullptr) {
            return false;
        }
        pass_until(pos + length);
        flush(out);
        reasoning = nullptr;
        code = {};
        prose = false;
        fresh = true;
        before = 0;
        return true;
    }
    const auto* use = find_use(entry, [](const marker_use& u) {
        return u.role == marker_role::open && is_kept_reasoning(*u.fmt);
    });
    if (use == nullptr || prose || code.inline_open() != 0 || ctx.sentinels_only) {
        return false;
    }
    flush(out);
    reasoning = use->fmt;
    const auto end = pos + length;
    pass_until(end);
    prose = false;
    fresh = true;
    return true;
}

bool choice_filter::impl::on_opener(const marker_entry& entry, std::uint64_t length) {
    if (find_use(entry, is_open) == nullptr) {
        return false;
    }
    auto& read = reader();
    read.begin(entry, pos, length, where());
    const auto* use =
        find_use(entry, [&read](const marker_use& u) { return is_open(u) && read.usable(*u.fmt); });
    // D4: without tools, a plain example behind prose stays.
    if (use == nullptr || (!entry.sentinel && !ctx.tools && prose && !any_span)) {
        return false;
    }
    opener = &entry;
    watching = code.inline_open() != 0;
    if (watching) {
        watch.begin(code.inline_open());
    }
    watched = pos;
    call_done = false;
    now = state::candidate;
    return true;
}

/// Results that the model invents (D14), reasoning between sentinels (D12, D16).
bool choice_filter::impl::on_body(const marker_entry& entry, std::uint64_t length, decisions&) {
    const auto* use = find_use(entry, [](const marker_use& u) {
        return u.role == marker_role::open && u.fmt->payload == payload_kind::free_text &&
               u.fmt->strip_as != span_kind::call && !is_kept_reasoning(*u.fmt);
    });
    if (use == nullptr || code.inline_open() != 0) {
        return false;
    }
    const bool sentinel = use->fmt->cls == format_class::sentinel;
    if (ctx.sentinels_only && !sentinel) {
        return false;
    }
    const auto at = where();
    if (use->fmt->strip_as != span_kind::result) {
        body_sure = at.fresh || at.glued || at.line_start;
        if (!body_sure) {
            return false;
        }
    } else {
        body_sure = at.fresh && any_span;
        if (!body_sure && !(at.line_start && ctx.tools && !use->fmt->behind_call)) {
            return false;
        }
    }
    opener = &entry;
    body_format = use->fmt;
    segment = use->fmt->strip_as;
    body_strings.begin(false);
    body_opener_end = body_cursor = pos + length;
    probing = false;
    now = state::body;
    return true;
}

/// Closers without an opener (D6).
bool choice_filter::impl::on_closer(const marker_entry& entry, std::uint64_t length,
                                    decisions& out) {
    const auto* use = find_use(
        entry, [](const marker_use& u) { return is_close(u) && !is_kept_reasoning(*u.fmt); });
    if (use == nullptr || (ctx.sentinels_only && !entry.sentinel)) {
        return false;
    }
    if (use->fmt == envelope) {
        strip_marker(entry, length, span_kind::control, "envelope", out);
        return true;
    }
    if (shown(entry) || use->fmt->payload == payload_kind::harmony) {
        return false;
    }
    const auto at = where();
    const bool stands_out = at.line_start || at.glued || at.fresh;
    if (entry.sentinel && stands_out && code.inline_open() == 0) {
        reader().begin_behind(entry, pos, length);
        flush(out);
        watching = call_done = false;
        opener = &entry;
        now = state::candidate;
        return true;
    }
    if (pos < no_trailer_until || !(stands_out || (entry.sentinel && ctx.tools))) {
        return false;
    }
    begin_trailer(entry, length, false);
    flush(out);
    return true;
}

/// Control tokens (D13).
bool choice_filter::impl::on_control(const marker_entry& entry, std::uint64_t length,
                                     decisions& out) {
    const auto* use = find_use(entry, is_control);
    if (use == nullptr || (ctx.sentinels_only && !entry.sentinel)) {
        return false;
    }
    const auto at = where();
    const bool stands_out = at.line_start || at.glued || at.fresh;
    const auto role = use->fmt->place;
    if (role != control_place::trailing) {
        const bool counts = role == control_place::header ? at.fresh : stands_out;
        if (!counts || shown(entry) || code.inline_open() != 0) {
            return false;
        }
        strip_marker(entry, length, span_kind::control, "control", out);
        return true;
    }
    if (pos < no_trailer_until || !stands_out || (!entry.sentinel && shown(entry))) {
        return false;
    }
    begin_trailer(entry, length, true);
    flush(out);
    return true;
}

/// An envelope's header counts if it opens the turn or is glued to visible text (D12).
bool choice_filter::impl::on_header(const marker_entry& entry, std::uint64_t length) {
    const auto* use = find_use(entry, [](const marker_use& u) {
        return is_open(u) && u.fmt->payload == payload_kind::harmony;
    });
    const auto at = where();
    // The first token of the envelope is what must stand so; one already shown on this line makes
    // it a sentence about headers.
    const bool told = envelope_shown_at != no_offset && envelope_shown_at >= line_begin;
    if (use == nullptr || code.inline_open() != 0 ||
        !(at.fresh || (at.glued && !told) || use->fmt == envelope)) {
        return false;
    }
    opener = &entry;
    body_format = use->fmt;
    header_opener_end = header_cursor = pos + length;
    header = std::make_unique<envelope_header>();
    header->begin(entry.literal);
    now = state::header;
    return true;
}

void choice_filter::impl::strip_marker(const marker_entry& entry, std::uint64_t length,
                                       span_kind kind, std::string_view rule, decisions& out) {
    flush(out);
    const auto* fmt = entry.uses.size() == 1 ? entry.uses.front().fmt : nullptr;
    emit.begin_span(fmt, kind, rule);
    end_span(pos + length, out);
}

} // namespace proxy::scaffold
