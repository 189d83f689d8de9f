// One run of the soak: clients, model server and proxy together for a time, with what disturbs
// them.
#pragma once

#include "bench/soak/client.hpp"
#include "bench/soak/drains.hpp"
#include "bench/soak/ledger.hpp"
#include "bench/soak/model_server.hpp"
#include "bench/soak/proxy_process.hpp"
#include "bench/soak/registry.hpp"
#include "bench/soak/run_options.hpp"
#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <thread>
#include <vector>

namespace bench::soak {

class run {
  public:
    /// Starts the proxy; throws std::runtime_error when it does not start.
    run(const run_options& options, std::ostream& out);

    /// Runs for the time; true when nothing was broken.
    bool go();

  private:
    void client_loop();
    void watch();
    void drain_often();
    void await_load(std::size_t cycle);
    void say_drain(double passed);
    void say_examples();
    void sample();
    void say_line(double passed);
    void kill_model();
    void restart_proxy();
    void end_clients();
    void check_rest();
    void report_exchanges(const totals& counted);
    bool report();
    bool report_drains();
    void start_proxy();

    bool still_running() const { return !stopping_; }

    run_options options_;
    std::ostream& out_;
    ledger ledger_;
    registry exchanges_;
    model_server model_;
    fd reserved_; // the port, also while no proxy listens there
    std::unique_ptr<proxy_process> proxy_;
    std::vector<std::thread> clients_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::uint64_t> next_plan_{0};
    std::atomic<std::uint64_t> pipelined_{0};
    std::uint64_t rest_bytes_ = 0;
    std::size_t rest_descriptors_ = 0;
    std::size_t end_descriptors_ = 0;
    std::vector<std::uint64_t> samples_; // resident bytes, once a second
    drain_record drains_;
    unsigned kills_ = 0;
    unsigned restarts_ = 0;
    std::size_t said_ = 0; // examples of what was broken
    bool ended_well_ = true; // every process that was drained
};

} // namespace bench::soak
