#include "proxy/front/worker.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/front/exchange.hpp"
#include "proxy/front/session.hpp"
#include "proxy/telemetry/log.hpp"

#include <array>
#include <new>

namespace proxy::front {

worker::worker(shared_state& shared)
    : shared_(shared), workspace_(turn::make_workspace()), random_(std::random_device{}()) {
    const auto& upstreams = shared_.settings.upstreams;
    for (std::size_t i = 0; i < upstreams.size(); ++i) {
        endpoints_.push_back(
            std::make_unique<upstream::endpoint>(loop_, upstreams[i], shared_.tls.upstreams[i]));
    }
    loop_.every(std::chrono::milliseconds(limits::sweep_ms), [this] { sweep(); });
}

worker::~worker() = default;

std::string worker::new_request_id() {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string id;
    id.reserve(32);
    for (const auto half : {random_(), random_()}) {
        for (int shift = 60; shift >= 0; shift -= 4) {
            id.push_back(digits[(half >> shift) & 15]);
        }
    }
    return id;
}

bool worker::take_stream() {
    if (shared_.streams.fetch_add(1, std::memory_order_relaxed) < settings().limits.streams) {
        return true;
    }
    release_stream();
    return false;
}

void worker::release_stream() {
    shared_.streams.fetch_sub(1, std::memory_order_relaxed);
}

void worker::accept(int fd) {
    sessions_.push_back(std::make_unique<session>(*this, fd));
    sessions_.back()->start(std::prev(sessions_.end()));
}

void worker::note_tls_failure(const std::string& reason) {
    tls_reason_ = reason;
    ++tls_failures_;
}

void worker::tell_tls_failures() {
    if (tls_failures_ == 0 || loop_.now_ms() - tls_told_ms_ < 1'000) {
        return;
    }
    tls_told_ms_ = loop_.now_ms();
    telemetry::warn("TLS handshakes of clients failed: " + std::to_string(tls_failures_) +
                    ", the last one: " + tls_reason_);
    tls_failures_ = 0;
}

void worker::bury(session& done) {
    buried_sessions_.splice(buried_sessions_.end(), sessions_, done.place());
    schedule_clearing();
}

void worker::bury(std::unique_ptr<exchange> done) {
    buried_exchanges_.push_back(std::move(done));
    schedule_clearing();
}

void worker::schedule_clearing() {
    if (!clearing_) {
        clearing_ = true;
        loop_.post([this] { clear_buried(); });
    }
}

void worker::clear_buried() {
    clearing_ = false;
    buried_exchanges_.clear();
    buried_sessions_.clear();
    stop_if_drained();
}

void worker::sweep() {
    for (auto& endpoint : endpoints_) {
        endpoint->connections.sweep();
    }
    tell_tls_failures();
    if (draining_ && loop_.now_ms() >= drain_deadline_ms_) {
        end_all();
    }
    // A session may bury itself, and only itself.
    for (auto at = sessions_.begin(); at != sessions_.end();) {
        auto& current = **at++;
        try {
            current.sweep();
        } catch (const std::bad_alloc&) {
            current.on_no_memory();
        }
    }
    stop_if_drained();
}

void worker::drain() {
    if (draining_) {
        return;
    }
    draining_ = true;
    drain_deadline_ms_ = loop_.now_ms() + settings().timeouts.drain.count();
    sweep();
}

void worker::end_all() {
    for (auto at = sessions_.begin(); at != sessions_.end();) {
        auto& current = **at++;
        current.end_now();
    }
}

void worker::stop_if_drained() {
    if (draining_ && sessions_.empty()) {
        for (auto& endpoint : endpoints_) {
            endpoint->connections.clear();
        }
        loop_.stop();
    }
}

} // namespace proxy::front
