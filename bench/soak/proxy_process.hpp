// The proxy as a process of its own: started with short limits in front of the model server, its
// log read line by line, its memory and descriptors looked at from outside.
#pragma once

#include "bench/soak/plan.hpp"
#include "bench/socket.hpp"
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <thread>

namespace bench::soak {

struct proxy_options {
    std::string binary;
    std::uint16_t upstream_port = 0;
    std::uint16_t port = 0; ///< 0: one that is free
    unsigned threads = 2;
    unsigned limit_ms = upstream_limit_ms; ///< of waiting for the upstream, and for a client
};

/// The configuration that a proxy under test is given, as a file's text.
std::string configuration(const proxy_options& options);

class proxy_process {
  public:
    /// Starts it and waits until it listens. `take_line` gets each line of its log, on a thread of
    /// this object. Throws std::runtime_error when it does not start.
    proxy_process(const proxy_options& options, std::function<void(std::string_view)> take_line);
    ~proxy_process();
    proxy_process(const proxy_process&) = delete;
    proxy_process& operator=(const proxy_process&) = delete;

    std::uint16_t port() const { return port_; }

    /// Asks it to drain.
    void drain() const;

    void kill() const;

    /// True once it has ended; does not wait.
    bool ended();

    /// Waits for its end; 128 and the signal's number when it was killed. A second call gives the
    /// same.
    int wait();

    std::uint64_t resident_bytes() const;

    std::size_t descriptors() const;

  private:
    void start(const proxy_options& options);
    void read_log();
    bool take_status(int options);

    std::function<void(std::string_view)> take_line_;
    std::string directory_;
    fd log_;
    pid_t pid_ = -1;
    int exit_code_ = -1;
    std::atomic<std::uint16_t> port_{0};
    std::atomic<bool> ended_{false};
    std::thread reader_;
};

} // namespace bench::soak
