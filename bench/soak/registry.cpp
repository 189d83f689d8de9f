#include "bench/soak/registry.hpp"

#include "bench/soak/checks.hpp"
#include "bench/soak/nonce.hpp"
#include "bench/socket.hpp"
#include <algorithm>

namespace bench::soak {

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t quiet_ns = 1'500 * ms; // a request that nobody waits for may still arrive
constexpr std::int64_t overdue_ns = 8'000 * ms;
constexpr std::size_t delays_kept = 200'000;

} // namespace

exchange::exchange(plan made) : what(std::move(made)) {
    seen_.nonce = what.nonce;
    seen_.name = what.name;
    seen_.surface = what.surface;
    seen_.identical = what.identical;
    seen_.leaked = what.leaked;
    seen_.end_limit_ns = what.end_limit_ns;
}

unsigned exchange::begin_attempt() {
    const std::lock_guard lock(mutex_);
    return ++begun_;
}

void exchange::end_attempt(attempt done) {
    const std::lock_guard lock(mutex_);
    seen_.attempts.push_back(std::move(done));
    std::ranges::sort(seen_.attempts, {}, &attempt::began_ns);
}

void exchange::end_client(client_side done) {
    const std::lock_guard lock(mutex_);
    client_done_ns_ = static_cast<std::int64_t>(now_ns());
    seen_.client = std::move(done);
}

void exchange::add(const log_entry& entry) {
    const std::lock_guard lock(mutex_);
    if (const auto* turn = std::get_if<log_turn>(&entry.what)) {
        seen_.turns.push_back(*turn);
    } else {
        seen_.spans.push_back(std::get<log_span>(entry.what));
    }
}

void exchange::disturb() {
    const std::lock_guard lock(mutex_);
    seen_.disturbed = true;
}

void exchange::drain() {
    const std::lock_guard lock(mutex_);
    seen_.disturbed = true;
    seen_.drained = true;
}

bool exchange::has_line() const {
    const std::lock_guard lock(mutex_);
    return !seen_.turns.empty();
}

bool exchange::in_flight() const {
    const std::lock_guard lock(mutex_);
    return begun_ > 0 && client_done_ns_ == 0;
}

unsigned exchange::attempts_begun() const {
    const std::lock_guard lock(mutex_);
    return begun_;
}

bool exchange::is_ready(std::int64_t now) const {
    const std::lock_guard lock(mutex_);
    if (client_done_ns_ == 0) {
        return false;
    }
    const auto since = now - client_done_ns_;
    const auto end = seen_.client.end;
    const bool answered = end == client_end::whole || end == client_end::cut;
    const bool told = !seen_.turns.empty() || what.surface == surface::malformed;
    const bool quiet = answered ? told : seen_.client.refused || since > quiet_ns;
    return (seen_.attempts.size() == begun_ && quiet) || since > overdue_ns;
}

recording exchange::take() {
    const std::lock_guard lock(mutex_);
    return std::move(seen_);
}

std::shared_ptr<exchange> registry::open(plan made) {
    auto opened = std::make_shared<exchange>(std::move(made));
    const std::lock_guard lock(mutex_);
    if (disturbed_) {
        opened->disturb();
    }
    if (drained_) {
        opened->drain();
    }
    running_.emplace(opened->what.nonce, opened);
    return opened;
}

std::shared_ptr<exchange> registry::find(std::string_view nonce) const {
    const std::lock_guard lock(mutex_);
    const auto found = running_.find(nonce);
    return found == running_.end() ? nullptr : found->second;
}

void registry::take_log_line(std::string_view line) {
    check_log_line(line, ledger_);
    const auto entry = read_log_line(line);
    if (!entry || first_nonce(entry->request_id).empty()) {
        return;
    }
    const auto of = find(entry->request_id);
    ledger_.note(14, of != nullptr || is_late(entry->request_id), "the log",
                 "a line of no exchange: " + std::string(line));
    if (of != nullptr) {
        of->add(*entry);
    }
}

bool registry::is_late(std::string_view nonce) {
    const std::lock_guard lock(mutex_);
    const auto found = without_line_.find(nonce);
    if (found == without_line_.end()) {
        return false;
    }
    without_line_.erase(found);
    return true;
}

void registry::note_stray(std::string_view nonce) {
    ledger_.note(11, false, "the model server",
                 "a request of no exchange that runs: " + std::string(nonce));
}

void registry::disturb() {
    const std::lock_guard lock(mutex_);
    disturbed_ = true;
    for (const auto& each : running_) {
        each.second->disturb();
    }
}

void registry::settle() {
    const std::lock_guard lock(mutex_);
    disturbed_ = false;
    drained_ = false;
}

void registry::drain() {
    const std::lock_guard lock(mutex_);
    drained_ = true;
    for (const auto& each : running_) {
        each.second->drain();
    }
}

std::size_t registry::in_flight() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(running_, [](const auto& each) { return each.second->in_flight(); }));
}

void registry::check_ready(bool all) {
    auto ready = std::vector<std::shared_ptr<exchange>>{};
    {
        const std::lock_guard lock(mutex_);
        const auto now = static_cast<std::int64_t>(now_ns());
        std::erase_if(running_, [&](const auto& each) {
            const bool done = all || each.second->is_ready(now);
            if (done) {
                ready.push_back(each.second);
                if (!each.second->has_line()) {
                    without_line_.insert(each.first);
                }
            }
            return done;
        });
    }
    for (const auto& each : ready) {
        const auto seen = each->take();
        check_exchange(seen, ledger_);
        count(seen);
    }
}

void registry::count(const recording& seen) {
    const std::lock_guard lock(mutex_);
    ++totals_.exchanges;
    totals_.attempts += seen.attempts.size();
    totals_.corrected += seen.attempts.size() == 2 ? 1 : 0;
    ++totals_.plans[seen.name];
    for (const auto& turn : seen.turns) {
        ++totals_.outcomes[turn.outcome];
        totals_.stripped += turn.stripped;
    }
    if (seen.turns.empty()) {
        ++totals_.outcomes["no turn"];
    }
    const bool unserved = seen.client.end == client_end::unserved;
    totals_.cut += seen.drained && is_cut(seen) ? 1 : 0;
    totals_.refused += seen.client.refused ? 1 : 0;
    totals_.closed_idle += seen.drained && unserved && !seen.client.refused ? 1 : 0;
    const bool plain = seen.end_limit_ns < stall_limit_ns && !seen.client.slow;
    if (plain && seen.client.end == client_end::whole && !seen.attempts.empty() &&
        totals_.end_delays_ns.size() < delays_kept) {
        const auto& last = seen.attempts.back();
        totals_.end_delays_ns.push_back(seen.client.end_ns - last_sign_ns(last));
    }
}

std::size_t registry::running() const {
    const std::lock_guard lock(mutex_);
    return running_.size();
}

totals registry::counted() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

} // namespace bench::soak
