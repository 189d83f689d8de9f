#include "proxy/demo/peer.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace proxy::demo {

namespace asio = boost::asio;
constexpr auto token = asio::as_tuple(asio::use_awaitable);

peer::peer(tcp_socket socket) : socket_(std::move(socket)), timer_(socket_.get_executor()) {}

void peer::watch() {
    watched_ = true;
    wait_readable();
}

void peer::wait_readable() {
    // A wait of the answer before may still be outstanding; it serves this one too.
    if (waiting_ || gone_) {
        return;
    }
    waiting_ = true;
    socket_.async_wait(tcp_socket::wait_read,
                       [self = shared_from_this()](boost::system::error_code) {
                           self->waiting_ = false;
                           self->on_readable();
                       });
}

void peer::on_readable() {
    if (!watched_ || gone_) {
        return;
    }
    char byte = 0;
    boost::system::error_code ec;
    socket_.receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, ec);
    if (ec == asio::error::would_block) {
        wait_readable();
    } else if (ec) {
        client_left();
    }
    // Bytes of a next request: a FIN behind them shows when the answer is written or they are read.
}

boost::asio::awaitable<void> peer::send(std::vector<std::string_view> parts) {
    if (gone_) {
        co_return;
    }
    std::vector<asio::const_buffer> buffers;
    buffers.reserve(parts.size());
    for (const auto part : parts) {
        buffers.emplace_back(part.data(), part.size());
    }
    const auto sent = co_await asio::async_write(socket_, buffers, token);
    if (std::get<0>(sent)) {
        client_left();
    }
}

boost::asio::awaitable<void> peer::pause(std::chrono::steady_clock::time_point when) {
    if (gone_) {
        co_return;
    }
    timer_.expires_at(when);
    co_await timer_.async_wait(token);
}

void peer::client_left() {
    left_ = left_ || !gone_;
    shut();
}

void peer::shut() {
    gone_ = true;
    timer_.cancel();
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void peer::close() {
    boost::system::error_code ignored;
    socket_.shutdown(tcp_socket::shutdown_send, ignored);
    shut();
}

void peer::reset() {
    boost::system::error_code ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    shut();
}

} // namespace proxy::demo
