// When the client leaves, the upstream's connection is closed at once, in every phase, and nothing
// new is asked.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <future>
#include <string>

using namespace proxy;
using namespace proxy::tests;

namespace {

enum class leaving { close, reset, half_close };

const std::vector<std::pair<std::string, leaving>> ways = {
    {"closes", leaving::close}, {"resets", leaving::reset}, {"half-closes", leaving::half_close}};

void leave(wire& client, leaving how) {
    switch (how) {
    case leaving::close:
        return client.close();
    case leaving::reset:
        return client.reset();
    case leaving::half_close:
        return client.finish_sending();
    }
}

// Lets the client leave once the upstream has done `before` and the client has read `until`; checks
// that the upstream is closed within 100 ms (one second on a crowded machine).
void check_leaving(const std::string& before, const std::string& until, leaving how,
                   const std::string& asked = chat_request()) {
    std::promise<void> ready;
    std::promise<std::optional<std::chrono::milliseconds>> closed;
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send(before);
        ready.set_value();
        closed.set_value(client.wait_closed());
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(asked);
    ready.get_future().wait();
    if (!until.empty()) {
        BOOST_TEST(client.read_until(until).ends_with(until));
    }
    const auto left = std::chrono::steady_clock::now();
    leave(client, how);
    BOOST_TEST(closed.get_future().get().has_value());
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - left);
    BOOST_TEST(took.count() < 1'000);
    BOOST_TEST_MESSAGE("upstream closed after " << took.count() << " ms");
    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.outcome == "cancelled");
    BOOST_TEST(told.corrections == 0u);
    BOOST_TEST(model.connections() == 1u);
}

} // namespace

BOOST_AUTO_TEST_SUITE(leaving_clients)

BOOST_AUTO_TEST_CASE(before_the_upstream_has_answered) {
    for (const auto& [name, how] : ways) {
        BOOST_TEST_CONTEXT(name) {
            check_leaving("", "", how);
        }
    }
}

BOOST_AUTO_TEST_CASE(while_the_upstream_is_inside_its_head) {
    for (const auto& [name, how] : ways) {
        BOOST_TEST_CONTEXT(name) {
            check_leaving("HTTP/1.1 200 OK\r\ncontent-", "", how);
        }
    }
}

BOOST_AUTO_TEST_CASE(while_the_stream_is_silent) {
    const auto event = content_event("hello");
    for (const auto& [name, how] : ways) {
        BOOST_TEST_CONTEXT(name) {
            check_leaving(std::string(stream_head) + chunk(event), "hello", how);
        }
    }
}

BOOST_AUTO_TEST_CASE(while_text_is_held_back) {
    const auto event = content_event("hello <tool_call>{\\\"name\\\"");
    for (const auto& [name, how] : ways) {
        BOOST_TEST_CONTEXT(name) {
            check_leaving(std::string(stream_head) + chunk(event), "hello ", how);
        }
    }
}

BOOST_AUTO_TEST_CASE(while_plain_bytes_pass) {
    for (const auto& [name, how] : ways) {
        BOOST_TEST_CONTEXT(name) {
            check_leaving("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello", "hello", how,
                          request("GET", "/v1/files/1"));
        }
    }
}

BOOST_AUTO_TEST_CASE(while_a_running_stream_is_written) {
    std::promise<void> running;
    std::promise<void> stopped;
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        const auto event = chunk(content_event("tick"));
        bool first = true;
        while (client.try_send(event)) {
            if (std::exchange(first, false)) {
                running.set_value();
            }
        }
        stopped.set_value();
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request());
    running.get_future().wait();
    (void)client.read_until("tick");
    client.close();
    BOOST_TEST(
        (stopped.get_future().wait_for(std::chrono::seconds(1)) == std::future_status::ready));
    BOOST_TEST(proxy.records(1)[0].outcome == "cancelled");
}

BOOST_AUTO_TEST_CASE(while_the_correction_is_under_way) {
    std::promise<void> corrected;
    std::promise<std::optional<std::chrono::milliseconds>> closed;
    scripted_upstream model([&](wire& client, unsigned number) {
        (void)client.read_message();
        if (number == 0) {
            client.send(
                std::string(stream_head) +
                chunk(content_event("<tool_call>{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{}}"
                                    "</tool_call>") +
                      finish_event() + std::string(done_event)) +
                std::string(last_chunk));
            (void)client.wait_closed();
            return;
        }
        corrected.set_value();
        closed.set_value(client.wait_closed());
    });
    auto settings = settings_for(model.port());
    settings.upstreams[0].pool_idle_timeout = std::chrono::milliseconds(0); // no reuse
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    corrected.get_future().wait();
    client.close();
    BOOST_TEST(closed.get_future().get().has_value());
    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.outcome == "cancelled");
}

BOOST_AUTO_TEST_CASE(before_the_request_is_whole_nothing_is_asked) {
    scripted_upstream model([](wire&, unsigned) {});
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(chat_request().substr(0, 100));
    client.close();
    auto next = proxy.connect();
    next.send(request("GET", "/.."));
    BOOST_TEST(next.read_message().status() == 400u);
    BOOST_TEST(model.connections() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
