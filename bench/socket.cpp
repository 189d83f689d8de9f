#include "bench/socket.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace bench {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// "host:port" or "[v6]:port"; the port may be absent.
std::pair<std::string, std::string> split_authority(std::string_view text, std::string port) {
    const auto bracket = text.rfind(']');
    const auto colon = text.rfind(':');
    auto host = text;
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
        host = text.substr(0, colon);
        port = text.substr(colon + 1);
    }
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    }
    return {std::string(host), std::move(port)};
}

} // namespace

void fd::reset() {
    if (value_ >= 0) {
        ::close(value_);
        value_ = -1;
    }
}

std::string base_url::authority() const {
    const auto name = host.find(':') == std::string::npos ? host : "[" + host + "]";
    return port == "80" ? name : name + ":" + port;
}

base_url parse_base_url(std::string_view url) {
    constexpr std::string_view scheme = "http://";
    if (!url.starts_with(scheme)) {
        throw std::runtime_error("URL must begin with http:// : " + std::string(url));
    }
    url.remove_prefix(scheme.size());
    const auto slash = url.find('/');
    auto result = base_url{};
    auto split = split_authority(url.substr(0, slash), result.port);
    result.host = std::move(split.first);
    result.port = std::move(split.second);
    if (slash != std::string_view::npos) {
        result.path = url.substr(slash);
        while (result.path.ends_with('/')) {
            result.path.pop_back();
        }
    }
    if (result.host.empty() || result.port.empty()) {
        throw std::runtime_error("URL without host or port");
    }
    return result;
}

endpoint resolve(const std::string& host, const std::string& port) {
    auto hints = addrinfo{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const auto error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
    if (error != 0) {
        throw std::runtime_error("can't resolve " + host + ":" + port + ": " +
                                 ::gai_strerror(error));
    }
    auto result = endpoint{};
    auto* const bytes = reinterpret_cast<const char*>(found->ai_addr);
    result.length = found->ai_addrlen;
    std::copy(bytes, bytes + result.length, reinterpret_cast<char*>(&result.address));
    ::freeaddrinfo(found);
    return result;
}

fd listen_on(std::string_view address) {
    const auto split = split_authority(address, "0");
    const auto place = resolve(split.first, split.second);
    auto socket =
        fd{::socket(place.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    const int on = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&place.address), place.length) !=
            0 ||
        ::listen(socket.get(), 4096) != 0) {
        fail("can't listen on " + std::string(address));
    }
    return socket;
}

fd reserve_port() {
    auto socket = fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    const int on = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    const auto place = resolve("127.0.0.1", "0");
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&place.address), place.length) !=
        0) {
        fail("no free port");
    }
    return socket;
}

std::uint16_t local_port(const fd& socket) {
    auto name = sockaddr_storage{};
    auto length = socklen_t{sizeof name};
    if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&name), &length) != 0) {
        fail("getsockname");
    }
    return name.ss_family == AF_INET6 ? ntohs(reinterpret_cast<sockaddr_in6&>(name).sin6_port)
                                      : ntohs(reinterpret_cast<sockaddr_in&>(name).sin_port);
}

fd start_connect(const endpoint& peer) {
    auto socket =
        fd{::socket(peer.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (socket.get() < 0) {
        fail("socket");
    }
    set_no_delay(socket.get());
    const auto* const address = reinterpret_cast<const sockaddr*>(&peer.address);
    if (::connect(socket.get(), address, peer.length) != 0 && errno != EINPROGRESS) {
        fail("connect");
    }
    return socket;
}

void set_no_delay(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void raise_file_limit() {
    auto limit = rlimit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

std::uint64_t now_ns() {
    auto time = timespec{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
}

} // namespace bench
