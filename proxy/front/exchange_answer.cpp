// The answer's side of an exchange: what the upstream sends, and what becomes of it.
#include "proxy/base/free_memory.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/chat/error_object.hpp"
#include "proxy/front/answer_kind.hpp"
#include "proxy/front/exchange.hpp"
#include "proxy/front/http_date.hpp"

#include <algorithm>
#include <utility>

namespace proxy::front {

void exchange::on_head(const upstream::response_head& head) {
    if (correcting_) {
        return second_head(head);
    }
    const auto kind = media_of(head);
    const bool may_be_read = looks() && is_success(head.status) &&
                             head.framing != upstream::framing::none && kind != media::other;
    if (!may_be_read) {
        reading_ = reading::bytes;
        return begin_answer(head, false);
    }
    if (mode_ == config::upstream_mode::shadow) {
        reading_ = reading::bytes;
        begin_answer(head, false);
        return begin_shadow(head);
    }
    if (!begin_decoding(head)) {
        // It was asked for plain text; what can't be read is not passed on as if it were clean.
        return answer_error({502, "The upstream's answer has a content coding that is not known."});
    }
    status_ = head.status;
    if (kind != media::stream) {
        begin_body(head);
    }
    if (kind == media::json) {
        reading_ = reading::body;
        return;
    }
    const auto framing = choose_framing(head, request_->head.http_1_0, true);
    if (kind == media::stream) {
        answer_.begin(answer_head(head, framing, true), framing);
        return begin_turn();
    }
    reading_ = reading::undecided;
    kept().stream_head = answer_head(head, framing, true);
}

void exchange::begin_answer(const upstream::response_head& head, bool edited) {
    status_ = head.status;
    const auto framing = choose_framing(head, request_->head.http_1_0, edited);
    answer_.begin(answer_head(head, framing, false), framing);
}

std::string exchange::answer_head(const upstream::response_head& head, answer_framing framing,
                                  bool is_stream) {
    answer_plan plan;
    plan.framing = framing;
    plan.close = framing == answer_framing::close || is_last();
    plan.is_stream = is_stream;
    plan.edited = is_stream;
    plan.decoded = decoder_ != nullptr;
    plan.date = http_date_now();
    plan.request_id = request_id_;
    return write_response_head(head, plan);
}

// The prompt comes back in the answer: it is the client's own text.
bool exchange::returns_prompt() const {
    return surface_ == surface::completions && chat::read_request(request_->body).echo;
}

void exchange::begin_turn() {
    if (returns_prompt()) {
        reading_ = reading::bytes;
        return;
    }
    const auto view = chat::read_request(request_->body);
    turn_ = std::make_unique<turn::sanitizer>(turn_settings(), owner_.shared().formats,
                                              owner_.workspace(), view, request_->body);
    reading_ = reading::turn;
    last_write_ms_ = owner_.loop().now_ms();
}

turn::turn_settings exchange::turn_settings() const {
    const auto& all = owner_.settings();
    turn::turn_settings settings;
    settings.recovery_empty = all.recovery.empty;
    settings.gate = &owner_.shared().budget;
    settings.recovery_model = all.recovery.model;
    settings.flatten_tool_history =
        owner_.endpoints()[correction_index()]->settings.flatten_tool_history;
    settings.legacy_completions = surface_ == surface::completions;
    settings.recovery_enabled = all.recovery.enabled;
    settings.recovery_max_tokens = all.recovery.max_tokens;
    settings.reasoning = all.reasoning;
    settings.event_bytes_max = all.limits.event;
    return settings;
}

// No media type: `{` begins JSON, anything else is taken for a stream.
void exchange::decide(std::string_view bytes) {
    if (bytes.front() == '{') {
        reading_ = reading::body;
    } else if (correcting_) {
        reading_ = turn_ ? reading::turn : reading::refusal;
        if (turn_) {
            turn_->begin_second();
        }
    } else {
        const auto framing =
            request_->head.http_1_0 ? answer_framing::close : answer_framing::chunked;
        answer_.begin(std::move(kept().stream_head), framing);
        begin_turn();
    }
    base::free_memory(kept().stream_head);
}

void exchange::take(std::string_view bytes) {
    auto& out = owner_.scratch();
    if (reading_ == reading::undecided) {
        decide(bytes);
    }
    switch (reading_) {
    case reading::bytes:
        if (!first_token_) {
            first_token_ = clock::now();
        }
        if (shadow_) {
            watch(bytes);
        }
        return out.pass(bytes);
    case reading::turn:
        return obey(turn_->push(bytes, out));
    case reading::body:
        return collect(bytes);
    case reading::refusal:
        kept().refusal.append(bytes.substr(
            0, std::min(bytes.size(), limits::refusal_body_max - kept().refusal.size())));
        return;
    case reading::over:
        surplus_ = true;
        return;
    case reading::nothing:
    case reading::undecided:
        return;
    }
}

void exchange::body_over(turn::upstream_end how) {
    auto& out = owner_.scratch();
    switch (reading_) {
    case reading::turn:
        return obey(turn_->end(how, out));
    case reading::refusal:
        reading_ = reading::over;
        return refuse_second(chat::error_message(kept().refusal));
    case reading::body:
        return body_ended(how);
    case reading::undecided: // no media type and no byte: an empty body
        if (correcting_) {
            reading_ = reading::over;
            return refuse_second({});
        }
        return answer_body({});
    case reading::bytes:
        if (shadow_) {
            shadow_->end(decoder_ && !decoder_->complete() ? turn::upstream_end::cut : how);
        }
        next_ = how == turn::upstream_end::whole ? next_step::finish : next_step::break_off;
        return;
    case reading::nothing:
    case reading::over:
        return;
    }
}

void exchange::obey(turn::action action) {
    switch (action) {
    case turn::action::proceed:
        return;
    case turn::action::correct:
        reading_ = reading::over;
        next_ = next_step::correct;
        return;
    case turn::action::finish:
        reading_ = reading::over;
        next_ = next_step::finish;
        return;
    }
}

void exchange::on_read_done() {
    if (!finished_) {
        settle();
    }
}

// Writes what was put together, then does what the sanitizer or the end of the body asks for.
void exchange::settle() {
    if (!flush(next_ == next_step::finish)) {
        return;
    }
    switch (std::exchange(next_, next_step::none)) {
    case next_step::none:
        break;
    case next_step::correct:
        return start_correction();
    case next_step::finish:
        return finish();
    case next_step::break_off:
        return break_off();
    }
    if (client_.queued() > limits::write_queue_high) {
        call_.pause();
    }
    if (request_ && !needs_request()) {
        let_request_go();
    }
}

bool exchange::flush(bool last) {
    auto& out = owner_.scratch();
    if (turn_ && !first_token_ && turn_->answered()) {
        first_token_ = clock::now();
    }
    if (reading_ == reading::undecided && !correcting_ && !last) {
        return true; // the head is not known yet
    }
    last_write_ms_ = out.empty() ? last_write_ms_ : owner_.loop().now_ms();
    if (!answer_.write(client_, out, last)) {
        client_.gone();
        return false;
    }
    return true;
}

} // namespace proxy::front
