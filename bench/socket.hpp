// Sockets and time for the bench tools: plain Linux calls, every error ends in std::system_error
// or std::runtime_error, since a benchmark that can't run should say so and stop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace bench {

/// Owns a file descriptor.
class fd {
  public:
    fd() = default;

    explicit fd(int value) : value_(value) {}

    ~fd() { reset(); }

    fd(fd&& other) noexcept : value_(std::exchange(other.value_, -1)) {}

    fd& operator=(fd&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }

    int get() const { return value_; }

    void reset();

  private:
    int value_ = -1;
};

/// `http://host[:port][/path]`; a trailing slash of the path is dropped.
struct base_url {
    std::string host;
    std::string port = "80";
    std::string path;

    std::string authority() const;
};

/// Throws std::runtime_error for anything but plain http.
base_url parse_base_url(std::string_view url);

/// An address that connect() takes.
struct endpoint {
    sockaddr_storage address{};
    socklen_t length = 0;
};

/// The first address of `host` and `port`. Throws std::runtime_error, naming both.
endpoint resolve(const std::string& host, const std::string& port);

/// Non-blocking listening socket on `address` (`127.0.0.1:0`).
fd listen_on(std::string_view address);

/// A free port of 127.0.0.1 that stays ours while the socket lives: it refuses connections until
/// somebody listens there with SO_REUSEPORT, and no connection gets it as its own.
fd reserve_port();

/// The port a bound socket got.
std::uint16_t local_port(const fd& socket);

/// A non-blocking socket whose connection is on its way, without Nagle's delay.
fd start_connect(const endpoint& peer);

void set_no_delay(int socket);

/// Raises the limit of open files as far as it goes.
void raise_file_limit();

/// CLOCK_MONOTONIC in nanoseconds: the same clock in all processes of the machine.
std::uint64_t now_ns();

} // namespace bench
