// The admin listener over real sockets: what it counts of real turns, what it says while the proxy
// drains, and what it does not take.
#include "proxy/base/limits.hpp"

#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/support/metrics.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace proxy;
using namespace proxy::tests;

namespace {

const std::string markup =
    "<tool_call>{\\\"name\\\":\\\"look\\\",\\\"arguments\\\":{\\\"q\\\":1}}</tool_call>";

const std::string body =
    R"({"model":"a-clients-word","stream":true,"messages":[{"role":"user","content":"Hi"}],)"
    R"("tools":[{"type":"function","function":{"name":"look"}}]})";

std::string answer_of(const std::string& content) {
    return std::string(stream_head) +
           chunk(content_event(content) + finish_event() + std::string(done_event)) +
           std::string(last_chunk);
}

config::settings with_admin(std::uint16_t port) {
    auto settings = settings_for(port);
    settings.admin.listen = config::address{"127.0.0.1", 0, {}};
    return settings;
}

wire::message asked(running_proxy& proxy, const std::string& target,
                    const std::string& method = "GET") {
    auto client = proxy.connect_to_admin();
    client.send(request(method, target));
    return client.read_message(method == "HEAD");
}

using samples = std::map<std::string, double>;

samples metrics(running_proxy& proxy) {
    const auto answer = asked(proxy, "/metrics");
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.header("content-type").value_or("").starts_with("text/plain; version=0.0.4"));
    return ::tests::read_metrics(answer.body);
}

} // namespace

BOOST_AUTO_TEST_SUITE(admin)

