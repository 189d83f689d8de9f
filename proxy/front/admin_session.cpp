#include "proxy/front/admin_session.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/upstream/would_block.hpp"

#include <algorithm>
#include <cerrno>

namespace proxy::front {

admin_session::admin_session(upstream::io_loop& loop, int fd, const admin_source& from)
    : loop_(loop), socket_(std::make_unique<upstream::socket>(loop, fd)), dialog_(from),
      deadline_ms_(loop.now_ms() + std::int64_t{limits::admin_connection_ms}) {
    socket_->set_handler(this);
    socket_->resume_reading();
}

void admin_session::on_readable() {
    const auto buffer = loop_.read_buffer();
    const auto got = socket_->read(buffer);
    if (got < 0 && upstream::would_block(errno)) {
        return;
    }
    if (got <= 0) {
        return close();
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    if (answered_) {
        thrown_away_ += bytes.size();
        if (thrown_away_ > limits::linger_bytes_max) {
            close();
        }
    } else if (const auto text = dialog_.feed(bytes)) {
        answer(*text);
    }
}

void admin_session::answer(std::string_view text) {
    answered_ = true;
    // sendmsg() does not write to its buffers; its type just can't say so.
    const iovec piece{const_cast<char*>(text.data()), text.size()};
    if (!queue_.send(*socket_, {&piece, 1})) {
        return close();
    }
    queue_.empty() ? sent() : socket_->wait_writable();
}

void admin_session::on_writable() {
    if (!queue_.flush(*socket_)) {
        return close();
    }
    queue_.empty() ? sent() : socket_->wait_writable();
}

// Closing over unread bytes is a reset, which may destroy the answer on its way: the peer closes
// first, or has so much time.
void admin_session::sent() {
    socket_->finish_sending();
    deadline_ms_ = std::min(deadline_ms_, loop_.now_ms() + std::int64_t{limits::linger_wait_ms});
}

void admin_session::sweep() {
    if (!closed() && loop_.now_ms() > deadline_ms_) {
        close();
    }
}

} // namespace proxy::front
