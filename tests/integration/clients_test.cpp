// What clients may do to the proxy: pipeline, wait for a 100, drip, send too much, not read.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>

using namespace proxy;
using namespace proxy::tests;

namespace {

// Answers each request with its own target, keeping the connection.
void echo_targets(wire& client, unsigned) {
    while (true) {
        const auto asked = client.read_message();
        if (asked.head.empty()) {
            return;
        }
        const auto target = asked.head.substr(0, asked.head.find(" HTTP/1.1"));
        (void)client.try_send("HTTP/1.1 200 OK\r\ncontent-length: " +
                              std::to_string(target.size() + asked.body.size()) + "\r\n\r\n" +
                              target + asked.body);
    }
}

config::settings quick(std::uint16_t port) {
    auto settings = settings_for(port);
    settings.timeouts.client_head = std::chrono::milliseconds(200);
    settings.timeouts.client_body = std::chrono::milliseconds(200);
    settings.timeouts.client_idle = std::chrono::milliseconds(200);
    return settings;
}

void check_error(wire& client, unsigned status, const std::string& code) {
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == status);
    BOOST_TEST(answer.header("content-type").value_or("") == "application/json");
    BOOST_TEST(answer.header("connection").value_or("") == "close");
    BOOST_TEST(answer.body.find("\"code\":\"" + code + "\"") != std::string::npos);
    for (const auto* member : {"\"message\"", "\"type\"", "\"param\""}) {
        BOOST_TEST(answer.body.find(member) != std::string::npos);
    }
    BOOST_TEST(client.wait_closed().has_value());
}

} // namespace

BOOST_AUTO_TEST_SUITE(clients)

BOOST_AUTO_TEST_CASE(one_connection_serves_many_requests_over_one_upstream_connection) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    for (int i = 0; i < 20; ++i) {
        client.send(request("GET", "/v1/" + std::to_string(i)));
        BOOST_TEST(client.read_message().body == "GET /v1/" + std::to_string(i));
    }
    BOOST_TEST(model.connections() == 1u);
}

BOOST_AUTO_TEST_CASE(a_hundred_pipelined_requests_are_answered_in_order) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    std::string all;
    for (int i = 0; i < 100; ++i) {
        all += request("POST", "/v1/" + std::to_string(i), "", "b" + std::to_string(i));
    }
    client.send(all);
    for (int i = 0; i < 100; ++i) {
        const auto number = std::to_string(i);
        BOOST_TEST(client.read_message().body == "POST /v1/" + number + "b" + number);
    }
}

BOOST_AUTO_TEST_CASE(more_pipelined_bytes_than_are_kept_are_answered_too) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    std::string all;
    for (int i = 0; i < 20; ++i) {
        all += request("POST", "/v1/" + std::to_string(i), "", std::string(20'000, 'x'));
    }
    client.send(all);
    for (int i = 0; i < 20; ++i) {
        BOOST_TEST(client.read_message().body.starts_with("POST /v1/" + std::to_string(i) + "x"));
    }
}

BOOST_AUTO_TEST_CASE(pipelined_requests_that_need_no_upstream_are_answered_in_order_too) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    std::string all;
    for (int i = 0; i < 200; ++i) {
        all += request("GET", "/a/../b");
    }
    client.send(all + request("GET", "/v1/last"));
    for (int i = 0; i < 200; ++i) {
        BOOST_TEST(client.read_message().status() == 400u);
    }
    BOOST_TEST(client.read_message().body == "GET /v1/last");
}

