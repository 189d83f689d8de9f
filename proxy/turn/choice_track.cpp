#include "proxy/turn/choice_track.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/base/text.hpp"
#include "proxy/turn/token_lists.hpp"

#include <algorithm>

namespace proxy::turn {

namespace {

bool keeps_all(const scaffold::decisions& decided, std::size_t bytes) {
    return decided.runs.size() == 1 && decided.runs[0].kind == scaffold::run_kind::text &&
           decided.runs[0].bytes == bytes;
}

} // namespace

choice_track::choice_track(std::uint32_t index, const scaffold::catalog& formats,
                           const scaffold::context& ctx)
    : index_(index), filter_(formats, ctx), formats_(&formats), ctx_(&ctx) {}

fate choice_track::take(const event_text& text, workspace& work) {
    work.text.set(text.inside);
    work.decided.clear();
    work.prefix.clear();
    work.new_text.clear();
    work.stripped.clear();
    work.shift = cuts_.stripped();
    if (finished_) {
        filter_ = scaffold::choice_filter(*formats_, *ctx_);
        finished_ = false;
    }
    filter_.feed(work.text.text(), work.decided);
    if (text.ends) {
        filter_.finish(work.decided);
        finished_ = true;
    }
    if (pieces_.empty() && keeps_all(work.decided, work.text.text().size())) {
        const bool first = !visible_ && leading_events_.empty() && leading_text_.empty() &&
                           !base::is_blank(work.text.text());
        if (visible_ || first) {
            visible_ = open_ = true;
            cuts_.pass(work.text.text());
            return fate::unchanged;
        }
    }
    piece current;
    current.text_bytes = work.text.text().size();
    current.never_cut = text.never_cut;
    prefix_blank_ = true;
    prefix_reasoning_ = false;
    apply_runs(work, &current);
    settle_pieces(work);
    return current.done() ? close_current(current, text, work) : leave_partly(current, text, work);
}

void choice_track::finish(workspace& work) {
    work.decided.clear();
    work.prefix.clear();
    work.new_text.clear();
    if (finished_) {
        return;
    }
    finished_ = true;
    prefix_blank_ = true;
    prefix_reasoning_ = false;
    filter_.finish(work.decided);
    apply_runs(work, nullptr);
    settle_pieces(work);
    PROXY_ENSURE(pieces_.empty());
    if (work.prefix.empty()) {
        return;
    }
    piece rest;
    take_prefix(rest, work);
    if (!opens(rest)) {
        leading_text_ += rest.kept;
        bound_leading(work);
        return;
    }
    open(work, !rest.blank);
    work.new_text = work.prefix + rest.kept;
    work.prefix.clear();
}

void choice_track::release_leading(workspace& work) {
    work.before += leading_events_;
    work.new_text = leading_text_;
    leading_events_.clear();
    leading_text_.clear();
    open_ = true;
}

void choice_track::hold(std::string bytes, std::size_t before_data, std::size_t data_length) {
    current_.whole = true;
    current_.bytes = std::move(bytes);
    current_.before_data = before_data;
    current_.data_length = data_length;
    current_.bytes.reserve(current_.bytes.size() + limits::json_padding);
    held_event_bytes_ += current_.bytes.size();
    pieces_.push_back(std::move(current_));
    current_ = piece{};
    last_held_leading_ = false;
}

void choice_track::hold_leading(std::string_view bytes) {
    leading_events_ += bytes;
    last_held_leading_ = true;
}

void choice_track::extend_last_held(std::string_view line_feed) {
    if (last_held_leading_) {
        leading_events_ += line_feed;
    } else if (!pieces_.empty() && pieces_.back().whole) {
        std::string& bytes = pieces_.back().bytes;
        bytes += line_feed;
        bytes.reserve(bytes.size() + limits::json_padding);
        held_event_bytes_ += line_feed.size();
    }
}

// --- settling -------------------------------------------------------------------------------

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
    leading_events_.clear();
    leading_text_.clear();
    visible_ = visible_ || visible;
    open_ = open_ || visible;
}

void choice_track::bound_leading(workspace& work) {
    if (leading_events_.size() + leading_text_.size() > limits::leading_space_bytes_max) {
        work.before += leading_events_;
        leading_events_.clear();
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
    const auto choice = find_choice(data, index_);
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

fate choice_track::close_current(piece& p, const event_text& text, workspace& work) {
    bool changed = p.stripped || !work.prefix.empty();
    take_prefix(p, work);
    if (!opens(p)) {
        if (text.standalone && leading_text_.empty()) {
            work.new_text = p.kept;
            tell_cut(p, p.text_bytes, work);
            return fate::leading;
        }
        tell_cut(p, 0, work);
        leading_text_ += p.kept;
        bound_leading(work);
        return text.standalone ? fate::dropped : fate::edited;
    }
    if (!p.blank || p.reasoning) {
        open(work, !p.blank);
        changed = changed || !work.prefix.empty();
        take_prefix(p, work);
    }
    tell_cut(p, p.decided, work);
    if (!changed) {
        return fate::unchanged;
    }
    if (p.kept.empty() && text.standalone) {
        return fate::dropped;
    }
    work.new_text = std::move(p.kept);
    return fate::edited;
}

// Not all of the event's text is decided. It is kept whole if it can be; else it leaves without its
// undecided tail.
fate choice_track::leave_partly(piece& p, const event_text& text, workspace& work) {
    const bool nothing_kept = p.kept.empty() && work.prefix.empty();
    const bool room = held_event_bytes_ < limits::held_events_bytes_max;
    if (text.standalone && room && (nothing_kept || text.never_cut)) {
        if (!work.prefix.empty()) {
            take_prefix(p, work);
            p.stripped = true;
        }
        current_ = std::move(p);
        return fate::held;
    }
    piece rest;
    rest.bytes = std::string(work.text.raw().substr(work.text.raw_offset(p.decided)));
    rest.text_bytes = p.text_bytes - p.decided;
    p.stripped = true;
    const fate result = close_current(p, text, work);
    pieces_.push_back(std::move(rest));
    return result;
}

} // namespace proxy::turn
