// A JSON answer: collected, sanitized as a whole, corrected if need be, and only then sent.
#include "proxy/base/free_memory.hpp"
#include "proxy/chat/error_object.hpp"
#include "proxy/front/exchange.hpp"

#include <utility>

namespace proxy::front {

// Keeps the head for the time when the body's length is known.
void exchange::begin_body(const upstream::response_head& head) {
    answer_plan plan;
    plan.framing = answer_framing::close; // writes no length
    plan.decoded = decoder_ != nullptr;
    plan.close = !request_->head.keep_alive || owner_.draining();
    const auto given = upstream::find_field(request_->head.fields, "x-request-id");
    plan.request_id = given.value_or(minted_id_);
    body_head_ = write_response_head(head, plan);
    body_head_.resize(body_head_.size() - 2);
}

void exchange::collect(std::string_view bytes) {
    if (collected_.size() + bytes.size() > owner_.settings().limits.response) {
        if (turn_) {
            surplus_ = true;
            return refuse_second("its answer is larger than this proxy takes.");
        }
        return answer_error({502, "The upstream's answer is larger than this proxy takes."});
    }
    if (!collected_memory_.grow(bytes.size())) {
        if (turn_) {
            surplus_ = true;
            return refuse_second("too many answers are kept at this time.");
        }
        return answer_error({503, "Too many answers are kept at this time."});
    }
    collected_.append(bytes);
}

void exchange::body_ended(turn::upstream_end how) {
    reading_ = reading::over;
    if (how != turn::upstream_end::whole) {
        if (correcting_) {
            return refuse_second({});
        }
        const bool stalled = how == turn::upstream_end::stalled;
        return answer_error({stalled ? 504U : 502U, "The upstream's answer broke off.",
                             stalled ? "upstream_timeout" : "upstream_interrupted"});
    }
    if (turn_) {
        return obey(turn_->second_body(collected_, owner_.scratch()));
    }
    if (!body_turn_) {
        if (returns_prompt()) {
            return answer_body(collected_);
        }
        const auto view = chat::read_request(request_->body);
        body_turn_ = std::make_unique<turn::body_turn>(turn_settings(), owner_.shared().formats,
                                                       view, request_->body);
    }
    std::string body;
    const auto next = body_turn_->take(collected_, body);
    base::free_memory(collected_);
    obey_body(next, body);
}

void exchange::obey_body(turn::action action, std::string_view body) {
    if (action == turn::action::correct) {
        next_ = next_step::correct;
        return;
    }
    const auto& facts = body_turn_->facts();
    if (body_turn_->status() == 0) {
        body_head_ += "x-unscaffold: " + turn::summary(facts) + "\r\n";
        return answer_body(body);
    }
    const std::string message = chat::error_message(body);
    error_answer error;
    error.status = body_turn_->status();
    error.message = message;
    error.code = facts.error_code;
    error.type = "invalid_response_error";
    error.final_word = true;
    answer_error(error);
}

void exchange::answer_body(std::string_view body) {
    reading_ = reading::over;
    body_head_ += "content-length: " + std::to_string(body.size()) + "\r\n\r\n";
    answer_.begin(std::move(body_head_), answer_framing::length);
    first_token_ = clock::now();
    owner_.scratch().own(body);
    next_ = next_step::finish;
}

} // namespace proxy::front
