#include "proxy/upstream/io_loop.hpp"

#include "proxy/upstream/io_loop_impl.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <new>

namespace proxy::upstream {

namespace {

namespace asio = boost::asio;

std::int64_t steady_ms() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

void arm_timer(io_loop& loop) {
    auto& own = loop.internals();
    own.timer.expires_after(own.period);
    own.timer.async_wait([&loop](const boost::system::error_code& error) {
        if (error) {
            return;
        }
        loop.refresh_clock();
        try {
            loop.internals().tick();
        } catch (const std::bad_alloc&) { // the next one may have enough
        }
        arm_timer(loop);
    });
}

} // namespace

io_loop::io_loop()
    : impl_(std::make_unique<impl>()),
      buffer_(std::make_unique<char[]>(limits::read_bytes + limits::json_padding)),
      now_ms_(steady_ms()), clock_ms_(now_ms_) {}

io_loop::~io_loop() = default;

void io_loop::run() {
    refresh_clock();
    const auto guard = asio::make_work_guard(impl_->context);
    while (true) {
        try {
            impl_->context.run();
            return;
        } catch (const std::bad_alloc&) {
            // Of a handler that nobody can be told of; its time limit ends what it was for.
        }
    }
}

void io_loop::run_some() {
    impl_->context.restart();
    impl_->context.poll();
}

void io_loop::stop() {
    impl_->context.stop();
}

void io_loop::post(std::function<void()> job) {
    asio::post(impl_->context, std::move(job));
}

void io_loop::every(std::chrono::milliseconds period, std::function<void()> tick) {
    impl_->period = period;
    impl_->tick = std::move(tick);
    arm_timer(*this);
}

void io_loop::refresh_clock() {
    const auto now = steady_ms();
    now_ms_ += std::min(now - clock_ms_, std::int64_t{limits::clock_step_ms});
    clock_ms_ = now;
}

} // namespace proxy::upstream
