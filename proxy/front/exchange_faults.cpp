// What ends or hurries an exchange from outside: failed calls, time limits, shutdown.
#include "proxy/base/limits.hpp"
#include "proxy/front/exchange.hpp"

namespace proxy::front {

namespace {

using upstream::call_fault;

error_answer error_for(call_fault fault) {
    switch (fault) {
    case call_fault::unreachable:
        return {502, "The upstream could not be reached", "upstream_unavailable"};
    case call_fault::bad_head:
        return {502, "The upstream's answer is not valid", "upstream_unavailable"};
    case call_fault::interrupted:
        return {502, "The upstream closed the connection before it answered",
                "upstream_interrupted"};
    case call_fault::connect_timeout:
        return {504, "The upstream did not take the connection in time", "upstream_timeout"};
    case call_fault::no_answer:
        return {504, "The upstream did not answer in time", "upstream_timeout"};
    case call_fault::local:
        return {503, "No connection to the upstream can be opened now", "overloaded"};
    }
    return {};
}

std::string sentence_for(const upstream::call_failure& failure) {
    std::string message(error_for(failure.fault).message);
    if (!failure.detail.empty()) {
        message.append(": ").append(failure.detail);
    }
    return message.append(".");
}

} // namespace

void exchange::on_failed(const upstream::call_failure& failure) {
    if (!correcting_) {
        return first_failed(failure);
    }
    kept().reason = sentence_for(failure);
    refuse_second({});
    if (!finished_) {
        settle();
    }
}

void exchange::on_no_memory() {
    client_.on_no_memory();
}

void exchange::first_failed(const upstream::call_failure& failure) {
    if (failure.unwritten && failure.fault != call_fault::local &&
        upstream_index_ + 1 < owner_.endpoints().size()) {
        ++retries_;
        return send_first(upstream_index_ + 1);
    }
    auto error = error_for(failure.fault);
    const auto message = sentence_for(failure);
    error.message = message;
    answer_error(error);
}

void exchange::sweep() {
    call_.sweep();
    if (finished_ || !turn_) {
        return;
    }
    const auto now = owner_.loop().now_ms();
    auto& out = owner_.scratch();
    if (!turn_->awaiting_verdict()) {
        verdict_since_ms_ = 0;
    } else if (verdict_since_ms_ == 0) {
        verdict_since_ms_ = now;
    } else if (now - verdict_since_ms_ >= std::int64_t{limits::verdict_wait_seconds} * 1'000) {
        obey(turn_->verdict_timeout(out));
        return settle();
    }
    const auto pause = owner_.settings().recovery.keepalive.count();
    if (pause > 0 && now - last_write_ms_ >= pause) {
        turn_->keepalive(out);
        last_write_ms_ = now;
        settle();
    }
}

void exchange::end_now() {
    if (finished_) {
        return;
    }
    if (turn_ && reading_ == reading::turn) {
        obey(turn_->end(turn::upstream_end::cut, owner_.scratch()));
        return settle();
    }
    if (turn_ && correcting_) {
        refuse_second({});
        return settle();
    }
    if (!answer_.begun()) {
        return answer_error({503, "The proxy is shutting down."});
    }
    break_off();
}

} // namespace proxy::front
