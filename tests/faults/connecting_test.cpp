// The way to the upstream: refused, black-holed, one of several addresses dead, a name that moves;
// and a clock that jumps.
#include "tests/faults/system_calls.hpp"
#include "tests/integration/full_port.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <future>
#include <string>

using namespace proxy;
using namespace proxy::tests;
using std::chrono::milliseconds;

namespace {

// Answers every request of a connection with `text`.
auto saying(std::string text) {
    return [text = std::move(text)](wire& client, unsigned) {
        while (!client.read_message().head.empty() &&
               client.try_send("HTTP/1.1 200 OK\r\ncontent-length: " + std::to_string(text.size()) +
                               "\r\n\r\n" + text)) {
        }
    };
}

config::settings named(const std::string& host, std::uint16_t port) {
    auto settings = settings_for(port);
    settings.upstreams[0].host = host;
    settings.upstreams[0].authority = host + ":" + std::to_string(port);
    return settings;
}

struct timed_answer {
    wire::message answer;
    milliseconds took;
};

timed_answer ask(running_proxy& proxy) {
    auto client = proxy.connect();
    const auto begin = std::chrono::steady_clock::now();
    client.send(request("GET", "/v1/models"));
    auto answer = client.read_message();
    const auto took = std::chrono::steady_clock::now() - begin;
    return {std::move(answer), std::chrono::duration_cast<milliseconds>(took)};
}

// The quickest of a few tries: a crowded machine may be late, but not each time.
milliseconds quickest(int tries, milliseconds enough, const auto& one_try) {
    auto best = milliseconds::max();
    for (int i = 0; i < tries && best >= enough; ++i) {
        best = std::min(best, one_try());
    }
    return best;
}

} // namespace

BOOST_AUTO_TEST_SUITE(connecting)

BOOST_AUTO_TEST_CASE(a_refused_connection_is_told_within_100_ms) {
    running_proxy proxy(settings_for(closed_port()));
    const auto best = quickest(10, milliseconds(100), [&] {
        const auto told = ask(proxy);
        BOOST_TEST(told.answer.status() == 502u);
        return told.took;
    });
    BOOST_TEST(best.count() < 100);
}

BOOST_AUTO_TEST_CASE(a_black_hole_is_a_504_at_the_connect_limit) {
    const full_port nowhere;
    auto settings = settings_for(nowhere.number());
    settings.upstreams[0].connect_timeout = milliseconds(1'500);
    running_proxy proxy(settings);
    const auto best = quickest(3, milliseconds(1'650), [&] {
        const auto told = ask(proxy);
        BOOST_TEST(told.answer.status() == 504u);
        BOOST_TEST(told.answer.body.find("\"code\":\"upstream_timeout\"") != std::string::npos);
        BOOST_TEST(told.took.count() >= 1'350);
        return told.took;
    });
    BOOST_TEST(best.count() < 1'650);
}

BOOST_AUTO_TEST_CASE(behind_a_dead_address_the_next_one_is_used_within_the_limit) {
    const scripted_upstream model(saying("alive"));
    const full_port nowhere;
    // Nobody listens at that port of the second loopback address.
    ::tests::set_addresses("refuses-first.test", {"127.0.0.2", "127.0.0.1"});
    running_proxy refused(named("refuses-first.test", model.port()));
    BOOST_TEST(ask(refused).answer.body == "alive");
    BOOST_TEST(refused.records(1)[0].retries == 1u);

    const scripted_upstream second(saying("alive too"), "127.0.0.2", nowhere.number());
    ::tests::set_addresses("silent-first.test", {"127.0.0.1", "127.0.0.2"});
    auto settings = named("silent-first.test", nowhere.number());
    settings.upstreams[0].connect_timeout = milliseconds(1'000);
    running_proxy proxy(settings);
    const auto told = ask(proxy);
    BOOST_TEST(told.answer.body == "alive too");
    BOOST_TEST(told.took.count() >= 400);
    BOOST_TEST(told.took.count() < 1'000);
}

BOOST_AUTO_TEST_CASE(a_name_that_moved_is_followed_once_its_time_is_over) {
    const scripted_upstream before(saying("before"));
    const scripted_upstream after(saying("after"), "127.0.0.2", before.port());
    ::tests::set_addresses("moves.test", {"127.0.0.1"});
    auto settings = named("moves.test", before.port());
    settings.upstreams[0].pool_idle_timeout = milliseconds(0); // each request connects anew
    running_proxy proxy(settings);
    const auto earlier = ::tests::lookups();
    BOOST_TEST(ask(proxy).answer.body == "before");
    ::tests::set_addresses("moves.test", {"127.0.0.2"});
    BOOST_TEST(ask(proxy).answer.body == "before");
    BOOST_TEST(::tests::lookups() == earlier + 1);
    ::tests::move_steady_clock(std::chrono::seconds(31));
    // The loop looks at its clock with each tick; a client that came just before it seems to have
    // said nothing for all that time, and is closed unanswered.
    std::string said;
    const auto give_up = std::chrono::steady_clock::now() + wire::patience;
    while (said != "after" && std::chrono::steady_clock::now() < give_up) {
        said = ask(proxy).answer.body;
    }
    BOOST_TEST(said == "after");
    BOOST_TEST(::tests::lookups() == earlier + 2);
}

BOOST_AUTO_TEST_CASE(a_wall_clock_that_jumps_an_hour_fires_no_limit) {
    for (const auto hours : {1, -2}) {
        std::promise<void> streaming, jumped;
        std::promise<bool> stayed; // checks of Boost.Test are for the main thread
        auto go_on = jumped.get_future();
        scripted_upstream model([&](wire& client, unsigned) {
            (void)client.read_message();
            client.send(std::string(stream_head) + chunk(content_event("one")));
            streaming.set_value();
            go_on.wait();
            // Ticks enough for any limit that had gone by.
            stayed.set_value(!client.closed_within(milliseconds(400)));
            client.send(chunk(content_event("two") + finish_event() + std::string(done_event)) +
                        std::string(last_chunk));
        });
        running_proxy proxy(settings_for(model.port()));
        auto idle = proxy.connect();
        auto slow = proxy.connect();
        slow.send("GET / HT");
        auto client = proxy.connect();
        client.send(chat_request());
        (void)client.read_until("one");
        streaming.get_future().wait();
        const auto begin = std::chrono::system_clock::now();
        ::tests::move_wall_clock(std::chrono::hours(hours));
        const auto seen = std::chrono::system_clock::now() - begin;
        BOOST_TEST(
            (hours > 0 ? seen > std::chrono::minutes(59) : seen < std::chrono::minutes(-59)));
        jumped.set_value();
        BOOST_TEST(stayed.get_future().get());
        BOOST_TEST(client.read_until("0\r\n\r\n").find("error") == std::string::npos);
        BOOST_TEST(proxy.records(1)[0].outcome == "clean");
        BOOST_TEST(!idle.closed_within(milliseconds(0)));
        slow.send("TP/1.1\r\n\r\n");
        BOOST_TEST(slow.read_message().status() == 400u); // no Host; and no 408
    }
}

BOOST_AUTO_TEST_SUITE_END()
