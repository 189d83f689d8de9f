// How a JSON answer ends: the verdict, the correction, our own error, the report.
#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/chat/error_object.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/turn/body_turn.hpp"
#include "proxy/turn/usage.hpp"
#include "proxy/turn/verdict.hpp"

#include <algorithm>
#include <utility>

namespace proxy::turn {

action body_turn::decide_turn(std::string& out) {
    attempt_facts facts;
    facts.answered = answered_;
    facts.markup = markup_;
    facts.exempt_finish = exempt_finish_;
    facts.second = second_;
    facts.empty_counts = recovery_.empty_counts() && all_stopped_ && !reasoning_seen_;
    switch (recovery_.judge(facts, facts_)) {
    case verdict::finish:
        edits_.apply(answer_, out);
        return close(second_ ? outcome::corrected
                             : (facts_.spans > 0 ? outcome::sanitized : outcome::clean));
    case verdict::correct:
        reason_ = markup_ ? correction_reason::markup : correction_reason::empty;
        first_usage_ = std::exchange(usage_, {});
        second_ = true;
        context_.correction_pass = true;
        context_.tools = true;
        facts_.corrections = 1;
        return action::correct;
    case verdict::fail:
        break;
    }
    if (second_ && reason_ == correction_reason::empty && !markup_) {
        return fail("empty_reply", std::string(chat::empty_message), out);
    }
    return fail("malformed_reply", std::string(chat::malformed_message), out);
}

action body_turn::second_refused(std::string_view upstream_message, std::string& out) {
    PROXY_ENSURE(second_);
    std::string message = "The reply was malformed and the correction request failed";
    message += upstream_message.empty() ? "." : ": " + std::string(upstream_message);
    return fail("correction_failed", std::move(message), out);
}

std::string body_turn::correction_body() const {
    PROXY_ENSURE(second_);
    return recovery_.body(reason_);
}

action body_turn::fail(std::string_view code, std::string message, std::string& out) {
    out = chat::error_json({std::move(message), "invalid_response_error", code});
    status_ = 502;
    facts_.error_code = code;
    return close(outcome::failed);
}

action body_turn::close(turn::outcome outcome) {
    recovery_.settle();
    facts_.outcome = outcome;
    std::string sum;
    append_usage_sum(sum, first_usage_, usage_);
    facts_.prompt_tokens = usage_count(sum, "prompt_tokens");
    facts_.completion_tokens = usage_count(sum, "completion_tokens");
    if (who_.model.size() >= 2) {
        facts_.model = json::unescape(who_.model.substr(1, who_.model.size() - 2));
        facts_.model.resize(std::min(facts_.model.size(), limits::name_bytes_max));
    }
    return action::finish;
}

void body_turn::cancelled() {
    recovery_.settle();
    facts_.outcome = outcome::cancelled;
}

std::string summary(const report& facts) {
    if (facts.outcome != outcome::sanitized) {
        return std::string(to_string(facts.outcome));
    }
    return "sanitized; spans=" + std::to_string(facts.spans) +
           "; chars=" + std::to_string(facts.scaffold_chars);
}

} // namespace proxy::turn
