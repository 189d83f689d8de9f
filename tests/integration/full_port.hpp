// A black hole on loopback: whoever connects to it waits.
#pragma once

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace proxy::tests {

// A listening port whose queue is full: who connects to it waits.
class full_port {
  public:
    full_port() {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address_;
        BOOST_REQUIRE(::bind(fd_, place(), size) == 0 && ::listen(fd_, 0) == 0);
        BOOST_REQUIRE(::getsockname(fd_, place(), &size) == 0);
        for (auto& filler : fillers_) {
            filler = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
            (void)::connect(filler, place(), size);
        }
    }

    ~full_port() {
        ::close(fd_);
        for (const int filler : fillers_) {
            ::close(filler);
        }
    }

    full_port(const full_port&) = delete;
    full_port& operator=(const full_port&) = delete;

    std::uint16_t number() const { return ntohs(address_.sin_port); }

  private:
    sockaddr* place() { return static_cast<sockaddr*>(static_cast<void*>(&address_)); }

    sockaddr_in address_{};
    int fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    std::array<int, 4> fillers_{};
};

} // namespace proxy::tests
