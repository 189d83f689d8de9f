#include "tests/integration/sockets.hpp"

#include "proxy/upstream/body_decoder.hpp"
#include "proxy/upstream/fields.hpp"

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace proxy::tests {

wire::wire(int fd) : fd_(fd) {
    const timeval limit{patience.count() / 1'000, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

wire::~wire() {
    close();
}

wire::wire(wire&& other) noexcept
    : buffered_(std::move(other.buffered_)), fd_(other.fd_), was_reset_(other.was_reset_) {
    other.fd_ = -1;
}

bool wire::try_send(std::string_view bytes) const {
    while (!bytes.empty()) {
        const auto wrote = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (wrote <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return true;
}

void wire::send(std::string_view bytes) const {
    if (!try_send(bytes)) {
        throw std::runtime_error("the peer took no more bytes");
    }
}

std::string wire::read_some(std::size_t most) {
    if (!buffered_.empty()) {
        return std::exchange(buffered_, {});
    }
    std::string out(most, '\0');
    const auto got = ::recv(fd_, out.data(), out.size(), 0);
    was_reset_ = was_reset_ || (got < 0 && errno == ECONNRESET);
    out.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return out;
}

std::string wire::read_until(std::string_view text) {
    std::string out;
    while (out.find(text) == std::string::npos) {
        const auto more = read_some();
        if (more.empty()) {
            return out;
        }
        out += more;
    }
    const auto end = out.find(text) + text.size();
    buffered_ = out.substr(end);
    out.resize(end);
    return out;
}

std::string wire::read_to_end() {
    std::string out;
    for (auto more = read_some(); !more.empty(); more = read_some()) {
        out += more;
    }
    return out;
}

unsigned wire::message::status() const {
    return head.size() > 12 ? static_cast<unsigned>(std::stoul(head.substr(9, 3))) : 0;
}

std::optional<std::string> wire::message::header(std::string_view name) const {
    std::string_view rest = head;
    (void)upstream::take_line(rest);
    upstream::field_list fields;
    (void)upstream::read_fields(rest, 1'000, fields);
    const auto found = upstream::find_field(fields, name);
    return found ? std::optional(std::string(*found)) : std::nullopt;
}

wire::message wire::read_message(bool is_answer_to_head) {
    message out;
    out.head = read_until("\r\n\r\n");
    using upstream::framing;
    auto kind = out.head.starts_with("HTTP/") ? framing::until_close : framing::none;
    const auto length = out.header("content-length");
    if (is_answer_to_head || out.head.find(" 204 ") == 8 || out.head.find(" 304 ") == 8) {
        kind = framing::none;
    } else if (out.header("transfer-encoding")) {
        kind = framing::chunked;
    } else if (length) {
        kind = framing::length;
    }
    upstream::body_decoder decoder(kind, length ? std::stoull(*length) : 0);
    while (!decoder.complete()) {
        const auto more = read_some();
        if (more.empty()) {
            out.whole = decoder.whole_at_close() && !was_reset_;
            return out;
        }
        std::string_view input = more;
        while (const auto piece = decoder.next(input)) {
            out.body.append(*piece);
        }
        buffered_ = std::string(input);
    }
    out.whole = true;
    return out;
}

std::optional<std::chrono::milliseconds> wire::wait_closed() {
    const auto start = std::chrono::steady_clock::now();
    std::string thrown_away(65'536, '\0');
    while (true) {
        const auto got = ::recv(fd_, thrown_away.data(), thrown_away.size(), 0);
        if (got < 0 && errno == EAGAIN) {
            return std::nullopt;
        }
        if (got <= 0) {
            was_reset_ = got < 0;
            return std::chrono::duration_cast<std::chrono::milliseconds>(
                std::chrono::steady_clock::now() - start);
        }
    }
}

bool wire::closed_within(std::chrono::milliseconds time) const {
    pollfd watched{fd_, POLLIN | POLLRDHUP, 0};
    return ::poll(&watched, 1, static_cast<int>(time.count())) > 0;
}

void wire::finish_sending() const {
    ::shutdown(fd_, SHUT_WR);
}

void wire::close() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
    fd_ = -1;
}

void wire::reset() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

wire connect_to(std::uint16_t port, int receive_bytes) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    BOOST_REQUIRE(fd >= 0);
    if (receive_bytes > 0) {
        ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* target = static_cast<const sockaddr*>(static_cast<const void*>(&address));
    BOOST_REQUIRE(::connect(fd, target, sizeof address) == 0);
    return wire(fd);
}

} // namespace proxy::tests
