// The sockets are edge-triggered: what one read leaves behind, or what comes while nobody reads,
// must be told all the same.
#include "proxy/base/limits.hpp"
#include "proxy/upstream/pool.hpp"
#include "proxy/upstream/socket.hpp"

#include "tests/upstream/tcp_pair.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <string>

using namespace proxy;
using namespace proxy::upstream;
using tests::tcp_pair;

namespace {

// Reads once for each on_readable() and keeps what happened.
struct recorder final : ready_handler {
    std::unique_ptr<upstream::socket> connection;
    std::function<void()> after_read = [] {};
    std::size_t bytes_at_once = 65'536;
    std::string bytes;
    unsigned reads = 0;
    unsigned empty_reads = 0;
    unsigned writables = 0;
    unsigned without_memory = 0;
    bool ended = false;
    bool failed = false;

    void on_readable() override {
        ++reads;
        std::string buffer(bytes_at_once, '\0');
        const auto got = connection->read(buffer);
        if (got > 0) {
            bytes.append(buffer, 0, static_cast<std::size_t>(got));
        } else if (got == 0) {
            ended = true;
            connection->pause_reading();
        } else if (errno == EAGAIN) {
            ++empty_reads;
        } else {
            failed = true;
            connection->pause_reading();
        }
        after_read();
    }

    void on_writable() override { ++writables; }

    void on_no_memory() override { ++without_memory; }
};

struct fixture {
    io_loop loop;
    tcp_pair sockets;
    recorder seen;

    fixture() {
        tune_socket(sockets.near);
        seen.connection = std::make_unique<upstream::socket>(loop, sockets.take_near());
        seen.connection->set_handler(&seen);
    }

