// Asio's public wait takes an epoll_ctl for each wait, a sixth of what a frame may cost. So the two
// operations here are our own, given to Asio's reactor directly and used again and again: the one
// place of the program that knows Asio's inside.
#include "proxy/upstream/socket.hpp"

#include "proxy/upstream/io_loop_impl.hpp"
#include "proxy/upstream/would_block.hpp"

#include <boost/asio/detail/reactor.hpp>
#include <boost/asio/detail/reactor_op.hpp>
#include <boost/asio/version.hpp>

#include <algorithm>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <new>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace proxy::upstream {

namespace {

namespace detail = boost::asio::detail;

static_assert(BOOST_ASIO_VERSION >= 102600, "reactor_op is used as Asio 1.26 has it");

std::ptrdiff_t peek(int fd) {
    char byte = 0;
    return ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

} // namespace

struct socket::state {
    // One kind of readiness. Between start() and its completion it belongs to the reactor.
    struct operation : detail::reactor_op {
        operation(state& s, func_type completed)
            : reactor_op(boost::system::error_code(), &operation::perform, completed), owner(s) {}

        state& owner;
        bool waiting = false;  // in the reactor's hands
        bool is_ready = false; // what perform() says: ready at the next event, not while it starts

        static status perform(reactor_op* base) {
            auto& self = *static_cast<operation*>(base);
            return self.is_ready ? done : not_done;
        }
    };

    detail::reactor& reactor;
    detail::reactor::per_descriptor_data place = nullptr;
    int fd;
    ready_handler* handler = nullptr;
    std::unique_ptr<tls_channel> tls;
    operation reading{*this, &state::reading_done};
    std::unique_ptr<operation> writing; // while room is awaited: most sockets never do
    unsigned references = 1;            // the owner and the operations that wait
    bool open = true;
    bool wants_reading = false;
    bool notify = true;              // TLS tells the peer about an orderly end
    bool read_when_writable = false; // TLS must write before it can read
    bool left = false;               // something may be there to read that no event will announce
    unsigned char quiet = 0;

    state(boost::asio::io_context& context, int f)
        : reactor(boost::asio::use_service<detail::reactor>(context)), fd(f) {
        reactor.init_task();
        reactor.register_descriptor(fd, place);
        arm();
    }

    void await_room() {
        if (!writing) {
            writing = std::make_unique<operation>(*this, &state::writing_done);
            // Not speculative: the reactor must ask for the edge anew each time.
            start(*writing, detail::reactor::write_op, false, false);
        }
    }

    // What TLS waits for before it can give more.
    void note_read(bool got) {
        left = got;
        if (!got && tls->wants_write()) {
            read_when_writable = true;
            await_room();
        }
    }

    void release() {
        if (--references == 0) {
            delete this;
        }
    }

    // Hands `op` to the reactor. `now`: it completes as soon as the handlers before it have run,
    // instead of at the next event.
    void start(operation& op, int type, bool now, bool speculative) {
        op.waiting = true;
        op.is_ready = now;
        ++references;
        // A speculative start asks perform() once, and then keeps the operation without a system
        // call, because the socket is registered already.
        reactor.start_op(type, fd, place, &op, true, speculative);
        op.is_ready = true;
    }

    // An event that finds no operation is lost: one waits also while nobody wants to read, unless
    // it is known already that there is something.
    void arm() {
        if (open && !reading.waiting && (wants_reading || !left)) {
            start(reading, detail::reactor::read_op, left, true);
        }
    }

    // Tells the handler. What has no memory to go on with fails alone.
    void tell(void (ready_handler::*what)()) {
        try {
            (handler->*what)();
        } catch (const std::bad_alloc&) {
            if (open && handler != nullptr) {
                handler->on_no_memory();
            }
        }
    }

    static void reading_done(void* loop, detail::operation* base, const boost::system::error_code&,
                             std::size_t) {
        auto& self = static_cast<operation*>(static_cast<detail::reactor_op*>(base))->owner;
        self.reading.waiting = false;
        self.left = true;
        if (loop != nullptr && self.open) {
            if (self.wants_reading) {
                self.tell(&ready_handler::on_readable);
            }
            self.arm();
        }
        self.release();
    }

