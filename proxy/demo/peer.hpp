// The socket of one client of the scripted model: sends, waits, and notices at once when the client
// leaves, also while nothing is sent.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

namespace proxy::demo {

using tcp_socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// Lives on the one thread of its io_context. After the client left or after close() and reset()
/// sends and waits do nothing.
class peer : public std::enable_shared_from_this<peer> {
public:
    explicit peer(tcp_socket socket);

    tcp_socket& socket() { return socket_; }

    /// From here to stop_watching() a FIN or RST of the client ends sends and waits.
    void watch();

    void stop_watching() { watched_ = false; }

    bool gone() const { return gone_; }

    /// True if it was the client that ended the connection.
    bool left() const { return left_; }

    /// Writes all `parts` in as few system calls as can be. The bytes must stay until it is done.
    boost::asio::awaitable<void> send(std::vector<std::string_view> parts);

    /// Waits until `when`, or without an end for time_point::max().
    boost::asio::awaitable<void> pause(std::chrono::steady_clock::time_point when);

    void close(); ///< FIN
    void reset(); ///< RST

private:
    void wait_readable();
    void on_readable();
    void client_left();
    void shut();

    using timer =
        boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                          boost::asio::wait_traits<std::chrono::steady_clock>,
                                          boost::asio::io_context::executor_type>;

    tcp_socket socket_;
    timer timer_;
    bool watched_ = false; // an answer is on its way
    bool waiting_ = false; // a wait for readability is outstanding
    bool gone_ = false;
    bool left_ = false;
};

} // namespace proxy::demo
