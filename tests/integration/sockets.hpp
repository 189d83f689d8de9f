// Plain blocking sockets for the tests: what goes over the wire is written and read by hand, so
// that a test can do what no honest peer would.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::tests {

/// A connected socket; every wait ends after `patience`, which no passing test uses up.
class wire {
  public:
    static constexpr std::chrono::milliseconds patience{10'000};

    explicit wire(int fd);
    ~wire();
    wire(wire&& other) noexcept;
    wire& operator=(wire&&) = delete;

    /// Throws std::runtime_error once the peer has closed or reset the connection: unlike a check
    /// of Boost.Test, that can be done on any thread.
    void send(std::string_view bytes) const;

    /// False once the peer has closed or reset the connection.
    bool try_send(std::string_view bytes) const;

    /// What comes next, at most `most` bytes; empty at the end, a reset, or when patience ends.
    std::string read_some(std::size_t most = 65'536);

    /// Reads until `text` was seen or the end; gives all of it.
    std::string read_until(std::string_view text);

    std::string read_to_end();

    /// Reads one request or response by its Content-Length or chunked framing. `body` is decoded.
    struct message {
        std::string head;
        std::string body;
        bool whole = false; ///< the framing's end was reached

        unsigned status() const;

        /// The value of a header; nothing if there is none.
        std::optional<std::string> header(std::string_view name) const;
    };

    message read_message(bool is_answer_to_head = false);

    /// Waits for the peer's close or reset and says how long it took; nothing if it never came.
    std::optional<std::chrono::milliseconds> wait_closed();

    /// True if the peer closes within `time` and sends nothing before: a pause that ends early.
    bool closed_within(std::chrono::milliseconds time) const;

    bool was_reset() const { return was_reset_; }

    void finish_sending() const; ///< FIN
    void close();
    void reset(); ///< RST

    int fd() const { return fd_; }

  private:
    std::string buffered_; // read, not given out yet
    int fd_;
    bool was_reset_ = false;
};

/// Connects to a port of 127.0.0.1. `receive_bytes`: size of the receive buffer, 0 for the
/// system's.
wire connect_to(std::uint16_t port, int receive_bytes = 0);

} // namespace proxy::tests
