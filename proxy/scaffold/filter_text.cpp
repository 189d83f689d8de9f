// Prose and code: passes bytes on and waits only for what can still become a marker.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/filter_impl.hpp"
#include "proxy/scaffold/marker_uses.hpp"

namespace proxy::scaffold {

namespace {

/// Shortest piece of a sentinel that can't be anything else, such as "<|to" (D2).
constexpr std::uint32_t sentinel_prefix_min = 4;

/// True if the last bytes kept end with a quote or an opening bracket: what follows is quoted.
bool ends_quoting(std::uint32_t before) {
    const char last = static_cast<char>(before & 0xFFU);
    if (std::string_view("\"'`([{*_").find(last) != std::string_view::npos) {
        return true;
    }
    const auto three = before & 0xFFFFFFU;
    return three == 0xE2809CU || three == 0xE28098U || three == 0xE2809EU || // “ ‘ „
           three == 0xE3808CU;                                               // 「
}

} // namespace

place choice_filter::impl::where() const {
    place at;
    const char last = static_cast<char>(before & 0xFFU);
    at.line_start = code.at_line_start();
    at.fresh = fresh;
    at.glued = before != 0 && !is_space(last) && !ends_quoting(before);
    return at;
}

anchor_kind choice_filter::impl::level() const {
    if (!prose && fresh) {
        return anchor_kind::turn;
    }
    return code.at_line_start() ? anchor_kind::line : anchor_kind::anywhere;
}

void choice_filter::impl::flush(decisions& out) {
    emit.keep(kept_kind(), pos, out);
}

/// Passes the byte at `pos`, which the code context knows already, as kept text.
void choice_filter::impl::pass_plain() {
    const char c = text.at(pos);
    code.take(c);
    if (!is_space(c)) {
        prose = true;
        fresh = false;
    }
    before = before << 8U | static_cast<unsigned char>(c);
    ++pos;
    if (c == '\n') {
        line_begin = pos;
    }
}

void choice_filter::impl::pass_until(std::uint64_t end) {
    while (pos < end) {
        code.settle(text.at(pos));
        pass_plain();
    }
}

void choice_filter::impl::show(const marker_entry& entry) {
    for (const auto& use : entry.uses) {
        if (use.fmt->payload == payload_kind::harmony) {
            envelope_shown_at = pos;
        }
        if (use.role == marker_role::open || use.role == marker_role::section_open ||
            use.role == marker_role::mention) {
            shown_formats.set(use.format);
        }
    }
}

bool choice_filter::impl::shown(const marker_entry& entry) const {
    for (const auto& use : entry.uses) {
        if (use.role != marker_role::mention && shown_formats.test(use.format)) {
            return true;
        }
    }
    return false;
}

bool choice_filter::impl::run_text(bool last, decisions& out) {
    while (pos < text.end()) {
        if (!probing && prose && !fresh) {
            const auto rest = text.from(pos);
            const auto run = code.plain() ? markers.skip(rest)
                                          : (reasoning == nullptr ? code.skip_fenced(rest) : 0);
            if (run != 0) {
                for (std::size_t i = run > 4 ? run - 4 : 0; i < run; ++i) {
                    before = before << 8U | static_cast<unsigned char>(rest[i]);
                }
                pos += run;
                continue;
            }
        }
        const char c = text.at(pos);
        code.settle(c);
        const bool hidden = (code.in_code() && reasoning == nullptr) || pos < blind_until;
        const auto at = level();
        const bool marker_start = !hidden && markers.starts(c, at);
        const bool bare = !marker_start && !hidden && at != anchor_kind::anywhere && may_be_bare(c);
        if (!marker_start && !bare) {
            pass_plain();
            continue;
        }
        if (!(marker_start ? at_marker_start(last, out) : at_bare_start(last, out))) {
            return false;
        }
        if (now != state::text) {
            return true;
        }
    }
    flush(out);
    return false;
}

/// A byte that can start a marker: false if the next bytes must tell.
bool choice_filter::impl::at_marker_start(bool last, decisions& out) {
    if (!probing) {
        probe = markers.start(level());
        probing = true;
    }
    const auto found = markers.follow(probe, text.from(pos), last);
    if (found == matcher::outcome::more) {
        flush(out);
        return false;
    }
    probing = false;
    if (found == matcher::outcome::hit && on_marker(*probe.best, probe.best_length, out)) {
        return true;
    }
    if (found == matcher::outcome::hit) {
        show(*probe.best);
    } else if (last && strip_cut_marker(out)) {
        return true;
    } else if (may_be_bare(text.at(pos))) {
        return at_bare_start(last, out);
    }
    pass_plain();
    return true;
}

/// At the end of the text: is the rest the begin of a marker that was cut off (D2)? A sentinel's is
/// unmistakable; a plain tag must lack no more than its last bracket.
bool choice_filter::impl::strip_cut_marker(decisions& out) {
    const auto at = where();
    const bool own_line = at.line_start || at.fresh;
    if (!probe.cut || code.in_code() || code.inline_open() != 0) {
        return false;
    }
    const bool sentinel = probe.length >= sentinel_prefix_min && markers.only_sentinels(probe);
    bool markup = sentinel && ctx.tools && (own_line || at.glued);
    const auto* entry = markers.unfinished(probe);
    if (entry != nullptr && !ctx.sentinels_only && !shown(*entry)) {
        const bool closer =
            entry->has(marker_role::close) || entry->has(marker_role::section_close);
        const bool opener_cut =
            entry->has(marker_role::open) || entry->has(marker_role::section_open);
        markup =
            markup || (closer && (own_line || at.glued)) || (opener_cut && ctx.tools && own_line);
    }
    if (!markup) {
        return false;
    }
    flush(out);
    emit.begin_span(nullptr, span_kind::call, "cut_marker");
    end_span(text.end(), out);
    return true;
}

} // namespace proxy::scaffold
