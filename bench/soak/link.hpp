// One connected socket of the soak: waits that end, writes that notice when the peer has left.
#pragma once

#include "bench/socket.hpp"
#include <cstdint>
#include <span>
#include <string_view>

namespace bench::soak {

enum class io { done, again, ended, reset };

class link {
  public:
    link() = default;

    explicit link(fd socket) : socket_(std::move(socket)) {}

    bool open() const { return socket_.get() >= 0; }

    int get() const { return socket_.get(); }

    /// Writes all of it, waiting at most `wait_ms` for each piece. `again`: the peer took nothing
    /// for so long. `wrote` gets the number of bytes that the socket took.
    io write(std::string_view bytes, int wait_ms, std::size_t& wrote);

    /// Reads what there is into `buffer`, waiting at most `wait_ms` for it.
    io read(std::span<char> buffer, int wait_ms, std::size_t& got);

    /// Waits at most `wait_ms` for bytes or the peer's end; leaves bytes where they are.
    io watch(int wait_ms);

    void half_close();
    void close();
    void reset(); ///< RST

  private:
    fd socket_;
};

/// A connection to a port of 127.0.0.1; not open when it is refused or takes over three seconds.
/// `receive_bytes`: size of its receive buffer, 0 for the system's.
link connect_to(std::uint16_t port, int receive_bytes = 0);

} // namespace bench::soak
