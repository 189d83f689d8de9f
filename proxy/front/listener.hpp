// A listening socket of one thread. Several may share one port: the kernel spreads the connections.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/upstream/io_loop.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace proxy::front {

class listener {
  public:
    /// `take` gets each accepted connection, non-blocking and tuned (socket.hpp), and owns it.
    listener(upstream::io_loop& loop, std::function<void(int fd)> take);
    ~listener();

    /// Binds and listens. Throws std::system_error if the address can't be had.
    void open(const config::address& address);

    /// The port that was bound.
    std::uint16_t port() const;

    /// Begins to accept. Behind an error of this process (no descriptors) it pauses a moment.
    void start();

    void close();

  private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace proxy::front
