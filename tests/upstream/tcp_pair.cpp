#include "tests/upstream/tcp_pair.hpp"

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace proxy::tests {

namespace {

constexpr int patience_ms = 10'000;

} // namespace

tcp_pair::tcp_pair() {
    const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* place = static_cast<sockaddr*>(static_cast<void*>(&address));
    socklen_t size = sizeof address;
    BOOST_REQUIRE(::bind(listening, place, size) == 0);
    BOOST_REQUIRE(::listen(listening, 1) == 0);
    BOOST_REQUIRE(::getsockname(listening, place, &size) == 0);
    far_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    BOOST_REQUIRE(::connect(far_, place, size) == 0);
    near = ::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    BOOST_REQUIRE(near >= 0);
    ::close(listening);
}

tcp_pair::~tcp_pair() {
    if (near >= 0) {
        ::close(near);
    }
    close_far();
}

void tcp_pair::send_far(std::string_view bytes) const {
    const auto wrote = ::send(far_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    BOOST_REQUIRE(wrote == static_cast<ssize_t>(bytes.size()));
}

void tcp_pair::close_far() {
    if (far_ >= 0) {
        ::close(far_);
    }
    far_ = -1;
}

void tcp_pair::reset_far() {
    const linger now{1, 0};
    ::setsockopt(far_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close_far();
}

bool tcp_pair::far_sees_end() const {
    char buffer[1'024];
    while (true) {
        pollfd watched{far_, POLLIN, 0};
        if (::poll(&watched, 1, patience_ms) <= 0) {
            return false;
        }
        if (::recv(far_, buffer, sizeof buffer, 0) <= 0) {
            return true;
        }
    }
}

} // namespace proxy::tests
