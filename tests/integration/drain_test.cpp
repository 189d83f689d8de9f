// The end of a server: who is connected is answered, streams finish, nobody new is taken.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/integration/waiting_streams.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <list>
#include <string>

using namespace proxy;
using namespace proxy::tests;

namespace {

bool is_last_answer(wire& client) {
    const auto answer = client.read_message();
    return answer.status() == 200u && answer.body == "ok" &&
           answer.header("connection") == "close" && client.wait_closed().has_value();
}

// A stream, begun by `first`, is under way when the server drains; `then` is sent behind its end.
void drain_behind_a_stream(const std::string& first, const std::string& then) {
    waiting_streams upstream;
    running_proxy proxy(settings_for(upstream.port()));
    auto client = proxy.connect();
    client.send(first);
    (void)client.read_until("one");
    proxy.server().drain();
    upstream.go_on();
    BOOST_TEST(client.read_until("0\r\n\r\n").find("two") != std::string::npos);
    client.send(then);
    BOOST_TEST(is_last_answer(client));
    proxy.server().join();
}

} // namespace

BOOST_AUTO_TEST_SUITE(draining)

BOOST_AUTO_TEST_CASE(a_drain_lets_streams_finish_and_takes_nobody_new) {
    waiting_streams upstream;
    running_proxy proxy(settings_for(upstream.port()));
    auto idle = proxy.connect();
    auto client = proxy.connect();
    client.send(chat_request());
    (void)client.read_until("one");
    proxy.server().drain();
    BOOST_TEST(idle.wait_closed().has_value());
    upstream.go_on();
    BOOST_TEST(client.read_until("two").ends_with("two"));
    BOOST_TEST(client.read_until("0\r\n\r\n").ends_with("0\r\n\r\n"));
    BOOST_TEST(client.wait_closed().has_value());
    proxy.server().join();
    BOOST_TEST(proxy.records(1)[0].outcome == "clean");
}

BOOST_AUTO_TEST_CASE(a_drain_past_its_limit_ends_streams_loudly) {
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(std::string(stream_head) + chunk(content_event("one")));
        (void)client.wait_closed();
    });
    auto settings = settings_for(model.port());
    settings.timeouts.drain = std::chrono::milliseconds(200);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    (void)client.read_until("one");
    proxy.server().drain();
    const auto rest = client.read_to_end();
    BOOST_TEST(rest.find("\"error\"") != std::string::npos);
    BOOST_TEST(rest.find(done_event) != std::string::npos);
    proxy.server().join();
}

BOOST_AUTO_TEST_CASE(a_stop_ends_streams_loudly_at_once) {
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(std::string(stream_head) + chunk(content_event("one")));
        (void)client.wait_closed();
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request());
    (void)client.read_until("one");
    proxy.server().stop();
    const auto rest = client.read_to_end();
    BOOST_TEST(rest.find("\"error\"") != std::string::npos);
    proxy.server().join();
}

BOOST_AUTO_TEST_CASE(who_had_connected_and_asked_before_a_drain_is_answered) {
    for (const unsigned threads : {1U, 2U}) {
        const scripted_upstream model(serve_ok);
        auto settings = settings_for(model.port());
        settings.threads = threads;
        running_proxy proxy(settings);
        std::list<wire> clients;
        for (int i = 0; i < 60; ++i) { // some of them are still in the listener's queue
            clients.push_back(proxy.connect());
            clients.back().send(request("GET", "/v1/x"));
        }
        proxy.server().drain();
        std::size_t answered = 0;
        for (auto& client : clients) {
            answered += client.read_message().body == "ok";
        }
        BOOST_TEST(answered == clients.size());
        proxy.server().join();
    }
}

BOOST_AUTO_TEST_CASE(a_first_request_that_comes_just_behind_a_drain_is_answered) {
    const scripted_upstream model(serve_ok);
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    proxy.server().drain();
    client.send(request("GET", "/v1/x"));
    BOOST_TEST(is_last_answer(client));
    proxy.server().join();
}

BOOST_AUTO_TEST_CASE(a_request_that_follows_a_stream_at_once_is_answered_and_the_last) {
    const auto asked = request("GET", "/v1/x");
    drain_behind_a_stream(chat_request(), asked);
}

BOOST_AUTO_TEST_CASE(a_request_pipelined_behind_a_stream_is_answered_and_the_last) {
    const auto asked = request("GET", "/v1/x");
    drain_behind_a_stream(chat_request() + asked + asked, "");
}

// RFC 9112 9.6: what stands behind a request that was answered with `close` is not looked at.
BOOST_AUTO_TEST_CASE(a_request_behind_an_answer_that_says_close_is_not_asked_upstream) {
    std::promise<void> started;
    std::promise<void> go_on;
    std::atomic<unsigned> requests = 0;
    scripted_upstream model([&](wire& client, unsigned) {
        while (!client.read_message().head.empty()) {
            if (++requests == 1) {
                started.set_value();
                go_on.get_future().wait();
            }
            client.send(std::string(stream_head) + chunk(content_event("one") + finish_event()) +
                        chunk(std::string(done_event)) + std::string(last_chunk));
        }
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request() + chat_request());
    started.get_future().wait();
    proxy.server().drain();
    go_on.set_value();
    const auto answer = client.read_to_end();
    BOOST_TEST(answer.find("connection: close") != std::string::npos);
    BOOST_TEST(answer.ends_with(last_chunk));
    BOOST_TEST(answer.find("HTTP/1.1", 1) == std::string::npos);
    proxy.server().join();
    BOOST_TEST(requests == 1u);
    BOOST_TEST(proxy.records(1).size() == 1u);
}

BOOST_AUTO_TEST_CASE(who_says_nothing_holds_a_drain_up_for_a_moment_only) {
    const scripted_upstream model(serve_ok);
    running_proxy proxy(settings_for(model.port()));
    auto silent = proxy.connect();
    auto kept = proxy.connect();
    kept.send(request("GET", "/v1/x"));
    BOOST_TEST(kept.read_message().body == "ok");
    const auto begin = std::chrono::steady_clock::now();
    proxy.server().drain();
    proxy.server().join();
    const auto took = std::chrono::steady_clock::now() - begin;
    BOOST_TEST((took < std::chrono::seconds(5))); // a head may take 10 s, a kept connection 75 s
    BOOST_TEST(silent.wait_closed().has_value());
    BOOST_TEST(kept.wait_closed().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
