// Opens a connection to an upstream: name to addresses, then one after the other within the connect
// limit, the TLS handshake included.
#pragma once

#include "proxy/upstream/endpoint.hpp"
#include "proxy/upstream/socket.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace proxy::upstream {

enum class dial_fault {
    unknown_name, ///< the name has no addresses
    refused,      ///< no address took the connection
    not_secure,   ///< the TLS handshake failed: reason()
    timed_out,    ///< the connect limit passed
    no_socket,    ///< this process has no descriptor left
};

class dial_sink {
  public:
    virtual void on_connected(std::unique_ptr<socket> connection) = 0;
    virtual void on_dial_failed(dial_fault fault) = 0;

  protected:
    ~dial_sink() = default;
};

class dialer final : public ready_handler {
  public:
    /// All three must outlive the dialer, which calls `sink` once for each start(), perhaps from
    /// within it and always as the last thing it does. Destroying the dialer cancels.
    dialer(io_loop& loop, endpoint& target, dial_sink& sink);

    void start(std::chrono::milliseconds limit);

    /// To be called with each tick: deadlines.
    void sweep();

    /// Addresses that were given up for the next one.
    unsigned repeats() const { return repeats_; }

    /// What was wrong with the last TLS handshake that failed.
    const std::string& reason() const { return reason_; }

  private:
    void on_readable() override;
    void on_writable() override;
    void on_no_memory() override;
    void connected();
    void shake_hands();
    void hand_over();
    void take(const address_list& addresses);
    void try_from(dial_fault last);
    std::optional<dial_fault> open(const socket_address& address);
    void fail(dial_fault fault);

    io_loop& loop_;
    endpoint& target_;
    dial_sink& sink_;
    std::shared_ptr<pending_lookup> lookup_;
    address_list addresses_;
    std::size_t next_ = 0;
    std::unique_ptr<socket> connecting_;
    std::string reason_;
    bool connected_at_once_ = false;
    std::int64_t deadline_ms_ = 0;         // of all addresses
    std::int64_t address_deadline_ms_ = 0; // of the one that is tried
    unsigned repeats_ = 0;
};

} // namespace proxy::upstream
