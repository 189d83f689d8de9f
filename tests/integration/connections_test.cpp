// The upstream's connections: reused only while they are fit.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/integration/waiting_streams.hpp"

#include <boost/test/unit_test.hpp>

#include <future>
#include <string>

using namespace proxy;
using namespace proxy::tests;

namespace {

// Asks once and checks the answer; a new connection each time if `fresh`.
void ask(wire& client) {
    client.send(request("POST", "/v1/x", "", "{}"));
    BOOST_TEST(client.read_message().body == "ok");
}

} // namespace

BOOST_AUTO_TEST_SUITE(upstream_connections)

BOOST_AUTO_TEST_CASE(a_kept_connection_that_the_upstream_closed_costs_nobody_a_request) {
    std::promise<void> closed;
    scripted_upstream model([&](wire& client, unsigned number) {
        (void)client.read_message();
        client.send(ok_answer);
        client.close();
        if (number == 0) {
            closed.set_value();
        }
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    ask(client);
    closed.get_future().wait();
    ask(client);
    BOOST_TEST(model.connections() == 2u);
}

BOOST_AUTO_TEST_CASE(bytes_on_an_idle_connection_answer_nobody) {
    std::promise<void> poisoned;
    scripted_upstream model([&](wire& client, unsigned number) {
        (void)client.read_message();
        client.send(ok_answer);
        if (number == 0) {
            client.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil");
            poisoned.set_value();
            (void)client.wait_closed();
        }
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    ask(client);
    poisoned.get_future().wait();
    ask(client);
    BOOST_TEST(model.connections() == 2u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_may_not_be_reused_is_not) {
    const std::vector<std::string> answers = {
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok",
        "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: "
        "chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokX",
    };
    for (const auto& answer : answers) {
        scripted_upstream model([&](wire& client, unsigned) {
            (void)client.read_message();
            client.send(answer);
            (void)client.wait_closed();
        });
        running_proxy proxy(settings_for(model.port()));
        auto client = proxy.connect();
        ask(client);
        ask(client);
        BOOST_TEST(model.connections() == 2u, answer);
    }
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_before_the_upstream_would) {
    std::promise<bool> closed;
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(ok_answer);
        closed.set_value(client.wait_closed().has_value());
    });
    auto settings = settings_for(model.port());
    settings.upstreams[0].pool_idle_timeout = std::chrono::milliseconds(200);
    running_proxy proxy(settings);
    auto client = proxy.connect();
    ask(client);
    BOOST_TEST(closed.get_future().get());
}

BOOST_AUTO_TEST_CASE(a_stream_whose_last_chunk_comes_late_gives_its_connection_back) {
    const auto events = content_event("Hi") + finish_event() + std::string(done_event);
    std::promise<void> ended;
    auto seen = ended.get_future().share();
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(std::string(stream_head) + chunk(events));
        seen.wait(); // the client has its end before the upstream's last chunk
        if (client.try_send(last_chunk) && !client.read_message().head.empty()) {
            client.send(ok_answer);
        }
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request());
    BOOST_TEST(client.read_message().body == events);
    ended.set_value();
    // The last chunk may still be on its way: then the request meets a fresh connection.
    client.send(request("GET", "/v1/x"));
    (void)client.read_message();
    BOOST_TEST(model.connections() <= 2u);
}

BOOST_AUTO_TEST_CASE(several_threads_share_one_port) {
    scripted_upstream model([](wire& client, unsigned) {
        while (!client.read_message().head.empty()) {
            (void)client.try_send(ok_answer);
        }
    });
    auto settings = settings_for(model.port());
    settings.threads = 3;
    running_proxy proxy(settings);
    for (int i = 0; i < 30; ++i) {
        auto client = proxy.connect();
        ask(client);
    }
    BOOST_TEST(proxy.records(30).size() == 30u);
}

BOOST_AUTO_TEST_CASE(an_address_in_use_is_an_error_at_start) {
    scripted_upstream other([](wire&, unsigned) {});
    auto settings = settings_for(other.port());
    settings.listen.port = other.port();
    BOOST_CHECK_THROW(running_proxy{settings}, std::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