    // Runs handlers until `done` says so.
    void run_until(std::function<bool()> done) {
        for (int i = 0; i < 10'000 && !done(); ++i) {
            loop.run_some();
        }
        BOOST_CHECK(done());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sockets, fixture)

BOOST_AUTO_TEST_CASE(one_arrival_costs_one_read) {
    seen.connection->resume_reading();
    for (unsigned i = 1; i <= 5; ++i) {
        sockets.send_far("hello");
        run_until([&] { return seen.bytes.size() == 5 * i; });
    }
    BOOST_TEST(seen.reads == 5u);
    BOOST_TEST(seen.empty_reads == 0u);
}

BOOST_AUTO_TEST_CASE(bytes_and_the_end_that_came_together_are_both_told) {
    sockets.send_far("last words");
    sockets.close_far();
    seen.connection->resume_reading();
    run_until([&] { return seen.ended; });
    BOOST_TEST(seen.bytes == "last words");
    BOOST_TEST(seen.reads == 2u);
}

BOOST_AUTO_TEST_CASE(what_a_small_read_left_is_told_again) {
    seen.bytes_at_once = 3;
    sockets.send_far("0123456789");
    seen.connection->resume_reading();
    run_until([&] { return seen.bytes.size() == 10; });
    BOOST_TEST(seen.bytes == "0123456789");
    BOOST_TEST(seen.reads == 4u);
    sockets.send_far("x");
    run_until([&] { return seen.bytes.size() == 11; });
}

BOOST_AUTO_TEST_CASE(what_came_before_anybody_read_is_told) {
    sockets.send_far("early");
    loop.run_some();
    loop.run_some();
    seen.connection->resume_reading();
    run_until([&] { return seen.bytes == "early"; });
}

BOOST_AUTO_TEST_CASE(what_comes_during_a_pause_is_told_behind_it) {
    seen.connection->resume_reading();
    sockets.send_far("one");
    run_until([&] { return seen.bytes == "one"; });
    seen.connection->pause_reading();
    sockets.send_far("two");
    for (int i = 0; i < 100; ++i) {
        loop.run_some();
    }
    BOOST_TEST(seen.bytes == "one");
    seen.connection->resume_reading();
    run_until([&] { return seen.bytes == "onetwo"; });
}

BOOST_AUTO_TEST_CASE(a_pause_from_within_a_read_keeps_the_rest_for_later) {
    seen.bytes_at_once = 2;
    seen.after_read = [&] { seen.connection->pause_reading(); };
    seen.connection->resume_reading();
    sockets.send_far("abcd");
    run_until([&] { return seen.bytes == "ab"; });
    for (int i = 0; i < 100; ++i) {
        loop.run_some();
    }
    BOOST_TEST(seen.bytes == "ab");
    seen.connection->resume_reading();
    run_until([&] { return seen.bytes == "abcd"; });
    // Drained and paused at once: what comes next must not be lost.
    sockets.send_far("ef");
    loop.run_some();
    seen.connection->resume_reading();
    run_until([&] { return seen.bytes == "abcdef"; });
}

BOOST_AUTO_TEST_CASE(a_reset_that_came_with_the_last_bytes_is_found_when_it_falls_silent) {
    sockets.send_far("last");
    sockets.reset_far();
    seen.connection->resume_reading();
    for (int i = 0; i < 200 && !seen.failed; ++i) {
        loop.run_some();
        seen.connection->recheck(3);
    }
    BOOST_TEST(seen.failed);
}

BOOST_AUTO_TEST_CASE(a_silent_socket_is_looked_at_once_and_left_alone_then) {
    seen.connection->resume_reading();
    for (const auto ticks : std::initializer_list<unsigned char>{0, 1, 3}) {
        seen.empty_reads = 0;
        sockets.send_far("x");
        run_until([&] { return seen.bytes == "x"; });
        seen.bytes.clear();
        for (unsigned tick = 1; tick <= 100; ++tick) {
            seen.connection->recheck(ticks);
            BOOST_TEST(seen.empty_reads == (tick > ticks ? 1u : 0u));
        }
    }
}

BOOST_AUTO_TEST_CASE(room_to_write_is_told_once_for_each_wait) {
    seen.connection->wait_writable();
    run_until([&] { return seen.writables == 1; });
    for (int i = 0; i < 100; ++i) {
        loop.run_some();
    }
    BOOST_TEST(seen.writables == 1u);
    seen.connection->wait_writable();
    run_until([&] { return seen.writables == 2; });
}

BOOST_AUTO_TEST_CASE(a_handler_without_memory_is_told_so_and_the_loop_goes_on) {
    seen.after_read = [] { throw std::bad_alloc(); };
    seen.connection->resume_reading();
    sockets.send_far("a");
    run_until([&] { return seen.without_memory == 1; });
    seen.after_read = [] {};
    sockets.send_far("b");
    run_until([&] { return seen.bytes == "ab"; });
    BOOST_TEST(seen.without_memory == 1u);
}

BOOST_AUTO_TEST_CASE(a_handler_may_destroy_its_socket) {
    seen.after_read = [&] { seen.connection.reset(); };
    seen.connection->resume_reading();
    sockets.send_far("bye");
    run_until([&] { return seen.connection == nullptr; });
    loop.run_some();
    BOOST_TEST(seen.bytes == "bye");
    BOOST_TEST(sockets.far_sees_end());
}

BOOST_AUTO_TEST_CASE(a_socket_may_be_destroyed_while_its_operations_wait) {
    seen.connection->resume_reading();
    seen.connection->wait_writable();
    seen.connection.reset();
    for (int i = 0; i < 10; ++i) {
        loop.run_some();
    }
    BOOST_TEST(seen.reads == 0u);
    BOOST_TEST(seen.writables == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pools)

namespace {

struct pooled {
    io_loop loop;
    upstream::pool pool{loop, std::chrono::milliseconds(4'000)};
    std::vector<std::unique_ptr<tcp_pair>> pairs;

    std::unique_ptr<upstream::socket> connection() {
        pairs.push_back(std::make_unique<tcp_pair>());
        tune_socket(pairs.back()->near);
        return std::make_unique<upstream::socket>(loop, pairs.back()->take_near());
    }

    void run() {
        for (int i = 0; i < 20; ++i) {
            loop.run_some();
        }
    }
};

const body_decoder chunked(framing::chunked, 0);

} // namespace

BOOST_FIXTURE_TEST_CASE(the_last_used_connection_is_given_first, pooled) {
    auto first = connection();
    auto second = connection();
    const auto* newest = second.get();
    pool.put(std::move(first));
    pool.put(std::move(second));
    BOOST_TEST(pool.take().get() == newest);
    BOOST_TEST(pool.idle() == 1u);
    BOOST_TEST(pool.take() != nullptr);
    BOOST_TEST(pool.take() == nullptr);
}

BOOST_FIXTURE_TEST_CASE(connections_with_bytes_or_an_end_are_thrown_away, pooled) {
    for (int i = 0; i < 3; ++i) {
        pool.put(connection());
    }
    pairs[2]->send_far("unasked");
    pairs[1]->close_far();
    const auto got = pool.take();
    BOOST_REQUIRE(got != nullptr);
    BOOST_TEST(pool.idle() == 0u);
    BOOST_TEST(pairs[2]->far_sees_end());
    pairs[0]->send_far("x");
    BOOST_TEST(!got->silent());
}

BOOST_FIXTURE_TEST_CASE(no_more_connections_are_kept_than_allowed, pooled) {
    for (std::size_t i = 0; i < limits::pool_idle_max + 3; ++i) {
        pool.put(connection());
    }
    BOOST_TEST(pool.idle() == limits::pool_idle_max);
    BOOST_TEST(pairs[0]->far_sees_end());
}

BOOST_FIXTURE_TEST_CASE(an_old_connection_is_neither_given_nor_kept, pooled) {
    upstream::pool none(loop, std::chrono::milliseconds(0));
    none.put(connection());
    BOOST_TEST(none.take() == nullptr);
    none.put(connection());
    none.sweep();
    BOOST_TEST(none.idle() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_connection_settles_when_exactly_its_end_follows, pooled) {
    pool.settle(connection(), chunked);
    pairs[0]->send_far("0\r");
    run();
    BOOST_TEST(pool.idle() == 0u);
    pairs[0]->send_far("\n\r\n");
    run();
    BOOST_TEST(pool.idle() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_says_anything_else_is_closed, pooled) {
    for (const std::string bytes : {"1\r\na\r\n0\r\n\r\n", "zz", "0\r\n\r\nHTTP/1.1 200 OK\r\n"}) {
        pool.settle(connection(), chunked);
        pairs.back()->send_far(bytes);
        run();
        BOOST_TEST(pool.idle() == 0u);
        BOOST_TEST(pairs.back()->far_sees_end());
    }
    pool.settle(connection(), chunked);
    pairs.back()->close_far();
    run();
    BOOST_TEST(pool.idle() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(loop_clock)

// Stopped, starved or blocked: to those who wait for a peer it is all the same.
BOOST_AUTO_TEST_CASE(time_in_which_the_loop_stood_still_counts_for_one_step) {
    io_loop loop;
    const auto begun = loop.now_ms();
    std::int64_t passed = 0;
    loop.post([&] {
        const auto end =
            std::chrono::steady_clock::now() + 3 * std::chrono::milliseconds(limits::clock_step_ms);
        while (std::chrono::steady_clock::now() < end) {
        }
    });
    loop.every(std::chrono::milliseconds(1), [&] {
        passed = loop.now_ms() - begun;
        loop.stop();
    });
    loop.run();
    // The step when run() began and the one of the tick.
    BOOST_TEST(passed >= std::int64_t{limits::clock_step_ms});
    BOOST_TEST(passed <= 2 * std::int64_t{limits::clock_step_ms});
}

BOOST_AUTO_TEST_SUITE_END()
