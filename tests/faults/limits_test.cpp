// Every limit that can be set, from both sides: the largest that passes, and what is told beyond.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/full_port.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/integration/waiting_streams.hpp"
#include "tests/support/client_view.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;
using std::chrono::milliseconds;

namespace {

// The time of the limits under test, and one that leaves them far away. Limits are looked at with
// each tick of 100 ms.
constexpr milliseconds short_time{300};
constexpr milliseconds within{100};
constexpr milliseconds too_late{3'000};

void check_error(const wire::message& answer, unsigned status, const std::string& code) {
    BOOST_TEST(answer.status() == status);
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.header("content-type").value_or("") == "application/json");
    const auto seen = ::tests::read_body(answer.body);
    BOOST_REQUIRE_EQUAL(seen.errors.size(), 1u);
    for (const auto* member : {"message", "type", "param", "code"}) {
        BOOST_TEST(seen.errors[0].contains(member));
    }
    BOOST_TEST(std::string(seen.errors[0].at("code").as_string()) == code);
}

// What fits is answered on a connection that stays; what does not is refused on one that ends.
void check_request_limit(const config::settings& settings, const std::string& fits,
                         const std::string& over, unsigned status, const std::string& code) {
    running_proxy proxy(settings);
    auto good = proxy.connect();
    good.send(fits);
    BOOST_TEST(good.read_message().body == "ok");
    good.send(fits);
    BOOST_TEST(good.read_message().body == "ok");
    auto bad = proxy.connect();
    (void)bad.try_send(over);
    const auto answer = bad.read_message();
    check_error(answer, status, code);
    BOOST_TEST(answer.header("connection").value_or("") == "close");
    BOOST_TEST(bad.wait_closed().has_value());
}

std::string head_of(std::size_t bytes) {
    const std::string start = "GET /v1/x HTTP/1.1\r\nHost: a\r\nX: ";
    return start + std::string(bytes - start.size() - 4, 'a') + "\r\n\r\n";
}

std::string head_with_lines(std::size_t lines) {
    std::string out = "GET /v1/x HTTP/1.1\r\nHost: a\r\n";
    for (std::size_t i = 1; i < lines; ++i) {
        out += "a: b\r\n";
    }
    return out + "\r\n";
}

std::string with_target(std::size_t bytes) {
    return request("GET", "/v1/" + std::string(bytes - 4, 'a'));
}

std::string with_body(std::size_t bytes) {
    return request("POST", "/v1/x", "", std::string(bytes, 'x'));
}

std::string with_chunked_body(std::size_t bytes) {
    return request("POST", "/v1/x", "Transfer-Encoding: chunked\r\n") +
           chunk(std::string(bytes, 'x')) + std::string(last_chunk);
}

std::string json_of(std::size_t bytes) {
    const std::string start = R"({"choices":[],"x":")";
    return start + std::string(bytes - start.size() - 2, 'x') + "\"}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(head) {
    const scripted_upstream model(serve_ok);
    check_request_limit(settings_for(model.port()), head_of(64 << 10), head_of((64 << 10) + 1), 431,
                        "headers_too_large");
    auto settings = settings_for(model.port());
    settings.limits.head = 32 << 10;
    check_request_limit(settings, head_of(32 << 10), head_of((32 << 10) + 1), 431,
                        "headers_too_large");
}