BOOST_AUTO_TEST_CASE(every_way_a_turn_ends_is_counted_once) {
    // clean, leak, corrected, failed, shadow, error status of the upstream
    answering_model model({answer_of("Hi"), answer_of("Hi " + markup), answer_of(markup),
                           answer_of("Now."), answer_of(markup), answer_of(markup),
                           answer_of("Hi " + markup),
                           "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n"});
    running_proxy proxy(with_admin(model.port()));
    auto client = proxy.connect();
    for (const char* lines : {"", "", "", "", "x-unscaffold: shadow\r\n", ""}) {
        client.send(request("POST", "/v1/chat/completions", lines, body));
        BOOST_TEST(client.read_message().whole);
    }
    auto refused = proxy.connect();
    refused.send("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n");
    BOOST_TEST(refused.read_message().status() == 400u);
    (void)proxy.records(7);

    const samples found = metrics(proxy);
    const samples expected{
        {"exchanges_total{outcome=\"clean\",route=\"chat\"}", 1},
        {"exchanges_total{outcome=\"sanitized\",route=\"chat\"}", 1},
        {"exchanges_total{outcome=\"corrected\",route=\"chat\"}", 1},
        {"exchanges_total{outcome=\"failed\",route=\"chat\"}", 1},
        {"exchanges_total{outcome=\"passed\",route=\"chat\"}", 2},
        {"exchanges_total{outcome=\"error\",route=\"chat\"}", 0},
        {"exchanges_total{outcome=\"error\",route=\"refused\"}", 1},
        {"answers_total{class=\"2xx\"}", 5},
        {"answers_total{class=\"4xx\"}", 2},
        {"stripped_spans_total{format=\"hermes\"}", 4}, // leak, corrected, twice in the failed
        {"stripped_characters_total{format=\"hermes\"}", 4 * 58},
        {"shadow_spans_total{format=\"hermes\"}", 1},
        {"shadow_characters_total{format=\"hermes\"}", 58},
        {"shadow_turns_total{would=\"sanitize\"}", 1},
        {"corrections_total{outcome=\"corrected\"}", 1},
        {"corrections_total{outcome=\"failed\"}", 1},
        {"errors_total{code=\"malformed_reply\"}", 1},
        {"errors_total{code=\"bad_request\"}", 1},
        {"budget_spent_total", 0},
        {"exchange_seconds_count{route=\"chat\"}", 6},
        {"exchange_seconds_bucket{route=\"chat\",le=\"+Inf\"}", 6},
    };
    for (const auto& [name, value] : expected) {
        BOOST_TEST(::tests::sample(found, "unscaffold_" + name) == value, name);
    }
    BOOST_TEST(asked(proxy, "/metrics").body.find("a-clients-word") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_exchange_in_progress_is_a_gauge_and_draining_shows_until_it_ends) {
    scripted_upstream model([](wire& peer, unsigned) {
        (void)peer.read_message();
        peer.send(std::string(stream_head) + chunk(content_event("Hi")));
        (void)peer.wait_closed();
    });
    running_proxy proxy(with_admin(model.port()));
    BOOST_TEST(asked(proxy, "/readyz").status() == 200u);
    auto client = proxy.connect();
    client.send(chat_request());
    (void)client.read_until("Hi");
    BOOST_TEST(::tests::sample(metrics(proxy), "unscaffold_exchanges_in_progress") == 1);
    auto waiting = proxy.connect_to_admin(); // open over the change

    proxy.server().drain();
    const auto draining = asked(proxy, "/readyz");
    BOOST_TEST(draining.status() == 503u);
    BOOST_TEST(draining.body == "draining\n");
    BOOST_TEST(asked(proxy, "/livez").status() == 200u);
    waiting.send(request("GET", "/readyz"));
    BOOST_TEST(waiting.read_message().status() == 503u);
    BOOST_TEST(::tests::sample(metrics(proxy), "unscaffold_exchanges_in_progress") == 1);

    auto open = proxy.connect_to_admin();
    client.close();
    proxy.server().join();
    BOOST_TEST(open.closed_within(std::chrono::milliseconds(1'000))); // its own time is longer
}

BOOST_AUTO_TEST_CASE(one_question_for_each_connection_then_it_closes) {
    running_proxy proxy(with_admin(closed_port()));
    auto client = proxy.connect_to_admin();
    client.send(request("GET", "/livez") + request("GET", "/readyz"));
    const auto text = client.read_to_end();
    BOOST_TEST(text.starts_with("HTTP/1.1 200 OK\r\n"));
    BOOST_TEST(text.ends_with("alive\n"));
    BOOST_TEST(!client.was_reset());
    const auto head = asked(proxy, "/version", "HEAD");
    BOOST_TEST(head.status() == 200u);
    BOOST_TEST(head.body.empty());
}

BOOST_AUTO_TEST_CASE(bad_requests_and_bodies_get_the_error_object_whole) {
    running_proxy proxy(with_admin(closed_port()));

    const struct {
        std::string bytes;
        unsigned status;
    } rows[] = {
        {request("POST", "/metrics", "", "{}"), 405},
        {request("GET", "/metrics", "", std::string(60'000, 'x')), 413},
        {request("GET", "/v1/models"), 404},
        {"GET /livez HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n", 400},
        {"GET /livez HTTP/1.1\r\nX: " + std::string(9'000, 'x'), 431},
    };

    for (const auto& row : rows) {
        auto client = proxy.connect_to_admin();
        (void)client.try_send(row.bytes);
        const auto answer = client.read_message();
        BOOST_TEST(answer.status() == row.status);
        BOOST_TEST(answer.whole);
        BOOST_TEST(answer.body.find("\"error\":{") != std::string::npos);
        BOOST_TEST(client.read_to_end().empty());
        BOOST_TEST(!client.was_reset());
    }
    // None of them was an exchange.
    BOOST_TEST(::tests::sample(metrics(proxy), "unscaffold_answers_total{class=\"4xx\"}") == 0);
}

BOOST_AUTO_TEST_CASE(connections_past_the_bound_are_closed_and_there_is_room_again_later) {
    running_proxy proxy(with_admin(closed_port()));
    std::vector<wire> held;
    for (std::size_t i = 0; i < limits::admin_connections_max; ++i) {
        held.push_back(proxy.connect_to_admin());
    }
    auto one_more = proxy.connect_to_admin();
    BOOST_TEST(one_more.wait_closed().has_value());
    held[0].send(request("GET", "/livez"));
    BOOST_TEST(held[0].read_message().status() == 200u);
    held.clear();
    while (asked(proxy, "/livez").head.empty()) {
        std::this_thread::yield(); // the closed ones have not been seen yet
    }
    BOOST_TEST(asked(proxy, "/livez").status() == 200u);
}

BOOST_AUTO_TEST_CASE(a_silent_connection_is_closed_after_its_time) {
    running_proxy proxy(with_admin(closed_port()));
    auto silent = proxy.connect_to_admin();
    auto dripping = proxy.connect_to_admin();
    dripping.send("GET /livez HTTP/1.1\r\nHost:");
    BOOST_TEST(silent.wait_closed().has_value());
    BOOST_TEST(dripping.wait_closed().has_value());
}

BOOST_AUTO_TEST_CASE(clients_keys_are_not_asked_for_and_the_client_listener_has_no_admin_pages) {
    answering_model model({"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"});
    auto settings = with_admin(model.port());
    settings.clients.keys = {"a-client-key-0123456789"};
    running_proxy proxy(settings);
    BOOST_TEST(asked(proxy, "/metrics").status() == 200u);
    auto client = proxy.connect();
    client.send(request("GET", "/metrics", "Authorization: Bearer a-client-key-0123456789\r\n"));
    BOOST_TEST(client.read_message().status() == 404u); // the upstream's own answer
    BOOST_TEST(model.asked().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_unix_socket_serves_and_an_address_that_is_not_ours_is_said) {
    const auto path = (std::filesystem::temp_directory_path() /
                       ("admin_test_" + std::to_string(::getpid()) + ".sock"))
                          .string();
    auto settings = settings_for(closed_port());
    settings.admin.listen = config::address{"", 0, path};
    {
        running_proxy proxy(settings);
        BOOST_TEST(std::filesystem::is_socket(path));
        BOOST_TEST(proxy.server().admin_port() == 0);
    }
    BOOST_TEST(!std::filesystem::exists(path));
    settings.admin.listen = config::address{"192.0.2.1", 1, {}}; // RFC 5737: nobody's
    BOOST_CHECK_THROW(running_proxy{settings}, std::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
