// How decided runs of text settle the pieces that waited for them: events leave with their own
// bytes or edited, cut-off texts go in front of the next text.
#include "proxy/base/ensure.hpp"
#include "proxy/base/free_memory.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/base/text.hpp"
#include "proxy/turn/choice_track.hpp"
#include "proxy/turn/token_lists.hpp"

#include <algorithm>

namespace proxy::turn {

void choice_track::apply_runs(workspace& work, piece* current) {
    std::size_t i = 0;
    for (const scaffold::run& decided : work.decided.runs) {
        std::size_t left = decided.bytes;
        while (left > 0) {
            const bool held = i < pieces_.size();
            piece* p = held ? &pieces_[i] : current;
            PROXY_ENSURE(p != nullptr && !p->done());
            const std::size_t part = std::min(left, p->text_bytes - p->decided);
            apply_part(*p, held ? text_of(*p, work) : work.text, decided.kind, part);
            left -= part;
            if (held && p->done()) {
                ++i;
            }
        }
    }
}

void choice_track::apply_part(piece& p, const json::decoded_string& text, scaffold::run_kind kind,
                              std::size_t bytes) {
    const std::size_t end = p.decided + bytes;
    const bool strip = kind == scaffold::run_kind::strip;
    p.shift = p.decided == 0 ? cuts_.stripped() : p.shift;
    cuts_.add(text.text().substr(p.decided, bytes), strip);
    if (strip) {
        p.stripped = true;
        if (p.never_cut) {
            add_range(p.gone, {p.decided, end});
        }
    } else {
        const std::size_t from = text.raw_offset(p.decided);
        p.kept.append(text.raw().substr(from, text.raw_offset(end) - from));
        if (kind == scaffold::run_kind::reasoning) {
            p.reasoning = true;
        } else {
            p.blank = p.blank && base::is_blank(text.text().substr(p.decided, bytes));
        }
    }
    p.decided = end;
}

const json::decoded_string& choice_track::text_of(const piece& p, workspace& work) const {
    if (p.whole) {
        const std::string_view data =
            std::string_view(p.bytes).substr(p.before_data, p.data_length);
        PROXY_ENSURE(work.held_chunk.parse(data) && work.held_chunk.choices_count() == 1);
        work.held_text.set(work.held_chunk.choices()[0].text.inside);
    } else {
        work.held_text.set(p.bytes);
    }
    PROXY_ENSURE(work.held_text.text().size() == p.text_bytes);
    return work.held_text;
}

void choice_track::settle_pieces(workspace& work) {
    auto settled = pieces_.begin();
    for (; settled != pieces_.end() && settled->done(); ++settled) {
        if (settled->whole) {
            held_event_bytes_ -= settled->bytes.size();
            close_whole(*settled, work);
        } else {
            give_prefix(*settled, work);
        }
    }
    pieces_.erase(pieces_.begin(), settled);
    if (pieces_.empty()) {
        base::free_memory(pieces_); // most of a stream's time nothing is held
    }
    if (!pieces_.empty() && pieces_.front().decided > 0) {
        settle_partly(pieces_.front(), work);
    }
}

// The front piece is decided in part: what is kept of it leaves, the rest becomes a cut-off text.
void choice_track::settle_partly(piece& p, workspace& work) {
    if (p.whole && p.kept.empty() && work.prefix.empty()) {
        return;
    }
    if (p.never_cut) {
        if (!work.prefix.empty()) {
            take_prefix(p, work);
            p.stripped = true;
        }
        return;
    }
    const json::decoded_string& text = text_of(p, work);
    piece rest;
    rest.bytes = std::string(text.raw().substr(text.raw_offset(p.decided)));
    rest.text_bytes = p.text_bytes - p.decided;
    if (p.whole) {
        held_event_bytes_ -= p.bytes.size();
        p.stripped = true;
        close_whole(p, work);
    } else {
        give_prefix(p, work);
    }
    p = std::move(rest);
}

// A cut-off text is decided: what is kept of it goes in front of the next text.
void choice_track::give_prefix(const piece& p, workspace& work) {
    work.prefix += p.kept;
    prefix_blank_ = prefix_blank_ && p.blank;
    prefix_reasoning_ = prefix_reasoning_ || p.reasoning;
}

// Moves the kept tails in front of the piece's own kept text.
void choice_track::take_prefix(piece& p, workspace& work) {
    p.kept.insert(0, work.prefix);
    p.blank = p.blank && prefix_blank_;
    p.reasoning = p.reasoning || prefix_reasoning_;
    work.prefix.clear();
    prefix_blank_ = true;
    prefix_reasoning_ = false;
}

// True if this text need not wait for the first visible byte.
bool choice_track::opens(const piece& p) const {
    return open_ || p.kept.empty() || !p.blank || p.reasoning;
}

// Leading white space goes out now: its events to work.before, its cut-off text to work.prefix.
void choice_track::open(workspace& work, bool visible) {
    work.before += leading_events_;
    work.prefix = leading_text_;
    base::free_memory(leading_events_);
    base::free_memory(leading_text_);
    visible_ = visible_ || visible;
    open_ = open_ || visible;
}

void choice_track::bound_leading(workspace& work) {
    if (leading_events_.size() + leading_text_.size() > limits::leading_space_bytes_max) {
        work.before += leading_events_;
        base::free_memory(leading_events_);
        open_ = true;
    }
}

void choice_track::close_whole(piece& p, workspace& work) {
    bool changed = p.stripped || !work.prefix.empty();
    take_prefix(p, work);
    if (!opens(p)) {
        if (leading_text_.empty()) {
            write_held(p, changed, work, leading_events_);
        } else {
            leading_text_ += p.kept;
        }
        bound_leading(work);
        return;
    }
    if (p.kept.empty()) {
        return;
    }
    if (!p.blank || p.reasoning) {
        open(work, !p.blank);
        changed = changed || !work.prefix.empty();
        take_prefix(p, work);
    }
    write_held(p, changed, work, work.before);
}

void choice_track::write_held(const piece& p, bool changed, workspace& work, std::string& to) {
    if (!changed && (!p.never_cut || p.shift == 0)) {
        to += p.bytes;
        return;
    }
    const std::string_view data = std::string_view(p.bytes).substr(p.before_data, p.data_length);
    PROXY_ENSURE(work.held_chunk.parse(data));
    work.held_editor.begin({p.bytes, data, true});
    if (changed) {
        work.held_editor.replace(work.held_chunk.choices()[0].text.inside, p.kept);
    }
    if (p.never_cut) {
        cut_held_lists(p, data, work);
    }
    work.held_editor.write(to);
}

void choice_track::cut_held_lists(const piece& p, std::string_view data, workspace& work) const {
    const auto choice = find_choice(data, 0);
    if (!choice) {
        return;
    }
    work.held_text.set(work.held_chunk.choices()[0].text.inside);
    const auto replace = [&work](std::string_view old, std::string_view text) {
        work.held_editor.replace(old, text);
    };
    if (!cut_token_lists(*choice, {work.held_text.text(), &p.gone, p.shift}, replace)) {
        ++work.lists_nulled;
    }
}

// Says what goes of the event in hand: what was stripped, and all behind the first `kept_bytes`.
void choice_track::tell_cut(piece& p, std::size_t kept_bytes, workspace& work) const {
    if (kept_bytes == 0) {
        p.gone.clear();
    }
    add_range(p.gone, {kept_bytes, p.text_bytes});
    work.stripped = std::move(p.gone);
    work.shift = p.shift;
}

} // namespace proxy::turn
