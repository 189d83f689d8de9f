// A JSON answer: collected, sanitized as a whole, corrected if need be, and only then sent.
#include "proxy/base/free_memory.hpp"
#include "proxy/chat/error_object.hpp"
#include "proxy/front/exchange.hpp"
#include "proxy/front/http_date.hpp"

#include <utility>

namespace proxy::front {

// Keeps the head for the time when the body's length is known.
void exchange::begin_body(const upstream::response_head& head) {
    answer_plan plan;
    plan.framing = answer_framing::close; // writes no length
    plan.decoded = decoder_ != nullptr;
    plan.edited = true;
    plan.close = is_last();
    plan.date = http_date_now();
    plan.request_id = request_id_;
    kept().body_head = write_response_head(head, plan);
    kept().body_head.resize(kept().body_head.size() - 2);
}

void exchange::collect(std::string_view bytes) {
    if (kept().collected.size() + bytes.size() > owner_.settings().limits.response) {
        if (turn_) {
            surplus_ = true;
            return refuse_second("its answer is larger than this proxy takes.");
        }
        return answer_error({502, "The upstream's answer is larger than this proxy takes."});
    }
    if (!kept().collected_memory.grow(bytes.size())) {
        if (turn_) {
            surplus_ = true;
            return refuse_second("too many answers are kept at this time.");
        }
        return answer_error({503, "Too many answers are kept at this time."});
    }
    kept().collected.append(bytes);
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
        return obey(turn_->second_body(kept().collected, owner_.scratch()));
    }
    if (!body_turn_) {
        if (returns_prompt()) {
            return answer_body(kept().collected);
        }
        const auto view = chat::read_request(request_->body);
        body_turn_ = std::make_unique<turn::body_turn>(turn_settings(), owner_.shared().formats,
                                                       view, request_->body);
    }
    std::string body;
    const auto next = body_turn_->take(kept().collected, body);
    base::free_memory(kept().collected);
    obey_body(next, body);
}

void exchange::obey_body(turn::action action, std::string_view body) {
    if (action == turn::action::correct) {
        next_ = next_step::correct;
        return;
    }
    const auto& facts = body_turn_->facts();
    if (body_turn_->status() == 0) {
        kept().body_head += "x-unscaffold: " + turn::summary(facts) + "\r\n";
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
    kept().body_head += "content-length: " + std::to_string(body.size()) + "\r\n\r\n";
    answer_.begin(std::move(kept().body_head), answer_framing::length);
    first_token_ = clock::now();
    owner_.scratch().own(body);
    next_ = next_step::finish;
}

} // namespace proxy::front
