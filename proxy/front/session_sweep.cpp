// The session's time limits: what a tick finds too late.
#include "proxy/base/limits.hpp"
#include "proxy/front/exchange.hpp"
#include "proxy/front/session.hpp"

#include <algorithm>

namespace proxy::front {

void session::sweep() {
    const auto now = owner_.loop().now_ms();
    const auto write_limit = owner_.settings().timeouts.client_write.count();
    const bool stuck = !queue_.empty() && now - progress_ms_ > write_limit;
    switch (phase_) {
    case phase::idle:
    case phase::head:
    case phase::body:
        return sweep_reading();
    case phase::answering:
        // While nothing is read, no event tells that the client has left.
        if (stuck || (input_paused_ && socket_->peer_left())) {
            return gone();
        }
        exchange_->sweep();
        if (phase_ == phase::answering) {
            socket_->recheck(limits::client_silent_ticks);
        }
        return;
    case phase::flushing:
        if (stuck) {
            close();
        }
        return;
    case phase::lingering:
        if (now - since_ms_ > std::int64_t{limits::linger_wait_ms}) {
            close();
        }
        return;
    case phase::closed:
        return;
    }
}

void session::sweep_reading() {
    const auto passed = owner_.loop().now_ms() - since_ms_;
    const auto& limit = owner_.settings().timeouts;
    if (phase_ == phase::idle) {
        auto allowed = (served_ ? limit.client_idle : limit.client_head).count();
        if (owner_.draining()) {
            allowed = std::min(allowed, std::int64_t{limits::drain_idle_ms});
        }
        // A request that has come and was not read yet would be lost with a reset.
        if (passed > allowed && !socket_->has_unread()) {
            close();
        }
        return;
    }
    auto allowed = limit.client_head.count();
    if (phase_ == phase::body) {
        const auto seconds = reader_.body_bytes() / limits::body_bytes_per_second_min;
        allowed = limit.client_body.count() + static_cast<std::int64_t>(seconds) * 1'000;
    }
    if (passed > allowed) {
        refuse({408, "The request did not come in time."});
    }
}

} // namespace proxy::front
