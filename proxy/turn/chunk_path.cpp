// What happens to one chunk: its texts go through their filters, and the event leaves with its own
// bytes, edited, later, or not at all. This is where delta.content is changed (replace_text).

#include "proxy/json/escape.hpp"
#include "proxy/turn/sanitizer_impl.hpp"
#include "proxy/turn/token_lists.hpp"
#include "proxy/turn/usage.hpp"

#include <algorithm>
#include <utility>

namespace proxy::turn {

namespace {

bool is_text(const chat::text_span& span) {
    return span.present && !span.inside.empty();
}

// The event carries nothing but one choice's text (and lists that restate the text).
bool carries_only_text(const chat::chunk_view& chunk) {
    if (chunk.choices_count() != 1 || !chunk.usage.empty()) {
        return false;
    }
    const chat::choice_view& choice = chunk.choices()[0];
    return !choice.has_role && !choice.finish_reason.present && !choice.has_call &&
           !choice.has_refusal && !choice.has_audio && !is_text(choice.reasoning) &&
           choice.earlier_copies.empty();
}

} // namespace

void sanitizer::impl::take_chunk(const sse::item& item, output& out) {
    const chat::chunk_view& chunk = work_.chunk;
    if (!who_.complete()) {
        who_.learn(chunk);
    }
    work_.editor.begin(event_bytes::of(item));
    work_.before.clear();
    swallowed_ = false;
    standalone_ = item.single_data_line && carries_only_text(chunk);
    if (second_) {
        edit_identity();
    }
    for (std::size_t i = 0; i < chunk.choices_count(); ++i) {
        take_choice(chunk.choices()[i], item, out);
    }
    take_usage();
    if (swallowed_) {
        emit_before(out);
        note_answer(out);
        return;
    }
    emit_event(item, out);
}

// The second attempt speaks as the first one did: one id, created and model for one response.
void sanitizer::impl::edit_identity() {
    const chat::chunk_view& chunk = work_.chunk;
    const auto rewrite = [this](std::string_view theirs, const std::string& ours) {
        if (!theirs.empty() && !ours.empty() && theirs != ours) {
            work_.editor.replace(theirs, ours);
        }
    };
    rewrite(chunk.id_value, who_.id);
    rewrite(chunk.created, who_.created);
    rewrite(chunk.model_value, who_.model);
    rewrite(chunk.fingerprint_value, who_.fingerprint);
}

void sanitizer::impl::take_choice(const chat::choice_view& view, const sse::item& item,
                                  output& out) {
    choice_state* state = now_.choice(view.index, formats_, context_);
    if (state == nullptr) {
        standalone_ = false;
        return;
    }
    if (view.has_call || view.has_refusal || view.has_audio) {
        state->has_call = state->has_call || view.has_call;
        release_leading(*state, out);
        answered_ = true;
    }
    if (is_text(view.reasoning)) {
        now_.reasoning_seen = true;
        take_reasoning(*state, view);
    }
    if (is_text(view.text)) {
        take_text(*state, view, item);
    } else if (state->track.cuts().stripped() > 0) {
        work_.text.set({});
        work_.stripped.clear();
        work_.shift = state->track.cuts().stripped();
        follow_cuts(*state, view, true);
    }
    if (view.has_role) {
        drop_second_role(view);
    }
    if (view.finish_reason.present) {
        take_finish(*state, view, out);
    }
    answered_ = answered_ || state->track.visible();
}

void sanitizer::impl::take_text(choice_state& state, const chat::choice_view& view,
                                const sse::item& item) {
    event_text text;
    text.inside = view.text.inside;
    text.standalone = standalone_;
    text.never_cut = view.has_logprobs || view.has_token_ids;
    text.ends = view.finish_reason.present;
    const fate result = state.track.take(text, work_);
    note_spans(state.track.index(), false);
    follow_cuts(state, view, result != fate::held && result != fate::dropped);
    switch (result) {
    case fate::unchanged:
        if (!view.earlier_copies.empty()) {
            replace_text(view, view.text.inside);
        }
        return;
    case fate::edited:
        replace_text(view, work_.new_text);
        return;
    case fate::held: {
        std::string bytes = written_event(item);
        const auto before = static_cast<std::size_t>(item.data.data() - item.raw.data());
        const std::size_t after = item.raw.size() - before - item.data.size();
        const std::size_t length = bytes.size() - before - after;
        state.track.hold(std::move(bytes), before, length);
        break;
    }
    case fate::leading:
        replace_text(view, work_.new_text);
        state.track.hold_leading(written_event(item));
        break;
    case fate::dropped:
        ++facts_.events_dropped;
        swallowed_ = true;
        last_place_ = place::dropped;
        return;
    }
    swallowed_ = true;
    last_place_ = place::held;
    last_held_choice_ = state.track.index();
}

// Sets the text of one choice, in all its copies.
void sanitizer::impl::replace_text(const chat::choice_view& view, std::string_view text) {
    work_.editor.replace(view.text.inside, text);
    for (const std::string_view copy : view.earlier_copies) {
        work_.editor.replace(copy, text);
    }
}

// What restates the text or points into it follows what was stripped; lists of held events do so
// when they are decided.
void sanitizer::impl::follow_cuts(const choice_state& state, const chat::choice_view& view,
                                  bool lists) {
    const cut_places& cuts = state.track.cuts();
    const std::string_view data = work_.chunk.data();
    const bool cut_lists = lists && (view.has_logprobs || view.has_token_ids) &&
                           (!work_.stripped.empty() || work_.shift > 0);
    const bool cited = cuts.stripped() > 0 && data.find("annotations") != std::string_view::npos;
    const auto position = static_cast<std::size_t>(&view - work_.chunk.choices().data());
    const auto choice = cut_lists || cited ? find_choice(data, position) : std::nullopt;
    if (!choice) {
        return;
    }
    const auto replace = [this](std::string_view old, std::string_view text) {
        work_.editor.replace(old, text);
    };
    if (cut_lists &&
        !cut_token_lists(*choice, {work_.text.text(), &work_.stripped, work_.shift}, replace)) {
        ++facts_.token_lists_nulled;
    }
    const auto delta = json::find_last(*choice, "delta");
    if (cited && delta) {
        move_citations(delta->value, cuts, replace);
    }
}

// Reasoning passes untouched; calls in it are evidence that the turn is no plain silence.
void sanitizer::impl::take_reasoning(choice_state& state, const chat::choice_view& view) {
    if (answered_ || reasoning_ != reasoning_mode::detect || now_.call_markup) {
        return;
    }
    if (!state.reasoning) {
        state.reasoning = std::make_unique<scaffold::choice_filter>(formats_, context_);
    }
    work_.text.set(view.reasoning.inside);
    work_.decided.clear();
    state.reasoning->feed(work_.text.text(), work_.decided);
    note_spans(state.track.index(), true);
}

void sanitizer::impl::take_finish(choice_state& state, const chat::choice_view& view, output& out) {
    if (!is_text(view.text)) {
        flush_choice(state, out);
    }
    state.finished = true;
    std::string reason = json::unescape(view.finish_reason.inside);
    now_.exempt_finish = now_.exempt_finish || is_exempt_finish(reason);
    now_.all_stopped = now_.all_stopped && reason == "stop";
    if (reason == "tool_calls" && !state.has_call) {
        reason = "stop";
        work_.editor.replace(view.finish_reason.inside, reason);
    }
    facts_.finish = std::move(reason);
}

// The response has one role delta for each choice, from whichever attempt brought it first.
void sanitizer::impl::drop_second_role(const chat::choice_view& view) {
    const bool sent =
        std::find(roles_sent_.begin(), roles_sent_.end(), view.index) != roles_sent_.end();
    if (!sent) {
        roles_sent_.push_back(view.index);
        return;
    }
    if (!second_ || view.role_member.empty()) {
        return;
    }
    const bool only_role = work_.chunk.choices_count() == 1 && work_.chunk.usage.empty() &&
                           view.text.inside.empty() && !view.finish_reason.present &&
                           !view.has_call && !view.has_refusal && !view.has_audio &&
                           !is_text(view.reasoning) && !view.has_logprobs;
    if (only_role) {
        swallowed_ = true;
        last_place_ = place::dropped;
        ++facts_.events_dropped;
        return;
    }
    work_.editor.remove_member(view.role_member);
}

void sanitizer::impl::take_usage() {
    if (work_.chunk.usage.empty()) {
        return;
    }
    now_.usage = work_.chunk.usage;
    if (!first_usage_.empty()) {
        std::string sum;
        append_usage_sum(sum, first_usage_, now_.usage);
        work_.editor.replace(work_.chunk.usage, sum);
    }
}

void sanitizer::impl::note_spans(std::uint32_t index, bool in_reasoning) {
    facts_.token_lists_nulled += std::exchange(work_.lists_nulled, 0);
    for (const scaffold::span& found : work_.decided.spans) {
        const bool counts =
            found.kind == scaffold::span_kind::call || found.kind == scaffold::span_kind::result;
        now_.call_markup = now_.call_markup || counts;
        if (!in_reasoning) {
            note_span(facts_, found, index, second_ ? 2 : 1);
        }
    }
}

// The first visible byte settles the verdict: nothing terminal is held from then on.
void sanitizer::impl::note_answer(output& out) {
    if (!answered_) {
        return;
    }
    recovery_.settle();
    if (!now_.terminals.empty()) {
        out.own(now_.terminals);
        now_.terminals.clear();
    }
}

// The choice's text ends: what is held is decided and leaves in front of the event in hand.
void sanitizer::impl::flush_choice(choice_state& state, output& out) {
    state.track.finish(work_);
    note_spans(state.track.index(), false);
    emit_before(out);
    if (!work_.new_text.empty()) {
        const std::size_t mark = out.arena().size();
        append_text_event(out.arena(), who_, state.track.index(), work_.new_text,
                          legacy_completions_);
        out.own_since(mark);
    }
    answered_ = answered_ || state.track.visible();
}

void sanitizer::impl::release_leading(choice_state& state, output& out) {
    state.track.release_leading(work_);
    emit_before(out);
    if (!work_.new_text.empty()) {
        const std::size_t mark = out.arena().size();
        append_text_event(out.arena(), who_, state.track.index(), work_.new_text,
                          legacy_completions_);
        out.own_since(mark);
    }
}

std::string sanitizer::impl::written_event(const sse::item& item) {
    std::string bytes;
    if (work_.editor.changed()) {
        work_.editor.write(bytes);
    } else {
        bytes.reserve(item.raw.size() + limits::json_padding); // as hold() wants it
        bytes = item.raw;
    }
    return bytes;
}

bool sanitizer::impl::is_terminal() const {
    const chat::chunk_view& chunk = work_.chunk;
    if (chunk.choices_count() == 0) {
        return !chunk.usage.empty();
    }
    for (std::size_t i = 0; i < chunk.choices_count(); ++i) {
        if (chunk.choices()[i].finish_reason.present) {
            return true;
        }
    }
    return false;
}

void sanitizer::impl::emit_event(const sse::item& item, output& out) {
    emit_before(out);
    note_answer(out);
    if (!answered_ && is_terminal()) {
        now_.terminals += written_event(item);
        last_place_ = place::terminal;
        return;
    }
    if (!work_.editor.changed()) {
        pass_event(item, out);
        return;
    }
    ++facts_.events_edited;
    if (!now_.pending_lines.empty()) {
        out.own(now_.pending_lines);
        now_.pending_lines.clear();
    }
    const std::size_t mark = out.arena().size();
    work_.editor.write(out.arena());
    out.own_since(mark);
    last_place_ = place::passed;
}

} // namespace proxy::turn
