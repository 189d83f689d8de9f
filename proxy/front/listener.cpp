#include "proxy/front/listener.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/front/socket_file.hpp"
#include "proxy/upstream/io_loop_impl.hpp"
#include "proxy/upstream/socket.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cerrno>
#include <fcntl.h>
#include <linux/filter.h>
#include <new>
#include <sys/socket.h>
#include <system_error>

namespace proxy::front {

namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using executor = asio::io_context::executor_type;
using acceptor = asio::basic_socket_acceptor<tcp, executor>;
using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

// Errors of the one connection; anything else is ours and would come again at once.
bool is_connections_own(int error) {
    return error == ECONNABORTED || error == EPROTO || error == EPERM || error == EINTR;
}

// From here on the kernel lets nobody in. Closing resets whoever connects between the last accept
// and the close; whose first packet is ignored tries again, and is refused or taken elsewhere.
void ignore_newcomers(int fd) {
    sock_filter drop = BPF_STMT(BPF_RET | BPF_K, 0);
    const sock_fprog program{1, &drop};
    ::setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

// Who was just getting in may have inherited the filter.
void hear(int fd) {
    const int ignored = 0;
    ::setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &ignored, sizeof ignored);
}

} // namespace

struct listener::impl {
    upstream::io_loop& loop;
    std::function<void(int)> take;
    acceptor socket;
    std::unique_ptr<socket_file> file; // of a unix socket that was opened here
    asio::basic_waitable_timer<std::chrono::steady_clock,
                               asio::wait_traits<std::chrono::steady_clock>, executor>
        pause;

    impl(upstream::io_loop& l, std::function<void(int)> t)
        : loop(l), take(std::move(t)), socket(l.internals().context), pause(l.internals().context) {
    }

    void wait() {
        socket.async_wait(acceptor::wait_read, [this](const boost::system::error_code& error) {
            if (!error && socket.is_open()) {
                accept_some();
            }
        });
    }

    int accept() {
        return ::accept4(socket.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    }

    void accept_some() {
        for (int i = 0; i < limits::accepts_at_once; ++i) {
            const int fd = accept();
            if (fd < 0) {
                if (errno == EAGAIN) {
                    break;
                }
                if (is_connections_own(errno)) {
                    continue;
                }
                return rest();
            }
            try {
                take(fd);
            } catch (const std::bad_alloc&) {
                return rest();
            }
        }
        wait();
    }

    // Whoever is in the queue, bounded by what a queue can hold.
    void accept_all() {
        for (std::size_t left = limits::accept_queue_max; left > 0; --left) {
            const int fd = accept();
            if (fd >= 0) {
                hear(fd);
                take(fd);
            } else if (!is_connections_own(errno)) {
                return;
            }
        }
    }

    // Out of descriptors or memory: the backlog waits, the streams in progress go on.
    void rest() {
        pause.expires_after(std::chrono::milliseconds(limits::accept_pause_ms));
        pause.async_wait([this](const boost::system::error_code& error) {
            if (!error && socket.is_open()) {
                wait();
            }
        });
    }
};

listener::listener(upstream::io_loop& loop, std::function<void(int fd)> take)
    : impl_(std::make_unique<impl>(loop, std::move(take))) {}

listener::~listener() = default;

void listener::open(const config::address& address) try {
    if (!address.path.empty()) {
        impl_->file = std::make_unique<socket_file>(address.path);
        impl_->socket.assign(tcp::v4(), impl_->file->release());
        return;
    }
    asio::ip::basic_resolver<tcp, executor> names(impl_->loop.internals().context);
    const auto found = names.resolve(address.host, std::to_string(address.port),
                                     tcp::resolver::passive | tcp::resolver::numeric_service);
    const tcp::endpoint endpoint = *found.begin();
    auto& socket = impl_->socket;
    socket.open(endpoint.protocol());
    socket.set_option(acceptor::reuse_address(true));
    socket.set_option(reuse_port(true));
    socket.bind(endpoint);
    socket.listen(asio::socket_base::max_listen_connections);
    socket.non_blocking(true);
    upstream::tune_socket(socket.native_handle());

} catch (const boost::system::system_error& error) {

    throw std::system_error(error.code());
}

void listener::share(const listener& other) {
    const int fd = ::fcntl(other.impl_->socket.native_handle(), F_DUPFD_CLOEXEC, 0);
    if (fd < 0) {
        throw std::system_error(errno, std::generic_category());
    }
    impl_->socket.assign(tcp::v4(), fd); // the protocol is only told, never used
}

std::uint16_t listener::port() const {
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    auto* const place = static_cast<sockaddr*>(static_cast<void*>(&bound));
    const int fd = impl_->socket.native_handle();
    if (::getsockname(fd, place, &size) != 0 || bound.ss_family == AF_UNIX) {
        return 0;
    }
    return impl_->socket.local_endpoint().port();
}

void listener::start() {
    impl_->wait();
}

void listener::drain() try {
    impl_->file.reset();
    impl_->accept_all();
    ignore_newcomers(impl_->socket.native_handle());
    impl_->accept_all();
    close();

} catch (const std::bad_alloc&) { // who is left in the queue is reset

    close();
}

void listener::close() {
    boost::system::error_code ignored;
    impl_->socket.close(ignored);
    impl_->file.reset();
    impl_->pause.cancel();
}

} // namespace proxy::front
