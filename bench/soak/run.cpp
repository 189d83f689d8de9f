#include "bench/soak/run.hpp"

#include "bench/soak/checks.hpp"
#include "bench/soak/memory.hpp"
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <ostream>

namespace bench::soak {

namespace {

constexpr double line_every_s = 5;
constexpr double kill_every_s = 5;
constexpr double restart_every_s = 17;
constexpr unsigned refused_pause_ms = 200;
constexpr std::size_t backlog = 8;    // exchanges for each client that may wait to be checked
constexpr double steady_from_s = 240; // before, buffers and the pools of the allocator still grow

double seconds_now() {
    return static_cast<double>(now_ns()) / 1e9;
}

void sleep_ms(unsigned time) {
    std::this_thread::sleep_for(std::chrono::milliseconds(time));
}

double mib(std::uint64_t bytes) {
    return static_cast<double>(bytes) / (1 << 20);
}

} // namespace

run::run(const run_options& options, std::ostream& out)
    : options_(options), out_(out), exchanges_(ledger_), model_(exchanges_),
      reserved_(reserve_port()) {
    start_proxy();
}

void run::start_proxy() {
    const auto limit_ms =
        options_.kind == load_kind::drain ? faultless_limit_ms : upstream_limit_ms;
    const auto given = proxy_options{options_.binary, model_.port(), local_port(reserved_),
                                     options_.threads, limit_ms};
    proxy_ = std::make_unique<proxy_process>(
        given, [this](std::string_view line) { exchanges_.take_log_line(line); });
}

bool run::go() {
    sleep_ms(200);
    rest_bytes_ = proxy_->resident_bytes();
    rest_descriptors_ = proxy_->descriptors();
    for (std::size_t i = 0; i < options_.streams; ++i) {
        clients_.emplace_back([this] { client_loop(); });
    }
    if (options_.kind == load_kind::drain) {
        drain_often();
        end_clients();
        return report_drains();
    }
    watch();
    end_clients();
    check_rest();
    proxy_->drain();
    ended_well_ = proxy_->wait() == 0 && ended_well_;
    return report();
}

void run::client_loop() {
    auto worker = client(exchanges_, local_port(reserved_));
    while (still_running()) {
        if (exchanges_.running() > backlog * options_.streams) { // the checks come first
            sleep_ms(10);
            continue;
        }
        auto plans = std::vector<plan>{};
        plans.push_back(make_plan(options_.kind, options_.seed, next_plan_++));
        for (auto left = plans[0].pipelined; left > 0; --left) {
            // Numbers far behind all others; every twentieth is an ordinary one.
            const auto number = ((std::uint64_t{1} << 40) + pipelined_++) * 20;
            auto more = make_plan(load_kind::soak, options_.seed, number);
            more.client = {};
            plans.push_back(std::move(more));
        }
        if (!worker.run(std::move(plans))) {
            sleep_ms(refused_pause_ms);
        }
    }
}

void run::watch() {
    const auto start = seconds_now();
    auto next_second = start + 1;
    auto next_line = start + line_every_s;
    auto next_kill = start + kill_every_s;
    auto next_restart = start + restart_every_s;
    const bool chaos = options_.kind == load_kind::chaos;
    for (auto now = start; now - start < options_.seconds; now = seconds_now()) {
        if (now >= next_second) {
            sample();
            next_second += 1;
        }
        if (now >= next_line) {
            say_line(now - start);
            next_line += line_every_s;
        }
        if (chaos && now >= next_kill) {
            kill_model();
            next_kill += kill_every_s;
        }
        if (chaos && now >= next_restart) {
            restart_proxy();
            next_restart += restart_every_s;
        }
        exchanges_.check_ready(false);
        sleep_ms(20);
    }
}

void run::sample() {
    const auto bytes = proxy_->resident_bytes();
    check_memory(rest_bytes_, bytes, options_.streams, event_limit, ledger_);
    samples_.push_back(bytes);
}

void run::say_line(double passed) {
    const auto counted = exchanges_.counted();
    out_ << std::fixed << std::setprecision(0) << passed << " s: " << counted.exchanges
         << " exchanges (" << exchanges_.running() << " running)";
    for (const auto& [outcome, count] : counted.outcomes) {
        out_ << ", " << outcome << ' ' << count;
    }
    out_ << "; " << std::setprecision(1) << mib(proxy_->resident_bytes()) << " MiB, "
         << proxy_->descriptors() << " descriptors; broken " << ledger_.broken() << std::endl;
    say_examples();
}

// As if the model server's process was killed and started again a little later.
void run::kill_model() {
    exchanges_.disturb();
    model_.kill();
    sleep_ms(150);
    model_.revive();
    sleep_ms(50);
    exchanges_.settle();
    ++kills_;
}

// A second proxy listens on the same port before the first is drained, so that none is refused.
void run::restart_proxy() {
    exchanges_.disturb();
    auto old = std::move(proxy_);
    start_proxy();
    old->drain();
    ended_well_ = old->wait() == 0 && ended_well_;
    exchanges_.settle();
    ++restarts_;
}

// Until half of the clients have a stream under way, and a little longer.
void run::await_load(std::size_t cycle) {
    const auto wanted = (options_.streams + 1) / 2;
    for (auto left = 0; left < 1'000 && exchanges_.in_flight() < wanted; ++left) {
        exchanges_.check_ready(false);
        sleep_ms(5);
    }
    sleep_ms(static_cast<unsigned>(cycle * 37 % 300));
}

void run::drain_often() {
    const auto start = seconds_now();
    auto next_line = start + line_every_s;
    for (std::size_t cycle = 1; cycle <= options_.cycles; ++cycle) {
        await_load(cycle);
        exchanges_.drain();
        drains_.add(drain_proxy(*proxy_, [this] {
            exchanges_.check_ready(false);
            return exchanges_.in_flight();
        }));
        if (seconds_now() >= next_line) {
            say_drain(seconds_now() - start);
            next_line = seconds_now() + line_every_s;
        }
        if (cycle < options_.cycles) {
            proxy_.reset();
            start_proxy();
            exchanges_.settle();
        }
    }
}

// What has been broken since the last line, so that nobody has to wait for the end.
void run::say_examples() {
    const auto all = ledger_.examples();
    for (; said_ < all.size(); ++said_) {
        out_ << "broken: " << all[said_] << std::endl;
    }
}

void run::say_drain(double passed) {
    const auto counted = exchanges_.counted();
    out_ << std::fixed << std::setprecision(0) << passed << " s: " << drains_.count() << " of "
         << options_.cycles << " drains, the last with " << drains_.last().in_flight
         << " streams in " << drains_.last().took_ms << " ms; " << counted.exchanges
         << " exchanges, cut " << counted.cut << ", broken " << ledger_.broken() << std::endl;
    say_examples();
}

void run::end_clients() {
    stopping_ = true;
    for (auto& each : clients_) {
        each.join();
    }
    for (auto left = 0; exchanges_.running() > 0 && left < 500; ++left) {
        exchanges_.check_ready(false);
        sleep_ms(20);
    }
    exchanges_.check_ready(true);
}

// All clients have gone; what is kept towards the upstream is closed behind its idle limit.
void run::check_rest() {
    for (auto left = 0; left < 100; ++left) {
        end_descriptors_ = proxy_->descriptors();
        if (end_descriptors_ == rest_descriptors_) {
            return;
        }
        sleep_ms(50);
    }
}

void run::report_exchanges(const totals& counted) {
    out_ << "\nexchanges by plan:\n";
    for (const auto& [name, count] : counted.plans) {
        out_ << std::setw(8) << count << "  " << name << '\n';
    }
    out_ << '\n';
    ledger_.report(out_);
    out_ << "\nexchanges " << counted.exchanges << ", upstream requests " << counted.attempts
         << ", corrections " << counted.corrected << ", characters stripped " << counted.stripped
         << '\n';
}

bool run::report_drains() {
    const auto counted = exchanges_.counted();
    report_exchanges(counted);
    drains_.report(out_);
    out_ << "streams cut " << counted.cut << "; refused while nobody listened " << counted.refused
         << ", kept connections closed under a request " << counted.closed_idle << '\n';
    const bool good = ledger_.broken() == 0 && counted.cut == 0 && drains_.good() &&
                      drains_.count() == options_.cycles;
    out_ << (good ? "nothing is broken" : "BROKEN") << std::endl;
    return good;
}

bool run::report() {
    const auto counted = exchanges_.counted();
    const auto& delays = counted.end_delays_ns;
    const auto at_ms = [&](double share) {
        return static_cast<double>(quantile(delays, share)) / 1e6;
    };
    report_exchanges(counted);
    out_ << std::fixed << std::setprecision(1) << "model server killed " << kills_
         << " times, proxy restarted " << restarts_ << " times\n"
         << "end behind the upstream's last write, ms: p50 " << at_ms(0.5) << ", p99 "
         << at_ms(0.99) << ", most " << at_ms(1) << '\n';
    const auto medians = quarter_medians(samples_);
    out_ << "resident, MiB: at rest " << mib(rest_bytes_) << ", median of each quarter";
    for (const auto median : medians) {
        out_ << ' ' << mib(median);
    }
    const bool judged = options_.kind == load_kind::soak && options_.seconds >= steady_from_s;
    const bool steady = !judged || is_steady(medians);
    out_ << (judged ? (steady ? ": steady" : ": GROWN") : ": not judged") << '\n'
         << "descriptors at rest: before " << rest_descriptors_ << ", after " << end_descriptors_
         << '\n'
         << (ended_well_ ? "" : "a drained proxy did not exit with 0\n");
    const bool good = ledger_.broken() == 0 && steady && ended_well_ &&
                      rest_descriptors_ == end_descriptors_ && counted.exchanges > 0;
    out_ << (good ? "nothing is broken" : "BROKEN") << std::endl;
    return good;
}

} // namespace bench::soak
