// What the drains of a run showed: each is one TERM under load, to the process's end.
#pragma once

#include "bench/soak/proxy_process.hpp"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace bench::soak {

struct drain_facts {
    std::size_t in_flight = 0; ///< streams, when TERM came
    int exit_code = 0;
    std::int64_t took_ms = 0; ///< from TERM to the process's end
    std::int64_t open_ms = 0; ///< from TERM to the begin of the last connection that was taken
    std::int64_t idle_ms = 0; ///< from the end of the last stream to the process's end
    bool taken_again = false; ///< a connection was taken after one had been refused
};

/// Empty, or what is wrong with a drain.
std::string fault_of(const drain_facts& of);

/// Sends TERM and waits for the end; tries meanwhile to connect. `in_flight` is asked again and
/// again, and may do other work; the process is killed when it outlives twice its time.
drain_facts drain_proxy(proxy_process& proxy, const std::function<std::size_t()>& in_flight);

/// All drains of a run.
class drain_record {
  public:
    void add(const drain_facts& done);

    std::size_t count() const { return drains_; }

    const drain_facts& last() const { return last_; }

    bool good() const { return drains_ > 0 && faults_.empty(); }

    /// Figures in a few lines, and what was wrong.
    void report(std::ostream& out) const;

  private:
    std::size_t drains_ = 0;
    std::size_t in_flight_ = 0;
    std::size_t in_flight_least_ = 0;
    std::int64_t took_most_ms_ = 0;
    std::int64_t idle_most_ms_ = 0;
    std::int64_t open_most_ms_ = 0;
    drain_facts last_;
    std::vector<std::string> faults_;
};

} // namespace bench::soak
