// Kept connections that the upstream closes, early and in the very moment of a request.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/integration/waiting_streams.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <semaphore>
#include <string>

using namespace proxy;
using namespace proxy::tests;

namespace {} // namespace

BOOST_AUTO_TEST_SUITE(kept_connections)

BOOST_AUTO_TEST_CASE(of_a_thousand_closed_before_the_next_request_none_costs_one) {
    std::counting_semaphore<> closed(0);
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send(ok_answer); // says nothing of closing
        client.close();
        closed.release();
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    unsigned failed = 0;
    for (int i = 0; i < 1'000; ++i) {
        client.send(request("POST", "/v1/x", "", "{}"));
        failed += client.read_message().body == "ok" ? 0 : 1;
        BOOST_REQUIRE(closed.try_acquire_for(wire::patience));
    }
    BOOST_TEST(failed == 0u);
    BOOST_TEST(model.connections() == 1'000u);
}

BOOST_AUTO_TEST_CASE(a_request_that_was_read_before_the_close_is_not_repeated) {
    using ending = void (*)(wire&);
    for (const ending end : {ending([](wire& client) { client.close(); }),
                             ending([](wire& client) { client.reset(); })}) {
        std::atomic<unsigned> asked = 0;
        scripted_upstream model([&](wire& client, unsigned) {
            while (!client.read_message().head.empty()) {
                if (++asked == 2) {
                    return end(client);
                }
                client.send(ok_answer);
            }
        });
        scripted_upstream second([](wire&, unsigned) {});
        auto settings = settings_for(model.port());
        settings.upstreams.push_back(settings_for(second.port()).upstreams[0]);
        running_proxy proxy(settings);
        auto client = proxy.connect();
        client.send(request("POST", "/v1/x", "", "{}"));
        BOOST_TEST(client.read_message().body == "ok");
        client.send(request("POST", "/v1/x", "", "{}"));
        const auto answer = client.read_message();
        BOOST_TEST(answer.status() == 502u);
        BOOST_TEST(answer.body.find("\"code\":\"upstream_interrupted\"") != std::string::npos);
        BOOST_TEST(asked == 2u);
        BOOST_TEST(model.connections() == 1u);
        BOOST_TEST(second.connections() == 0u);
        BOOST_TEST(proxy.records(2)[1].retries == 0u);
        // And the next request is a new one.
        client.send(request("POST", "/v1/x", "", "{}"));
        BOOST_TEST(client.read_message().body == "ok");
    }
}

BOOST_AUTO_TEST_CASE(a_large_request_cut_while_it_is_written_is_not_repeated) {
    std::atomic<unsigned> heads = 0;
    scripted_upstream model([&](wire& client, unsigned number) {
        if (number == 0) {
            (void)client.read_message();
            client.send(ok_answer);
        }
        heads += client.read_until("\r\n\r\n").empty() ? 0 : 1;
        client.reset(); // with most of the body still to come
    });
    running_proxy proxy(settings_for(model.port()));
    auto client = proxy.connect();
    client.send(request("POST", "/v1/x", "", "{}"));
    BOOST_TEST(client.read_message().body == "ok");
    client.send(request("POST", "/v1/x", "", std::string(16 << 20, 'x')));
    BOOST_TEST(client.read_message().status() == 502u);
    BOOST_TEST(heads == 1u);
    BOOST_TEST(model.connections() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
