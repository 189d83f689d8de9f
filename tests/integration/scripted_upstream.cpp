#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace proxy::tests {

namespace {

// Binds a port, a free one if it is 0, and gives the socket.
int bind_to(const char* host, std::uint16_t& port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    BOOST_REQUIRE(::inet_pton(AF_INET, host, &address.sin_addr) == 1);
    auto* place = static_cast<sockaddr*>(static_cast<void*>(&address));
    socklen_t size = sizeof address;
    BOOST_REQUIRE(::bind(fd, place, size) == 0);
    BOOST_REQUIRE(::getsockname(fd, place, &size) == 0);
    port = ntohs(address.sin_port);
    return fd;
}

} // namespace

scripted_upstream::scripted_upstream(std::function<void(wire&, unsigned)> script,
                                     const char* address, std::uint16_t port)
    : script_(std::move(script)), port_(port), fd_(bind_to(address, port_)) {
    BOOST_REQUIRE(::listen(fd_, 128) == 0);
    acceptor_ = std::thread([this] { accept_loop(); });
}

scripted_upstream::~scripted_upstream() {
    ::shutdown(fd_, SHUT_RDWR);
    acceptor_.join();
    ::close(fd_);
    for (auto& thread : scripts_) {
        thread.join();
    }
    BOOST_CHECK_MESSAGE(failure_.empty(), "a script of the upstream: " << failure_);
}

void scripted_upstream::accept_loop() {
    while (true) {
        const int fd = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0) {
            return;
        }
        const unsigned number = connections_++;
        scripts_.emplace_back([this, fd, number] { run(fd, number); });
    }
}

void scripted_upstream::run(int fd, unsigned number) {
    wire client(fd);
    try {
        script_(client, number);
    } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        failure_ = failure_.empty() ? error.what() : failure_;
    }
}

std::uint16_t closed_port() {
    std::uint16_t port = 0;
    ::close(bind_to("127.0.0.1", port));
    return port;
}

} // namespace proxy::tests