BOOST_AUTO_TEST_CASE(header_lines) {
    const scripted_upstream model(serve_ok);
    check_request_limit(settings_for(model.port()), head_with_lines(256), head_with_lines(257), 431,
                        "headers_too_large");
    check_request_limit(settings_for(model.port()), head_with_lines(1), head_with_lines(20'000),
                        431, "headers_too_large");
    auto settings = settings_for(model.port());
    settings.limits.header_lines = 20;
    check_request_limit(settings, head_with_lines(20), head_with_lines(21), 431,
                        "headers_too_large");
}

BOOST_AUTO_TEST_CASE(target) {
    const scripted_upstream model(serve_ok);
    check_request_limit(settings_for(model.port()), with_target(16 << 10),
                        with_target((16 << 10) + 1), 414, "target_too_long");
    auto settings = settings_for(model.port());
    settings.limits.target = 100;
    check_request_limit(settings, with_target(100), with_target(101), 414, "target_too_long");
    check_request_limit(settings, with_target(100), with_target(1 << 20), 414, "target_too_long");
}

BOOST_AUTO_TEST_CASE(body) {
    const scripted_upstream model(serve_ok);
    auto settings = settings_for(model.port());
    settings.limits.body = 200'000;
    check_request_limit(settings, with_body(200'000), with_body(200'001), 413, "request_too_large");
    check_request_limit(settings, with_chunked_body(200'000), with_chunked_body(200'001), 413,
                        "request_too_large");
    // By default, 64 MiB; one byte more is refused before any of it came.
    const std::string declared = "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: ";
    check_request_limit(settings_for(model.port()), with_body(64 << 20),
                        declared + std::to_string((64 << 20) + 1) + "\r\n\r\n", 413,
                        "request_too_large");
}

BOOST_AUTO_TEST_CASE(response) {
    const auto answer = [](const std::string& json) {
        return "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " +
               std::to_string(json.size()) + "\r\n\r\n" + json;
    };
    const std::string fits = json_of(100'000);
    answering_model model({answer(fits), answer(json_of(100'001))});
    auto settings = settings_for(model.port());
    settings.limits.response = 100'000;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request(R"({"model":"m","messages":[]})"));
    BOOST_TEST((client.read_message().body == fits));
    client.send(chat_request(R"({"model":"m","messages":[]})"));
    check_error(client.read_message(), 502, "upstream_unavailable");
}

BOOST_AUTO_TEST_CASE(event) {
    const auto events_of = [](std::size_t bytes) {
        const auto rest = content_event("").size();
        return content_event(std::string(bytes - rest, 'x')) + finish_event() +
               std::string(done_event);
    };
    const auto stream = [](const std::string& events) {
        return std::string(stream_head) + chunk(events) + std::string(last_chunk);
    };
    for (const std::size_t limit : {std::size_t{10'000}, std::size_t{32} << 20}) {
        answering_model model({stream(events_of(limit)), stream(events_of(limit + 1))});
        auto settings = settings_for(model.port());
        settings.limits.event = limit;
        running_proxy proxy(settings);
        auto client = proxy.connect();
        client.send(chat_request());
        BOOST_TEST((client.read_message().body == events_of(limit)));
        client.send(chat_request());
        const auto over = client.read_message();
        BOOST_TEST(over.whole);
        const auto seen = ::tests::read_stream(over.body);
        BOOST_TEST(seen.errors.size() == 1u);
        BOOST_TEST(seen.ends_with_done);
        BOOST_TEST(over.body.size() < 2'000u);
    }
}

BOOST_AUTO_TEST_CASE(streams) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        client.send(std::string(stream_head) + chunk(content_event("open")));
        (void)client.wait_closed();
    });
    auto settings = settings_for(model.port());
    settings.limits.streams = 5;
    running_proxy proxy(settings);
    std::vector<wire> open;
    for (int i = 0; i < 5; ++i) {
        open.push_back(proxy.connect());
        open.back().send(chat_request());
        BOOST_TEST(open.back().read_until("open").ends_with("open"));
    }
    auto one_more = proxy.connect();
    one_more.send(chat_request());
    const auto refused = one_more.read_message();
    check_error(refused, 503, "overloaded");
    BOOST_TEST(refused.header("retry-after").has_value());
    BOOST_TEST(model.connections() == 5u);
}

BOOST_AUTO_TEST_CASE(client_head) {
    const scripted_upstream model(serve_ok);
    auto settings = settings_for(model.port());
    settings.timeouts.client_head = short_time;
    running_proxy proxy(settings);
    auto slow = proxy.connect();
    slow.send("GET /v1/x HT");
    check_error(slow.read_message(), 408, "request_timeout");
    settings.timeouts.client_head = too_late;
    running_proxy patient(settings);
    auto in_time = patient.connect();
    in_time.send("GET /v1/x HT");
    BOOST_TEST(!in_time.closed_within(within));
    in_time.send("TP/1.1\r\nHost: a\r\n\r\n");
    BOOST_TEST(in_time.read_message().body == "ok");
}

BOOST_AUTO_TEST_CASE(client_body) {
    const scripted_upstream model(serve_ok);
    auto settings = settings_for(model.port());
    settings.timeouts.client_body = short_time;
    running_proxy proxy(settings);
    const std::string start = "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab";
    auto slow = proxy.connect();
    slow.send(start);
    check_error(slow.read_message(), 408, "request_timeout");
    BOOST_TEST(model.connections() == 0u);
    settings.timeouts.client_body = too_late;
    running_proxy patient(settings);
    auto in_time = patient.connect();
    in_time.send(start);
    BOOST_TEST(!in_time.closed_within(within));
    in_time.send("cd");
    BOOST_TEST(in_time.read_message().body == "ok");
}

BOOST_AUTO_TEST_CASE(client_idle) {
    const scripted_upstream model(serve_ok);
    auto settings = settings_for(model.port());
    settings.timeouts.client_idle = short_time;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(request("GET", "/v1/x"));
    BOOST_TEST(client.read_message().body == "ok");
    BOOST_TEST(client.read_to_end() == ""); // no answer to a question that was not asked
    BOOST_TEST(!client.was_reset());
    settings.timeouts.client_idle = too_late;
    running_proxy patient(settings);
    auto in_time = patient.connect();
    for (int i = 0; i < 2; ++i) {
        in_time.send(request("GET", "/v1/x"));
        BOOST_TEST(in_time.read_message().body == "ok");
        BOOST_TEST(!in_time.closed_within(within));
    }
}

BOOST_AUTO_TEST_CASE(client_write) {
    std::atomic<bool> cut = false;
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        const auto event = chunk(content_event(std::string(10'000, 'x')));
        while (client.try_send(event)) {
        }
        cut = true;
    });
    auto settings = settings_for(model.port());
    settings.timeouts.client_write = short_time;
    running_proxy proxy(settings);
    auto stuck = proxy.connect(4'096);
    stuck.send(chat_request());
    BOOST_TEST(proxy.records(1)[0].outcome == "cancelled");
    BOOST_TEST(stuck.wait_closed().has_value());
    // Who takes something now and then stays.
    settings.timeouts.client_write = too_late;
    running_proxy patient(settings);
    auto slow = patient.connect(4'096);
    slow.send(chat_request());
    for (int i = 0; i < 5; ++i) {
        BOOST_TEST(!slow.read_until("xxxx").empty());
    }
}

BOOST_AUTO_TEST_CASE(connect_timeout) {
    const full_port nowhere;
    auto settings = settings_for(nowhere.number());
    settings.upstreams[0].connect_timeout = short_time;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(request("GET", "/v1/x"));
    check_error(client.read_message(), 504, "upstream_timeout");
}

BOOST_AUTO_TEST_CASE(first_byte_timeout) {
    scripted_upstream model([](wire& client, unsigned) {
        const auto asked = client.read_message();
        if (asked.head.starts_with("GET /v1/never")) {
            (void)client.wait_closed();
        } else if (!client.closed_within(within)) {
            client.send(ok_answer);
        }
    });
    auto settings = settings_for(model.port());
    settings.upstreams[0].first_byte_timeout = short_time;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(request("GET", "/v1/never"));
    check_error(client.read_message(), 504, "upstream_timeout");
    settings.upstreams[0].first_byte_timeout = too_late;
    running_proxy patient(settings);
    auto in_time = patient.connect();
    in_time.send(request("GET", "/v1/soon"));
    BOOST_TEST(in_time.read_message().body == "ok");
}

BOOST_AUTO_TEST_CASE(idle_timeout) {
    const std::string json_head =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{";
    scripted_upstream model([&](wire& client, unsigned) {
        const auto asked = client.read_message();
        client.send(asked.body.find("stream") == std::string::npos
                        ? json_head
                        : std::string(stream_head) + chunk(content_event("one")));
        if (asked.body.find("never") == std::string::npos && !client.closed_within(within)) {
            client.send(chunk(finish_event() + std::string(done_event)) + std::string(last_chunk));
        }
        (void)client.wait_closed();
    });
    auto settings = settings_for(model.port());
    settings.upstreams[0].idle_timeout = short_time;
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request(R"({"model":"never","messages":[]})"));
    check_error(client.read_message(), 504, "upstream_timeout");
    client.send(chat_request(R"({"model":"never","stream":true,"messages":[]})"));
    const auto streamed = ::tests::read_stream(client.read_message().body);
    BOOST_REQUIRE_EQUAL(streamed.errors.size(), 1u);
    BOOST_TEST(std::string(streamed.errors[0].at("code").as_string()) == "upstream_timeout");
    settings.upstreams[0].idle_timeout = too_late;
    running_proxy patient(settings);
    auto in_time = patient.connect();
    in_time.send(chat_request());
    BOOST_TEST(::tests::read_stream(in_time.read_message().body).errors.empty());
}

BOOST_AUTO_TEST_SUITE_END()
