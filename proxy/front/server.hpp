// The proxy as a whole: threads, each with its own listener, connections and pool. Nothing of Asio
// shows here, so that main and the tests can own a server without it.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/scaffold/catalog.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace proxy::telemetry {
struct turn_record;
}

namespace proxy::front {

/// Called once for every exchange that ended, on the thread that served it; several threads may
/// call at once. It must not block.
using turn_sink = std::function<void(const telemetry::turn_record&)>;

class server {
  public:
    /// `formats` must outlive the server. `settings` must hold at least one upstream.
    server(config::settings settings, const scaffold::catalog& formats, turn_sink sink);
    ~server(); ///< stop() and join()
    server(const server&) = delete;
    server& operator=(const server&) = delete;

    /// Opens the admin listener, if settings.admin has one. Before start(), so that it can tell of
    /// the start. Throws std::system_error when the address can't be bound. Call once.
    void open_admin();

    /// Opens the listeners and starts the threads. Throws std::system_error when the address can't
    /// be bound; no thread runs then. Call once.
    void start();

    /// The port that was bound, also when settings.listen.port is 0. Valid after start().
    std::uint16_t port() const;

    /// The port of the admin listener, likewise. Valid after open_admin(); 0 without one.
    std::uint16_t admin_port() const;

    /// Stops accepting; exchanges in flight get timeouts.drain to finish, then a loud end. The
    /// threads end when the last connection has. From any thread.
    void drain();

    /// Ends every exchange with a loud end where that can be written at once, and closes. From any
    /// thread.
    void stop();

    /// Waits until the threads have ended, which drain() or stop() brings about; then the admin
    /// listener ends.
    void join();

  private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace proxy::front
