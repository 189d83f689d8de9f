#include "proxy/demo/model_server.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/demo/connection.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <system_error>
#include <thread>

namespace proxy::demo {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

using acceptor = asio::basic_socket_acceptor<tcp, asio::io_context::executor_type>;
constexpr std::chrono::milliseconds accept_pause{20};
using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

/// One thread with its own listener on the common port.
struct worker {
    asio::io_context io{1};
    acceptor listener{io};
    std::thread thread;

    /// Gives the port; throws std::system_error.
    std::uint16_t listen(const tcp::endpoint& where) {
        try {
            return open(where);
        } catch (const boost::system::system_error& error) {
            throw std::system_error(error.code(), "listen");
        }
    }

private:
    std::uint16_t open(const tcp::endpoint& where) {
        listener.open(where.protocol());
        listener.set_option(asio::socket_base::reuse_address(true));
        listener.set_option(reuse_port(true));
        listener.bind(where);
        listener.listen(asio::socket_base::max_listen_connections);
        return listener.local_endpoint().port();
    }
};

asio::awaitable<void> accept_all(worker& self, stage& shared) {
    asio::steady_timer retry(self.io);
    for (;;) {
        tcp_socket socket(self.io);
        const auto accepted =
            co_await self.listener.async_accept(socket, asio::as_tuple(asio::use_awaitable));
        if (std::get<0>(accepted)) {
            // Out of descriptors, or the client was faster: the next one may come through.
            retry.expires_after(accept_pause);
            co_await retry.async_wait(asio::as_tuple(asio::use_awaitable));
            continue;
        }
        boost::system::error_code ec;
        socket.set_option(tcp::no_delay(true), ec);
        socket.non_blocking(true, ec);
        auto client = std::make_unique<connection>(std::move(socket), shared);
        asio::co_spawn(self.io, connection::serve(std::move(client)), asio::detached);
    }
}

} // namespace

struct model_server::impl {
    model_options options;
    stage shared;
    std::vector<std::unique_ptr<worker>> workers;
    std::uint16_t port = 0;
};

model_server::model_server(model_options options) : impl_(std::make_unique<impl>()) {
    auto& shared = impl_->shared;
    shared.scripts = built_in_scripts();
    for (auto& one : options.scripts) {
        std::erase_if(shared.scripts, [&](const script& old) { return old.name == one.name; });
        shared.scripts.push_back(std::move(one));
    }
    for (const auto& one : shared.scripts) {
        PROXY_ENSURE(!one.answers.empty());
        shared.by_name[one.name] = &one;
    }
    shared.pace = options.pace;
    impl_->options = std::move(options);
}

model_server::~model_server() {
    stop();
}

void model_server::start() {
    PROXY_ENSURE(impl_->workers.empty());
    const auto& listen = impl_->options.listen;
    boost::system::error_code ec;
    tcp::endpoint where(asio::ip::make_address(listen.host, ec), listen.port);
    if (ec) {
        throw std::system_error(ec, listen.host);
    }
    std::vector<std::unique_ptr<worker>> workers;
    for (unsigned i = 0; i < std::max(1U, impl_->options.threads); ++i) {
        workers.push_back(std::make_unique<worker>());
        where.port(workers.back()->listen(where));
    }
    impl_->port = where.port();
    impl_->workers = std::move(workers);
    for (auto& one : impl_->workers) {
        asio::co_spawn(one->io, accept_all(*one, impl_->shared), asio::detached);
        one->thread = std::thread([&io = one->io] { io.run(); });
    }
}

std::uint16_t model_server::port() const {
    return impl_->port;
}

void model_server::stop() {
    for (auto& one : impl_->workers) {
        one->io.stop();
    }
    for (auto& one : impl_->workers) {
        if (one->thread.joinable()) {
            one->thread.join();
        }
    }
    impl_->workers.clear(); // ends the coroutines, which closes their sockets
}

std::vector<request_record> model_server::requests() const {
    return impl_->shared.log.records();
}

std::uint64_t model_server::request_count() const {
    return impl_->shared.log.count();
}

std::uint64_t model_server::request_count(std::string_view model) const {
    return impl_->shared.log.count(model);
}

bool model_server::wait_idle(std::uint64_t count, std::chrono::milliseconds limit) const {
    return impl_->shared.log.wait_idle(count, limit);
}

void model_server::clear_requests() {
    impl_->shared.log.clear();
}

} // namespace proxy::demo
