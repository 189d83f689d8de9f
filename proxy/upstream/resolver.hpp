// Names to addresses, once for each upstream and thread, kept for a short while.
#pragma once

#include "proxy/upstream/io_loop.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace proxy::upstream {

struct socket_address {
    sockaddr_storage bytes{};
    socklen_t size = 0;
};

using address_list = std::vector<socket_address>;

/// An answer that is awaited; dropping it cancels.
class pending_lookup {
  public:
    explicit pending_lookup(std::function<void(const address_list&)> done)
        : done_(std::move(done)) {}

    void deliver(const address_list& addresses) const { done_(addresses); }

  private:
    std::function<void(const address_list&)> done_;
};

class resolver {
  public:
    resolver(io_loop& loop, std::string host, std::uint16_t port);

    /// Knows one address: the unix socket at `path`, at most limits::socket_path_bytes_max long.
    resolver(io_loop& loop, const std::string& path);
    ~resolver();

    /// The addresses if they are known and not older than limits::address_seconds; null else.
    const address_list* known() const;

    /// Looks the name up; `done` gets the addresses, none if the name has none, unless the result
    /// was dropped before. Never calls back at once.
    std::shared_ptr<pending_lookup> look_up(std::function<void(const address_list&)> done);

  private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace proxy::upstream
