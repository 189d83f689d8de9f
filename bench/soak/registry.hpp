// All exchanges that are under way, found by their nonce: the client opens one, the model server
// and the reader of the log add to it, and when it has ended on every side it is checked and
// forgotten.
#pragma once

#include "bench/soak/ledger.hpp"
#include "bench/soak/log_lines.hpp"
#include "bench/soak/plan.hpp"
#include "bench/soak/recording.hpp"
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bench::soak {

class exchange {
  public:
    explicit exchange(plan made);

    const plan what;

    /// A request has reached the model server; its number from 1.
    unsigned begin_attempt();
    void end_attempt(attempt done);
    void end_client(client_side done);
    void add(const log_entry& entry);
    void disturb();

    /// The proxy drains, or is not there.
    void drain();

    unsigned attempts_begun() const;

    /// Its line has been read in the log.
    bool has_line() const;

    /// A request has reached the model server, and the client has no end yet.
    bool in_flight() const;

    /// Every side has ended; or it has not within the time that they may take.
    bool is_ready(std::int64_t now_ns) const;

    /// All that was seen; the exchange is done with.
    recording take();

  private:
    mutable std::mutex mutex_;
    recording seen_;
    unsigned begun_ = 0;
    std::int64_t client_done_ns_ = 0;
};

/// What was counted over all exchanges.
struct totals {
    std::uint64_t exchanges = 0;
    std::uint64_t attempts = 0;
    std::uint64_t corrected = 0; ///< with two attempts
    std::uint64_t stripped = 0;  ///< characters, as the log's turns say
    std::map<std::string, std::uint64_t> outcomes;
    std::map<std::string, std::uint64_t> plans;
    std::uint64_t cut = 0;                   ///< of all that met a drain
    std::uint64_t refused = 0;               ///< found nobody listening
    std::uint64_t closed_idle = 0;           ///< sent on a kept connection while it was closed
    std::vector<std::int64_t> end_delays_ns; ///< a sample of them
};

class registry {
  public:
    explicit registry(ledger& to) : ledger_(to) {}

    std::shared_ptr<exchange> open(plan made);

    /// Null for an exchange that is not known or forgotten.
    std::shared_ptr<exchange> find(std::string_view nonce) const;

    /// Takes one line of the proxy's log.
    void take_log_line(std::string_view line);

    /// A request of an exchange that is not known has reached the model server.
    void note_stray(std::string_view nonce);

    /// All exchanges that run now, and those that begin before `settle()`, may fail at connecting.
    void disturb();
    void settle();

    /// The same for a drain, where they may also find nobody listening.
    void drain();

    /// Those that are in flight now.
    std::size_t in_flight() const;

    /// Checks those that are ready. `all`: those that are not, too.
    void check_ready(bool all);

    std::size_t running() const;

    totals counted() const;

  private:
    void count(const recording& seen);

    /// True once for an exchange that ended before its line was read.
    bool is_late(std::string_view nonce);

    ledger& ledger_;
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<exchange>, std::less<>> running_;
    std::set<std::string, std::less<>> without_line_; // a malformed request may have none
    bool disturbed_ = false;
    bool drained_ = false;
    totals totals_;
};

} // namespace bench::soak
