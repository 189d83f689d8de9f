#include "proxy/front/listener.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/upstream/io_loop_impl.hpp"
#include "proxy/upstream/socket.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cerrno>
#include <sys/socket.h>
#include <system_error>

namespace proxy::front {

namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using executor = asio::io_context::executor_type;
using acceptor = asio::basic_socket_acceptor<tcp, executor>;
using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

// Connections taken at one wake-up, so that accepting never starves the streams.
constexpr int accepts_at_once = 16;

// Errors of the one connection; anything else is ours and would come again at once.
bool is_connections_own(int error) {
    return error == ECONNABORTED || error == EPROTO || error == EPERM || error == EINTR;
}

} // namespace

struct listener::impl {
    upstream::io_loop& loop;
    std::function<void(int)> take;
    acceptor socket;
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

    void accept_some() {
        for (int i = 0; i < accepts_at_once; ++i) {
            const int fd =
                ::accept4(socket.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (fd < 0) {
                if (errno == EAGAIN) {
                    break;
                }
                if (is_connections_own(errno)) {
                    continue;
                }
                return rest();
            }
            take(fd);
        }
        wait();
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

std::uint16_t listener::port() const {
    return impl_->socket.local_endpoint().port();
}

void listener::start() {
    impl_->wait();
}

void listener::close() {
    boost::system::error_code ignored;
    impl_->socket.close(ignored);
    impl_->pause.cancel();
}

} // namespace proxy::front
