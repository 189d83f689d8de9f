// A listening socket of one thread. Several may share one port, where the kernel spreads the
// connections, or one unix socket, from which whoever is free takes them.
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

    /// Binds and listens. The file of a unix socket that nobody listens to any more is replaced.
    /// Throws std::system_error if the address can't be had.
    void open(const config::address& address);

    /// Listens on the unix socket of `other`, which stays the one that removes its file.
    void share(const listener& other);

    /// The port that was bound; 0 for a unix socket.
    std::uint16_t port() const;

    /// Begins to accept. Behind an error of this process (no descriptors) it pauses a moment.
    void start();

    /// Takes everybody who has connected already, then closes: nobody is reset who got in.
    void drain();

    void close();

  private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace proxy::front
