#include "proxy/upstream/dialer.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace proxy::upstream {

dialer::dialer(io_loop& loop, endpoint& target, dial_sink& sink)
    : loop_(loop), target_(target), sink_(sink) {}

void dialer::start(std::chrono::milliseconds limit) {
    deadline_ms_ = loop_.now_ms() + limit.count();
    address_deadline_ms_ = deadline_ms_;
    if (const auto* known = target_.names.known()) {
        return take(*known);
    }
    lookup_ = target_.names.look_up([this](const address_list& addresses) { take(addresses); });
}

void dialer::take(const address_list& addresses) {
    addresses_ = addresses;
    next_ = 0;
    try_from(dial_fault::unknown_name);
}

// Tries addresses from next_ on; `last` is why the one before failed.
void dialer::try_from(dial_fault last) {
    while (next_ < addresses_.size()) {
        repeats_ += next_ > 0 ? 1 : 0;
        const auto left = deadline_ms_ - loop_.now_ms();
        if (left <= 0) {
            return fail(dial_fault::timed_out);
        }
        // A dead address must leave time for those behind it.
        const auto share = left / static_cast<std::int64_t>(addresses_.size() - next_);
        address_deadline_ms_ = loop_.now_ms() + share;
        const auto fault = open(addresses_[next_++]);
        if (!fault) {
            return connected_at_once_ ? connected() : void();
        }
        last = *fault;
    }
    fail(last);
}

// Begins one connect; on loopback it is often decided at once.
std::optional<dial_fault> dialer::open(const socket_address& address) {
    const int fd = ::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return dial_fault::no_socket;
    }
    tune_socket(fd);
    const auto* target = static_cast<const sockaddr*>(static_cast<const void*>(&address.bytes));
    const int result = ::connect(fd, target, address.size);
    if (result != 0 && errno != EINPROGRESS) {
        ::close(fd);
        return dial_fault::refused;
    }
    connecting_ = std::make_unique<socket>(loop_, fd);
    connected_at_once_ = result == 0;
    if (!connected_at_once_) {
        connecting_->set_handler(this);
        connecting_->wait_writable();
    }
    return std::nullopt;
}

void dialer::on_writable() {
    if (connecting_->tls() != nullptr) {
        return; // there is room for the handshake: reading goes on by itself
    }
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(connecting_->fd(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error == 0) {
        connected();
    } else {
        connecting_.reset();
        try_from(dial_fault::refused);
    }
}

void dialer::connected() {
    if (!target_.tls) {
        return hand_over();
    }
    connecting_->secure(tls_channel::to_upstream(target_.tls, connecting_->fd(), target_.sessions));
    connecting_->set_handler(this);
    shake_hands();
}

void dialer::on_readable() {
    shake_hands();
}

void dialer::shake_hands() {
    switch (connecting_->handshake()) {
    case tls_channel::step::done:
        connecting_->pause_reading();
        return hand_over();
    case tls_channel::step::wants_read:
    case tls_channel::step::wants_write: // the socket reads on as soon as there is room
        return connecting_->resume_reading();
    case tls_channel::step::failed:
        reason_ = connecting_->tls()->reason();
        connecting_.reset();
        return try_from(dial_fault::not_secure);
    }
}

void dialer::hand_over() {
    connecting_->set_handler(nullptr);
    sink_.on_connected(std::move(connecting_));
}

void dialer::on_no_memory() {
    fail(dial_fault::no_socket);
}

void dialer::sweep() {
    const auto now = loop_.now_ms();
    if (now >= deadline_ms_) {
        fail(dial_fault::timed_out);
    } else if (connecting_ && now >= address_deadline_ms_) {
        connecting_.reset();
        try_from(dial_fault::timed_out);
    }
}

void dialer::fail(dial_fault fault) {
    connecting_.reset();
    lookup_.reset();
    sink_.on_dial_failed(fault);
}

} // namespace proxy::upstream