    static void writing_done(void* loop, detail::operation* base, const boost::system::error_code&,
                             std::size_t) {
        auto& self = static_cast<operation*>(static_cast<detail::reactor_op*>(base))->owner;
        const auto done = std::move(self.writing); // a handler may ask for room again
        if (loop != nullptr && self.open && self.read_when_writable) {
            self.read_when_writable = false;
            self.left = true;
            self.arm();
        }
        if (loop != nullptr && self.open && self.handler != nullptr) {
            self.tell(&ready_handler::on_writable);
        }
        self.release();
    }
};

void tune_socket(int fd) {
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // Where a kernel lacks it, every read is taken to have left something: one read more.
    ::setsockopt(fd, IPPROTO_TCP, TCP_INQ, &on, sizeof on);
}

socket::socket(io_loop& loop, int fd) : state_(new state(loop.internals().context, fd)) {}

socket::~socket() {
    state_->open = false;
    if (state_->tls && state_->notify) {
        state_->tls->close_notify();
    }
    state_->reactor.deregister_descriptor(state_->fd, state_->place, true);
    ::close(state_->fd);
    state_->reactor.cleanup_descriptor_data(state_->place);
    state_->release();
}

int socket::fd() const {
    return state_->fd;
}

void socket::secure(std::unique_ptr<tls_channel> channel) {
    state_->tls = std::move(channel);
}

const tls_channel* socket::tls() const {
    return state_->tls.get();
}

tls_channel::step socket::handshake() {
    const auto step = state_->tls->handshake();
    state_->note_read(step == tls_channel::step::done || step == tls_channel::step::failed);
    return step;
}

void socket::set_handler(ready_handler* handler) {
    state_->handler = handler;
}

void socket::resume_reading() {
    state_->wants_reading = true;
    state_->arm();
}

void socket::pause_reading() {
    state_->wants_reading = false;
}

std::ptrdiff_t socket::read(std::span<char> buffer) {
    if (state_->tls) {
        const auto got = state_->tls->read(buffer);
        state_->note_read(got >= 0);
        state_->quiet = got > 0 ? 0 : state_->quiet;
        return got;
    }
    iovec piece{buffer.data(), buffer.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const auto got = ::recvmsg(state_->fd, &message, 0);
    state_->left = got >= 0;
    if (got > 0) {
        state_->quiet = 0;
        const auto* told = CMSG_FIRSTHDR(&message);
        if (told != nullptr && told->cmsg_level == SOL_TCP && told->cmsg_type == TCP_CM_INQ) {
            int rest = 0; // counts the peer's end, too
            std::memcpy(&rest, CMSG_DATA(told), sizeof rest);
            state_->left = rest != 0;
        }
    }
    return got;
}

void socket::recheck(unsigned char ticks) {
    auto& self = *state_;
    if (!self.wants_reading || !self.reading.waiting || self.quiet > ticks ||
        ++self.quiet <= ticks) {
        return;
    }
    // The handler may destroy this socket; its state stays for the moment.
    ++self.references;
    do {
        self.tell(&ready_handler::on_readable);
    } while (self.open && self.wants_reading && self.left);
    self.release();
}

std::ptrdiff_t socket::write(std::span<const iovec> pieces) {
    if (state_->tls) {
        return state_->tls->write(pieces);
    }
    msghdr message{};
    // sendmsg() does not write to its pieces; its type just can't say so.
    message.msg_iov = const_cast<iovec*>(pieces.data());
    message.msg_iovlen = std::min(pieces.size(), limits::gather_pieces_max);
    return ::sendmsg(state_->fd, &message, MSG_NOSIGNAL);
}

void socket::wait_writable() {
    state_->await_room();
}

bool socket::silent() const {
    if (state_->tls && state_->tls->has_pending()) {
        return false;
    }
    return peek(state_->fd) < 0 && would_block(errno);
}

bool socket::peer_left() const {
    pollfd asked{state_->fd, POLLRDHUP, 0};
    return ::poll(&asked, 1, 0) > 0;
}

bool socket::has_unread() const {
    return peek(state_->fd) > 0;
}

void socket::finish_sending() {
    if (state_->tls) {
        state_->tls->close_notify();
    }
    ::shutdown(state_->fd, SHUT_WR);
}

void socket::end_without_notice() {
    state_->notify = false;
}

void socket::reset_on_close() {
    end_without_notice();
    const linger now{1, 0};
    ::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

} // namespace proxy::upstream
