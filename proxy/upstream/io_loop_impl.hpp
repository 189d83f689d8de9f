// The loop's io_context, for the few files that speak Asio.
#pragma once

#include "proxy/upstream/io_loop.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

namespace proxy::upstream {

struct io_loop::impl {
    // Handlers run on one thread, jobs are posted from others: the reactor needs no locks, the
    // queue does.
    boost::asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
    // The concrete executor everywhere: the polymorphic one costs on every operation.
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>,
                                      boost::asio::io_context::executor_type>
        timer{context};
    std::chrono::milliseconds period{0};
    std::function<void()> tick;
};

} // namespace proxy::upstream
