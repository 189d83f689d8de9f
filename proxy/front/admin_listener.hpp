// The admin listener: a port and a thread of its own, so that it answers whatever the streams do,
// and until the last of them has ended.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/front/admin_dialog.hpp"
#include "proxy/front/admin_session.hpp"
#include "proxy/front/listener.hpp"
#include "proxy/upstream/io_loop.hpp"

#include <cstdint>
#include <list>
#include <thread>

namespace proxy::front {

class admin_listener {
  public:
    /// Listens and answers from now on. Throws std::system_error if the address can't be had.
    admin_listener(const config::address& address, admin_source from);
    ~admin_listener(); ///< closes everything
    admin_listener(const admin_listener&) = delete;
    admin_listener& operator=(const admin_listener&) = delete;

    /// The port that was bound; 0 for a unix socket.
    std::uint16_t port() const { return port_; }

  private:
    void accept(int fd);
    void sweep();

    admin_source from_;
    upstream::io_loop loop_; // outlives every socket below
    listener incoming_;
    std::list<admin_session> sessions_;
    std::uint16_t port_;
    std::thread thread_;
};

} // namespace proxy::front
