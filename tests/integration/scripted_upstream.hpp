// An upstream that does what a test says, connection by connection, on threads of its own.
#pragma once

#include "tests/integration/sockets.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace proxy::tests {

class scripted_upstream {
  public:
    /// `script` serves one connection; `number` counts them from 0. Several may run at once. One
    /// that throws fails the test; Boost.Test's own checks are for the main thread only.
    /// `address`: an IPv4 one; port 0: a free one.
    explicit scripted_upstream(std::function<void(wire& client, unsigned number)> script,
                               const char* address = "127.0.0.1", std::uint16_t port = 0);

    /// Waits for the scripts to end, and checks that none has thrown.
    ~scripted_upstream();

    std::uint16_t port() const { return port_; }

    unsigned connections() const { return connections_; }

  private:
    void accept_loop();
    void run(int fd, unsigned number);

    std::function<void(wire&, unsigned)> script_;
    std::uint16_t port_ = 0; // set when fd_ is bound
    int fd_;
    std::atomic<unsigned> connections_{0};
    std::mutex mutex_;
    std::string failure_; // of the first script that threw
    std::list<std::thread> scripts_;
    std::thread acceptor_;
};

/// A port of 127.0.0.1 where nobody listens.
std::uint16_t closed_port();

} // namespace proxy::tests
