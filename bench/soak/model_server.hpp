// The recording upstream: plays the script of the exchange that a request's nonce names, connection
// by connection on threads of their own, and keeps what it was asked and what it wrote.
#pragma once

#include "bench/soak/http_reader.hpp"
#include "bench/soak/link.hpp"
#include "bench/soak/registry.hpp"
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace bench::soak {

class model_server {
  public:
    explicit model_server(registry& exchanges);
    ~model_server();
    model_server(const model_server&) = delete;
    model_server& operator=(const model_server&) = delete;

    std::uint16_t port() const { return port_; }

    /// Ends all connections and stops listening, as a process that is killed.
    void kill();

    /// Listens again, on the same port.
    void revive();

    std::size_t connections() const;

  private:
    struct peer {
        link socket;
        std::atomic<bool> killed{false};
        std::atomic<bool> ended{false};
        std::thread thread;
    };

    void accept_loop();
    void accept_one(const fd& listener);
    void reap(bool all);
    void serve(peer& with);
    bool serve_one(peer& with, std::string& pending);
    bool play(peer& with, const script& what, attempt& record);
    bool do_step(peer& with, const step& what, attempt& record);
    bool wait(peer& with, unsigned ms, attempt& record);
    static bool end(peer& with, attempt& record, attempt_end how);

    registry& exchanges_;
    std::uint16_t port_ = 0;
    mutable std::mutex mutex_; // of what stands below
    std::shared_ptr<fd> listener_;
    std::list<std::unique_ptr<peer>> peers_;
    std::atomic<bool> stopping_{false};
    std::thread acceptor_;
};

} // namespace bench::soak
