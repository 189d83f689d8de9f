#include "bench/soak/link.hpp"

#include <cerrno>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <system_error>

namespace bench::soak {

namespace {

// The events that came within the time; 0 for none.
short wait_for(int socket, short events, int wait_ms) {
    auto watched = pollfd{socket, events, 0};
    const auto ready = ::poll(&watched, 1, wait_ms);
    return ready > 0 ? watched.revents : short{0};
}

io failure() {
    if (errno == EAGAIN || errno == EINTR) {
        return io::again;
    }
    return errno == EPIPE ? io::ended : io::reset;
}

} // namespace

io link::write(std::string_view bytes, int wait_ms, std::size_t& wrote) {
    wrote = 0;
    while (wrote < bytes.size()) {
        const auto sent =
            ::send(get(), bytes.data() + wrote, bytes.size() - wrote, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            wrote += static_cast<std::size_t>(sent);
            continue;
        }
        const auto what = failure();
        if (what != io::again || wait_for(get(), POLLOUT, wait_ms) == 0) {
            return what;
        }
    }
    return io::done;
}

io link::read(std::span<char> buffer, int wait_ms, std::size_t& got) {
    got = 0;
    if (wait_for(get(), POLLIN, wait_ms) == 0) {
        return io::again;
    }
    const auto read = ::recv(get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (read > 0) {
        got = static_cast<std::size_t>(read);
        return io::done;
    }
    return read == 0 ? io::ended : failure();
}

io link::watch(int wait_ms) {
    if (wait_for(get(), POLLIN | POLLRDHUP, wait_ms) == 0) {
        return io::again;
    }
    auto byte = char{};
    const auto read = ::recv(get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK);
    if (read > 0) {
        return io::done;
    }
    return read == 0 ? io::ended : failure();
}

void link::half_close() {
    ::shutdown(get(), SHUT_WR);
}

void link::close() {
    socket_.reset();
}

void link::reset() {
    const auto now = ::linger{1, 0};
    ::setsockopt(get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    socket_.reset();
}

link connect_to(std::uint16_t port, int receive_bytes) {
    static const auto host = std::string("127.0.0.1");
    constexpr int connect_ms = 3'000; // a first packet that is lost is sent again after 1 s
    try {
        auto made = link(start_connect(resolve(host, std::to_string(port))));
        if (receive_bytes > 0) {
            ::setsockopt(made.get(), SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
        }
        const auto events = wait_for(made.get(), POLLOUT, connect_ms);
        auto error = 0;
        auto length = socklen_t{sizeof error};
        ::getsockopt(made.get(), SOL_SOCKET, SO_ERROR, &error, &length);
        return events != 0 && error == 0 ? std::move(made) : link{};
    } catch (const std::system_error&) {
        return {};
    }
}

} // namespace bench::soak
