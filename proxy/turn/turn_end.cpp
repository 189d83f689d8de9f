// How a turn ends: whole, with a correction, or loud.

#include "proxy/json/escape.hpp"
#include "proxy/sse/event_writer.hpp"
#include "proxy/turn/sanitizer_impl.hpp"
#include "proxy/turn/usage.hpp"

#include <utility>

namespace proxy::turn {

namespace {

std::string_view name_of(upstream_end how) {
    return how == upstream_end::stalled ? "upstream_timeout" : "upstream_interrupted";
}

std::string message_of(upstream_end how) {
    return how == upstream_end::stalled
               ? "The model server sent nothing for too long; the reply is incomplete (unscaffold)."
               : "The model server's reply broke off before its end (unscaffold).";
}

} // namespace

// [DONE] keeps its line ends. Where its last CR may be followed by an LF that has not come yet, the
// LF is added here: nothing is taken behind the terminal event.
action sanitizer::impl::done_event(const sse::item* item, output& out) {
    now_.done_seen = true;
    if (item == nullptr) {
        std::string done(now_.parser.pending_bytes());
        done += done.ends_with('\n') || done.ends_with('\r') ? "\n" : "\n\n";
        return reach_verdict(done, out);
    }
    std::string done(item->raw);
    if (done.ends_with('\r') && done.find("\r\n") != std::string::npos) {
        done += '\n';
    }
    return reach_verdict(done, out);
}

// Everything that is held is decided; what is kept leaves.
void sanitizer::impl::flush_all(output& out) {
    work_.before.clear();
    for (choice_state& state : now_.choices) {
        flush_choice(state, out);
        if (state.reasoning && !answered_) {
            work_.decided.clear();
            state.reasoning->finish(work_.decided);
            note_spans(state.track.index(), true);
            state.reasoning.reset();
        }
    }
}

action sanitizer::impl::reach_verdict(std::string_view done, output& out) {
    flush_all(out);
    note_answer(out);
    attempt_facts facts;
    facts.answered = answered_;
    facts.markup = now_.call_markup;
    facts.exempt_finish = now_.exempt_finish;
    facts.second = second_;
    facts.empty_counts = recovery_.empty_counts() && now_.all_stopped && !now_.reasoning_seen &&
                         !now_.choices.empty();
    switch (recovery_.judge(facts, facts_)) {
    case verdict::finish:
        return finish_whole(done, out);
    case verdict::correct:
        return start_correction(now_.call_markup ? correction_reason::markup
                                                 : correction_reason::empty);
    case verdict::fail:
        return second_failure(out);
    }
    return action::finish;
}

action sanitizer::impl::finish_whole(std::string_view done, output& out) {
    for (choice_state& state : now_.choices) {
        release_leading(state, out);
    }
    if (!now_.terminals.empty()) {
        out.own(now_.terminals);
        now_.terminals.clear();
    }
    finish_usage(out);
    out.own(done);
    return close(second_ ? outcome::corrected : outcome::clean);
}

// The first attempt's usage would be lost if the second told none.
void sanitizer::impl::finish_usage(output& out) {
    if (first_usage_.empty() || !now_.usage.empty()) {
        return;
    }
    const std::size_t mark = out.arena().size();
    append_usage_event(out.arena(), who_, first_usage_);
    out.own_since(mark);
}

action sanitizer::impl::start_correction(correction_reason reason) {
    reason_ = reason;
    first_usage_ = std::move(now_.usage);
    const bool id_lines_seen = now_.id_lines_seen;
    now_ = attempt(event_bytes_max_);
    now_.id_lines_seen = id_lines_seen;
    second_ = true;
    correcting_ = true;
    context_.correction_pass = true;
    context_.tools = true;
    facts_.corrections = 1;
    return action::correct;
}

action sanitizer::impl::second_failure(output& out) {
    if (second_ && reason_ == correction_reason::empty && !now_.call_markup) {
        return fail("empty_reply", std::string(chat::empty_message), "invalid_response_error", out);
    }
    return fail("malformed_reply", std::string(chat::malformed_message), "invalid_response_error",
                out);
}

// The loud end: usage that is known and asked for, one error event, [DONE].
action sanitizer::impl::fail(std::string_view code, std::string message, std::string_view type,
                             output& out) {
    const std::size_t mark = out.arena().size();
    std::string& arena = out.arena();
    const bool usage_known = !first_usage_.empty() || !now_.usage.empty();
    if (include_usage_ && usage_known && !answered_) {
        std::string sum;
        append_usage_sum(sum, first_usage_, now_.usage);
        append_usage_event(arena, who_, sum);
    }
    append_loud_end(arena, {std::move(message), type, code});
    out.own_since(mark);
    facts_.error_code = code;
    const bool upstream = code == "upstream_interrupted" || code == "upstream_timeout";
    return close(upstream ? outcome::error : outcome::failed);
}

// The upstream's own error: what is held is released in front of it, and nothing is corrected.
action sanitizer::impl::upstream_error(const sse::item& item, output& out) {
    if (second_ && !answered_) {
        flush_all(out);
        std::string message = "The reply was malformed and the correction request failed";
        const std::string theirs = chat::error_message(work_.chunk.data());
        message += theirs.empty() ? "." : ": " + theirs;
        return fail("correction_failed", std::move(message), "invalid_response_error", out);
    }
    const std::string nested =
        work_.chunk.error.empty() ? chat::nested_error(work_.chunk.data()) : std::string();
    flush_all(out);
    for (choice_state& state : now_.choices) {
        release_leading(state, out);
    }
    note_answer(out);
    if (nested.empty()) {
        pass_event(item, out);
    } else {
        const std::size_t mark = out.arena().size();
        sse::append_data_event(out.arena(), nested);
        out.own_since(mark);
    }
    out.own(sse::done_event);
    facts_.error_code = "upstream_error";
    return close(outcome::error);
}

action sanitizer::impl::loud_end(upstream_end how, output& out) {
    flush_all(out);
    if (second_ && !answered_) {
        return fail("correction_failed",
                    "The reply was malformed and the correction request failed: " + message_of(how),
                    "invalid_response_error", out);
    }
    for (choice_state& state : now_.choices) {
        release_leading(state, out);
    }
    note_answer(out);
    return fail(name_of(how), message_of(how),
                answered_ ? "invalid_response_error" : "upstream_error", out);
}

action sanitizer::impl::close(turn::outcome fallback) {
    finished_ = true;
    recovery_.settle();
    facts_.outcome = fallback;
    if (fallback == outcome::clean && facts_.spans > 0) {
        facts_.outcome = outcome::sanitized;
    }
    facts_.model = json::unescape(std::string_view(who_.model).substr(0, 160));
    if (facts_.model.size() >= 2) {
        facts_.model = facts_.model.substr(1, facts_.model.size() - 2);
    }
    std::string sum;
    append_usage_sum(sum, first_usage_, now_.usage);
    facts_.prompt_tokens = usage_count(sum, "prompt_tokens");
    facts_.completion_tokens = usage_count(sum, "completion_tokens");
    return action::finish;
}

} // namespace proxy::turn