BOOST_AUTO_TEST_CASE(a_chunked_request_goes_up_with_a_length) {
    wire::message seen;
    scripted_upstream model([&](wire& client, unsigned) {
        seen = client.read_message();
        client.send("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send("POST /v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                "3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nAuthorization: evil\r\nHost: evil\r\n\r\n");
    BOOST_TEST(client.read_message().status() == 200u);
    BOOST_TEST(seen.body == "hello");
    BOOST_TEST(seen.header("content-length").value_or("") == "5");
    BOOST_TEST(!seen.header("transfer-encoding"));
    BOOST_TEST(!seen.header("authorization"));
}

BOOST_AUTO_TEST_CASE(a_client_that_waits_for_100_gets_it_and_the_upstream_does_not_see_it) {
    wire::message seen;
    scripted_upstream model([&](wire& client, unsigned) {
        seen = client.read_message();
        client.send("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send("POST /v1/x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
                "5\r\n\r\n");
    BOOST_TEST(client.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("hello");
    BOOST_TEST(client.read_message().status() == 200u);
    BOOST_TEST(!seen.header("expect"));
}

// RFC 9110 10.1.1: who would be refused anyway need not send a body.
BOOST_AUTO_TEST_CASE(a_client_that_waits_for_100_is_refused_for_its_head_at_once) {
    scripted_upstream model([](wire&, unsigned) {});
    running_proxy proxy(settings_for(model.port()));
    const std::string tail = "Host: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    for (const auto* const head :
         {"POST /v1/../x HTTP/1.1\r\n", "POST /v1/x HTTP/1.1\r\nx-unscaffold: perhaps\r\n"}) {
        auto client = proxy.connect();
        client.send(head + tail);
        const auto answer = client.read_message();
        BOOST_TEST(answer.status() == 400u);
        BOOST_TEST(answer.header("connection").value_or("") == "close");
        BOOST_TEST(client.wait_closed().has_value());
    }
    BOOST_TEST(model.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(options_go_to_the_upstream_also_for_the_whole_server) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("OPTIONS", "/v1/chat/completions", "Origin: http://a\r\n"));
    BOOST_TEST(client.read_message().body == "OPTIONS /v1/chat/completions");
    client.send(request("OPTIONS", "*"));
    BOOST_TEST(client.read_message().body == "OPTIONS *");
    client.send(request("OPTIONS", "*", "Max-Forwards: 1\r\n"));
    BOOST_TEST(client.read_message().body == "OPTIONS *");
    client.send(request("OPTIONS", "*", "Max-Forwards: 0\r\n"));
    const auto own = client.read_message();
    BOOST_TEST(own.status() == 204u);
    BOOST_TEST(own.header("allow").value_or("").ends_with("OPTIONS"));
}

BOOST_AUTO_TEST_CASE(what_the_gate_refuses_is_answered_closed_and_never_forwarded) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(settings_for(model.port()));
    const std::vector<std::tuple<std::string, unsigned, std::string>> rows = {
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
         "0\r\n\r\nGET /evil HTTP/1.1\r\nHost: a\r\n\r\n",
         400, "bad_request"},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 501,
         "not_implemented"},
        {"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405, "method_not_allowed"},
        {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "http_version_not_supported"},
        {"GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417, "expectation_failed"},
        {"GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414,
         "target_too_long"},
        {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(70'000, 'a') + "\r\n\r\n", 431,
         "headers_too_large"},
        {"GET /" + std::string(1 << 20, 'a'), 414, "target_too_long"},
        {"\x16\x03\x01\x02\x03", 400, "bad_request"},
    };
    for (const auto& [bytes, status, code] : rows) {
        BOOST_TEST_CONTEXT(bytes.substr(0, 60)) {
            auto client = proxy.connect();
            (void)client.try_send(bytes);
            check_error(client, status, code);
        }
    }
    BOOST_TEST(model.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(who_writes_all_of_a_refused_body_before_reading_is_told_too) {
    scripted_upstream model(echo_targets);
    auto settings = settings_for(model.port());
    settings.limits.body = 10;
    running_proxy proxy(settings);
    const std::string body(std::size_t{4} << 20, 'x');
    auto client = proxy.connect();
    BOOST_TEST(client.try_send(request("POST", "/v1/files", "", body)));
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 413u);
    BOOST_TEST(answer.whole);
    BOOST_TEST(model.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(a_refused_head_request_is_answered_without_a_body) {
    scripted_upstream model(echo_targets);
    auto settings = settings_for(model.port());
    settings.limits.body = 10;
    settings.timeouts.client_body = std::chrono::milliseconds(300);
    running_proxy proxy(settings);
    const std::vector<std::pair<std::string, unsigned>> rows = {
        {"", 400}, // no Host
        {"Host: a\r\nContent-Length: x\r\n", 400},
        {"Host: a\r\nExpect: x\r\n", 417},
        {"Host: a\r\nContent-Length: 11\r\n", 413},
        {"Host: a\r\nContent-Length: 4\r\n", 408}, // which never come
    };
    for (const auto& [lines, status] : rows) {
        BOOST_TEST_CONTEXT(status << " " << lines) {
            auto client = proxy.connect();
            client.send("HEAD / HTTP/1.1\r\n" + lines + "\r\n");
            const auto all = client.read_to_end();
            BOOST_TEST(all.starts_with("HTTP/1.1 " + std::to_string(status) + " "));
            BOOST_TEST(all.find("\r\n\r\n") == all.size() - 4);
        }
    }
    auto client = proxy.connect(); // what is no HEAD is told why
    client.send("GET / HTTP/1.1\r\n\r\n");
    BOOST_TEST(client.read_to_end().ends_with("}"));
}

BOOST_AUTO_TEST_CASE(a_body_over_the_limit_is_refused_before_it_is_read) {
    scripted_upstream model(echo_targets);
    auto settings = settings_for(model.port());
    settings.limits.body = 1'000;
    running_proxy proxy(settings);
    auto declared = proxy.connect();
    declared.send("POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n");
    check_error(declared, 413, "request_too_large");
    auto chunked = proxy.connect();
    chunked.send("POST /v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
                 chunk(std::string(1'001, 'x')));
    check_error(chunked, 413, "request_too_large");
    BOOST_TEST(model.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(a_client_that_drips_its_head_or_body_is_told_in_time) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(quick(model.port()));
    for (const std::string start :
         {"GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc"}) {
        auto client = proxy.connect();
        client.send(start);
        std::atomic<bool> over = false;
        // Each byte on its way must not extend the time.
        std::thread dripping([&] {
            while (!over && !client.closed_within(std::chrono::milliseconds(20)) &&
                   client.try_send("x")) {
            }
        });
        const auto begin = std::chrono::steady_clock::now();
        const auto answer = client.read_message();
        const auto took = std::chrono::steady_clock::now() - begin;
        over = true;
        dripping.join();
        BOOST_TEST(answer.status() == 408u);
        BOOST_TEST(answer.body.find("\"code\":\"request_timeout\"") != std::string::npos);
        BOOST_TEST((took < std::chrono::seconds(2)));
    }
}

BOOST_AUTO_TEST_CASE(idle_connections_are_closed_without_a_word) {
    scripted_upstream model(echo_targets);
    running_proxy proxy(quick(model.port()));
    auto fresh = proxy.connect();
    BOOST_TEST(fresh.read_to_end() == "");
    auto used = proxy.connect();
    used.send(request("GET", "/v1/a"));
    BOOST_TEST(used.read_message().whole);
    BOOST_TEST(used.read_to_end() == "");
}

BOOST_AUTO_TEST_CASE(more_streams_than_allowed_are_refused_until_one_ends) {
    std::promise<void> busy;
    scripted_upstream model([&](wire& client, unsigned number) {
        (void)client.read_message();
        if (number == 0) {
            busy.set_value();
            (void)client.wait_closed();
        } else {
            client.send("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        }
    });
    auto settings = settings_for(model.port());
    settings.limits.streams = 1;
    running_proxy proxy(settings);
    auto first = proxy.connect();
    first.send(request("GET", "/v1/a"));
    busy.get_future().wait();
    auto second = proxy.connect();
    second.send(request("GET", "/v1/b"));
    const auto refused = second.read_message();
    BOOST_TEST(refused.status() == 503u);
    BOOST_TEST(refused.header("retry-after").has_value());
    first.close();
    (void)proxy.records(2);
    // The place is free once the first is cleared away, which follows at once.
    unsigned status = 503;
    for (int i = 0; i < 100 && status == 503; ++i) {
        second.send(request("GET", "/v1/b"));
        status = second.read_message().status();
    }
    BOOST_TEST(status == 200u);
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_pauses_the_upstream) {
    std::atomic<std::size_t> taken = 0;
    std::promise<void> stuck;
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        const auto event = chunk(content_event(std::string(1'000, 'x')));
        const timeval soon{0, 500'000};
        ::setsockopt(client.fd(), SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
        while (taken < (std::size_t{64} << 20) && client.try_send(event)) {
            taken += event.size();
        }
        stuck.set_value();
        (void)client.wait_closed();
    });
    auto settings = settings_for(model.port());
    settings.timeouts.client_write = std::chrono::milliseconds(2'000);
    running_proxy proxy(settings);
    auto client = proxy.connect(4'096);
    client.send(chat_request());
    stuck.get_future().wait();
    // Kernel buffers of four sockets take most of it; ours is bounded by the queue.
    BOOST_TEST(taken < (std::size_t{16} << 20));
    BOOST_TEST(taken > 100'000u);
    // And a client that takes nothing for long is let go.
    BOOST_TEST(proxy.records(1)[0].outcome == "cancelled");
}

BOOST_AUTO_TEST_CASE(a_client_that_reads_slowly_gets_everything_in_order) {
    std::string events;
    for (int i = 0; i < 4'000; ++i) {
        events += content_event(std::to_string(i) + " " + std::string(500, 'y'));
    }
    events += finish_event() + std::string(done_event);
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        for (std::size_t at = 0; at < events.size(); at += 30'000) {
            client.send(chunk(events.substr(at, 30'000)));
        }
        client.send(last_chunk);
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect(4'096);
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST((answer.body == events));
}

BOOST_AUTO_TEST_SUITE_END()
