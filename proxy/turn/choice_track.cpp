#include "proxy/turn/choice_track.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/free_memory.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/base/text.hpp"

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
    base::free_memory(leading_events_);
    base::free_memory(leading_text_);
    open_ = true;
}

void choice_track::hold(std::string bytes, std::size_t before_data, std::size_t data_length) {
    piece& last = pieces_.back();
    last.whole = true;
    last.bytes = std::move(bytes);
    last.before_data = before_data;
    last.data_length = data_length;
    last.bytes.reserve(last.bytes.size() + limits::json_padding);
    held_event_bytes_ += last.bytes.size();
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
        pieces_.push_back(std::move(p)); // hold() adds the event
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
