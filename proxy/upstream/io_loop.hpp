// The event loop of one thread: an Asio io_context, one coarse clock for all deadlines, and the one
// buffer that everything read on this thread passes through. Asio itself stays in the .cpp files.
#pragma once

#include "proxy/base/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace proxy::upstream {

class io_loop {
  public:
    io_loop();
    ~io_loop();
    io_loop(const io_loop&) = delete;
    io_loop& operator=(const io_loop&) = delete;

    /// Serves this thread until stop().
    void run();

    /// Runs the handlers that are ready now, without waiting; for tests.
    void run_some();

    /// From any thread: run() returns soon.
    void stop();

    /// From any thread: `job` runs on the loop's thread.
    void post(std::function<void()> job);

    /// Calls `tick` on the loop's thread every `period`; call once, before run().
    void every(std::chrono::milliseconds period, std::function<void()> tick);

    /// Milliseconds of a steady clock, as of the last tick: deadlines are coarse, reading a clock
    /// for each event is not needed.
    std::int64_t now_ms() const { return now_ms_; }

    /// The steady clock itself, as of the last tick: for what grows old elsewhere, too, while this
    /// program stands still.
    std::int64_t clock_ms() const { return clock_ms_; }

    /// Reads the clock, as each tick does. Counts limits::clock_step_ms at most.
    void refresh_clock();

    /// limits::read_bytes long, limits::json_padding readable bytes behind. What is in it lasts
    /// until the current handler returns.
    std::span<char> read_buffer() { return {buffer_.get(), limits::read_bytes}; }

    struct impl;

    impl& internals() { return *impl_; }

  private:
    std::unique_ptr<impl> impl_;
    std::unique_ptr<char[]> buffer_;
    std::int64_t now_ms_; // time in which this loop ran
    std::int64_t clock_ms_;
};

} // namespace proxy::upstream
