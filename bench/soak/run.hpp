// One run of the soak: clients, model server and proxy together for a time, with what disturbs
// them.
#pragma once

#include "bench/soak/client.hpp"
#include "bench/soak/ledger.hpp"
#include "bench/soak/model_server.hpp"
#include "bench/soak/plan.hpp"
#include "bench/soak/proxy_process.hpp"
#include "bench/soak/registry.hpp"
#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace bench::soak {

struct run_options {
    load_kind kind = load_kind::soak;
    std::string binary; ///< of the proxy
    double seconds = 30;
    std::size_t streams = 64; ///< clients at a time
    unsigned threads = 2;     ///< of the proxy
    std::uint64_t seed = 1;
};

/// Throws std::runtime_error with what is wrong.
run_options parse_run_options(int argc, char** argv);

extern const char* const run_usage;

class run {
  public:
    run(const run_options& options, std::ostream& out);

    /// Runs for the time; true when nothing was broken.
    bool go();

  private:
    void client_loop();
    void watch();
    void sample();
    void say_line(double passed);
    void kill_model();
    void restart_proxy();
    void end_clients();
    void check_rest();
    bool report();
    void start_proxy(std::uint16_t port);

    bool still_running() const { return !stopping_; }

    run_options options_;
    std::ostream& out_;
    ledger ledger_;
    registry exchanges_;
    model_server model_;
    std::unique_ptr<proxy_process> proxy_;
    std::vector<std::thread> clients_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::uint64_t> next_plan_{0};
    std::atomic<std::uint64_t> pipelined_{0};
    std::uint64_t rest_bytes_ = 0;
    std::size_t rest_descriptors_ = 0;
    std::size_t end_descriptors_ = 0;
    std::vector<std::uint64_t> samples_; // resident bytes, once a second
    unsigned kills_ = 0;
    unsigned restarts_ = 0;
    bool ended_well_ = true; // every process that was drained
};

} // namespace bench::soak
