#include "bench/soak/drains.hpp"

#include "bench/soak/link.hpp"
#include "bench/soak/plan.hpp"
#include <algorithm>
#include <chrono>
#include <ostream>
#include <thread>

namespace bench::soak {

namespace {

// A connection that was taken just before TERM may send its first request for so long.
constexpr std::int64_t idle_limit_ms = 3'000;
constexpr std::int64_t open_limit_ms = 1'000;

std::int64_t now_ms() {
    return static_cast<std::int64_t>(now_ns() / 1'000'000);
}

} // namespace

std::string fault_of(const drain_facts& of) {
    if (of.exit_code != 0) {
        return "exit code " + std::to_string(of.exit_code);
    }
    if (of.took_ms >= std::int64_t{drain_limit_ms}) {
        return "it took " + std::to_string(of.took_ms) + " ms";
    }
    if (of.idle_ms > idle_limit_ms) {
        return "it stayed for " + std::to_string(of.idle_ms) + " ms behind the last stream";
    }
    if (of.open_ms > open_limit_ms) {
        return "connections were taken for " + std::to_string(of.open_ms) + " ms";
    }
    return of.taken_again ? "a connection was taken after one had been refused" : "";
}

drain_facts drain_proxy(proxy_process& proxy, const std::function<std::size_t()>& in_flight) {
    auto facts = drain_facts{};
    facts.in_flight = in_flight();
    const auto begin = now_ms();
    auto last_stream = begin;
    auto refused = false;
    proxy.drain();
    while (!proxy.ended()) {
        // A try may take seconds, if its first packet is ignored: a stream that was there before it
        // may have ended at any time of it.
        const auto streams = in_flight();
        const auto tried = now_ms();
        const bool taken = connect_to(proxy.port()).open();
        facts.taken_again = facts.taken_again || (refused && taken);
        facts.open_ms = taken ? tried - begin : facts.open_ms;
        refused = refused || !taken;
        last_stream = streams > 0 ? now_ms() : last_stream;
        if (now_ms() - begin > 2 * std::int64_t{drain_limit_ms}) {
            proxy.kill();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    facts.took_ms = now_ms() - begin;
    facts.idle_ms = now_ms() - last_stream;
    facts.exit_code = proxy.wait();
    return facts;
}

void drain_record::add(const drain_facts& done) {
    in_flight_least_ = drains_ == 0 ? done.in_flight : std::min(in_flight_least_, done.in_flight);
    ++drains_;
    in_flight_ += done.in_flight;
    took_most_ms_ = std::max(took_most_ms_, done.took_ms);
    idle_most_ms_ = std::max(idle_most_ms_, done.idle_ms);
    open_most_ms_ = std::max(open_most_ms_, done.open_ms);
    last_ = done;
    if (auto fault = fault_of(done); !fault.empty()) {
        faults_.push_back("drain " + std::to_string(drains_) + ": " + std::move(fault));
    }
}

void drain_record::report(std::ostream& out) const {
    out << "drains " << drains_ << ", streams in flight at TERM " << in_flight_ << " (at least "
        << in_flight_least_ << " each)\nms, most of all drains: TERM to the end of the process "
        << took_most_ms_ << ", the same from the last stream " << idle_most_ms_
        << ", TERM to the last connection that was taken " << open_most_ms_ << '\n';
    for (const auto& fault : faults_) {
        out << "broken: " << fault << '\n';
    }
}

} // namespace bench::soak
