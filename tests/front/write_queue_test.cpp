#include "proxy/base/limits.hpp"
#include "proxy/front/write_queue.hpp"

#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace proxy;
using namespace proxy::front;

namespace {

// Two connected non-blocking sockets.
struct socket_pair {
    int near = -1;
    int far = -1;

    socket_pair() {
        int ends[2];
        BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
        near = ends[0];
        far = ends[1];
    }

    ~socket_pair() {
        ::close(near);
        close_far();
    }

    void close_far() {
        if (far >= 0) {
            ::close(far);
        }
        far = -1;
    }

    std::string read_all() const {
        std::string out;
        char buffer[4'096];
        for (auto got = ::read(far, buffer, sizeof buffer); got > 0;
             got = ::read(far, buffer, sizeof buffer)) {
            out.append(buffer, static_cast<std::size_t>(got));
        }
        return out;
    }
};

// A descriptor as something to write to.
struct fd_sink final : upstream::byte_sink {
    explicit fd_sink(int f) : fd(f) {}

    std::ptrdiff_t write(std::span<const iovec> pieces) override {
        msghdr message{};
        message.msg_iov = const_cast<iovec*>(pieces.data());
        message.msg_iovlen = std::min(pieces.size(), limits::gather_pieces_max);
        return ::sendmsg(fd, &message, MSG_NOSIGNAL);
    }

    int fd;
};

std::vector<iovec> pieces_of(std::vector<std::string>& texts) {
    std::vector<iovec> out;
    for (auto& text : texts) {
        out.push_back({text.data(), text.size()});
    }
    return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(write_queues)

BOOST_AUTO_TEST_CASE(what_the_socket_takes_is_not_kept) {
    socket_pair sockets;
    fd_sink near(sockets.near);
    write_queue queue;
    std::vector<std::string> texts = {"head ", "", "body", " end"};
    BOOST_TEST(queue.send(near, pieces_of(texts)));
    BOOST_TEST(queue.empty());
    BOOST_TEST(sockets.read_all() == "head body end");
}

BOOST_AUTO_TEST_CASE(more_pieces_than_one_call_takes_are_all_written) {
    socket_pair sockets;
    fd_sink near(sockets.near);
    write_queue queue;
    std::vector<std::string> texts;
    std::string expected;
    for (int i = 0; i < 300; ++i) {
        texts.push_back(std::to_string(i) + ",");
        expected += texts.back();
    }
    BOOST_TEST(queue.send(near, pieces_of(texts)));
    BOOST_TEST(queue.flush(near));
    BOOST_TEST(queue.empty());
    BOOST_TEST(sockets.read_all() == expected);
}

BOOST_AUTO_TEST_CASE(what_a_slow_reader_does_not_take_waits_in_order) {
    socket_pair sockets;
    fd_sink near(sockets.near);
    write_queue queue;
    std::string expected;
    std::string got;
    for (int i = 0; i < 40; ++i) {
        std::vector<std::string> texts = {std::to_string(i), std::string(20'000, 'a')};
        expected += texts[0] + texts[1];
        BOOST_TEST(queue.send(near, pieces_of(texts)));
    }
    BOOST_TEST(queue.size() > 0u);
    while (got.size() < expected.size()) {
        got += sockets.read_all();
        BOOST_REQUIRE(queue.flush(near));
    }
    BOOST_TEST((got == expected));
    BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_CASE(a_client_that_has_caught_up_costs_no_memory) {
    socket_pair sockets;
    fd_sink near(sockets.near);
    write_queue queue;
    std::vector<std::string> texts = {std::string(1'000'000, 'a')};
    const auto pieces = pieces_of(texts);
    char taken[65'536];
    const tests::allocation_count since;
    BOOST_TEST(queue.send(near, pieces));
    BOOST_TEST(since.live_bytes() > 500'000);
    while (!queue.empty()) {
        BOOST_REQUIRE(::read(sockets.far, taken, sizeof taken) > 0);
        BOOST_REQUIRE(queue.flush(near));
    }
    BOOST_TEST(since.live_bytes() == 0);
}

BOOST_AUTO_TEST_CASE(a_broken_connection_is_told) {
    socket_pair sockets;
    fd_sink near(sockets.near);
    write_queue queue;
    sockets.close_far();
    std::vector<std::string> texts = {"x"};
    BOOST_TEST(!queue.send(near, pieces_of(texts)));
}

BOOST_AUTO_TEST_SUITE_END()
