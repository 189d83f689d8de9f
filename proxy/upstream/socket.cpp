#include "proxy/upstream/socket.hpp"

#include "proxy/upstream/io_loop_impl.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/intrusive_ptr.hpp>

#include <sys/socket.h>

namespace proxy::upstream {

namespace {

namespace asio = boost::asio;

using descriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

} // namespace

struct socket::state {
    descriptor io;
    ready_handler* handler = nullptr;
    unsigned references = 1;
    bool open = true;
    bool reading = false;      // wanted by the owner
    bool read_waiting = false; // an operation is under way
    bool write_waiting = false;

    state(asio::io_context& context, int fd) : io(context, fd) {}

    friend void intrusive_ptr_add_ref(state* s) { ++s->references; }

    friend void intrusive_ptr_release(state* s) {
        if (--s->references == 0) {
            delete s;
        }
    }

    using pointer = boost::intrusive_ptr<state>;

    // Handlers are small named types: their memory is recycled by Asio, nothing is allocated anew.
    struct read_ready {
        pointer self;

        void operator()(const boost::system::error_code&) const { self->read_done(); }
    };

    struct write_ready {
        pointer self;

        void operator()(const boost::system::error_code&) const {
            self->write_waiting = false;
            if (self->open && self->handler != nullptr) {
                self->handler->on_writable();
            }
        }
    };

    void wait_read() {
        if (open && reading && !read_waiting) {
            read_waiting = true;
            io.async_wait(descriptor::wait_read, read_ready{pointer(this)});
        }
    }

    void read_done() {
        read_waiting = false;
        if (open && reading) {
            handler->on_readable();
            wait_read();
        }
    }
};

socket::socket(io_loop& loop, int fd) : state_(new state(loop.internals().context, fd)) {}

socket::~socket() {
    state_->open = false;
    boost::system::error_code ignored;
    state_->io.close(ignored);
    intrusive_ptr_release(state_);
}

int socket::fd() const {
    return state_->io.native_handle();
}

void socket::set_handler(ready_handler* handler) {
    state_->handler = handler;
}

void socket::resume_reading() {
    state_->reading = true;
    state_->wait_read();
}

void socket::pause_reading() {
    state_->reading = false;
}

void socket::wait_writable() {
    if (!state_->write_waiting) {
        state_->write_waiting = true;
        state_->io.async_wait(descriptor::wait_write, state::write_ready{state::pointer(state_)});
    }
}

void socket::reset_on_close() {
    const linger now{1, 0};
    ::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

} // namespace proxy::upstream
