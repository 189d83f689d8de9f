// `limits.memory`: what all kept bodies may take together, and what becomes of those beyond it.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace proxy;
using namespace proxy::tests;

namespace {

std::string chat_of(std::size_t bytes) {
    return chat_request(R"({"model":"m","messages":[{"role":"user","content":")" +
                        std::string(bytes, 'x') + "\"}]}");
}

std::string json_answer(std::size_t bytes) {
    const std::string json = R"({"choices":[{"index":0,"message":{"role":"assistant","content":")" +
                             std::string(bytes, 'y') + R"("},"finish_reason":"stop"}]})";
    return "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " +
           std::to_string(json.size()) + "\r\n\r\n" + json;
}

config::settings with_memory(std::uint16_t port, std::size_t bytes) {
    auto settings = settings_for(port);
    settings.limits.memory = bytes;
    return settings;
}

} // namespace

BOOST_AUTO_TEST_SUITE(kept_memory)

BOOST_AUTO_TEST_CASE(a_request_beyond_it_gets_503_with_retry_after_and_a_line_in_the_log) {
    scripted_upstream model([](wire& client, unsigned) { (void)client.wait_closed(); });
    running_proxy proxy(with_memory(model.port(), 100'000));
    auto first = proxy.connect();
    first.send(chat_of(60'000));
    while (model.connections() == 0u) { // its body is kept from then on at the latest
        std::this_thread::yield();
    }
    auto second = proxy.connect();
    second.send(chat_of(60'000));
    const auto answer = second.read_message();
    BOOST_TEST(answer.status() == 503u);
    BOOST_TEST(answer.header("retry-after").has_value());
    BOOST_TEST(answer.header("x-request-id").has_value());
    BOOST_TEST(answer.body.find("overloaded") != std::string::npos);
    const auto told = proxy.records(1)[0];
    BOOST_TEST(told.status == 503u);
    BOOST_TEST(told.error_code == "overloaded");
    BOOST_TEST(told.request_id == answer.header("x-request-id").value_or(""));
    first.close();
}

BOOST_AUTO_TEST_CASE(it_is_given_back_so_that_requests_one_by_one_never_meet_it) {
    answering_model model(std::vector<std::string>(12, json_answer(10'000)));
    running_proxy proxy(with_memory(model.port(), 100'000));
    for (int i = 0; i < 12; ++i) {
        auto client = proxy.connect();
        client.send(chat_of(60'000));
        BOOST_TEST(client.read_message().status() == 200u);
    }
}

BOOST_AUTO_TEST_CASE(an_answer_beyond_it_is_not_passed_unseen) {
    answering_model model({json_answer(60'000)});
    running_proxy proxy(with_memory(model.port(), 50'000));
    auto client = proxy.connect();
    client.send(chat_of(10));
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 503u);
    BOOST_TEST(answer.body.find("overloaded") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_passed_takes_none_of_it) {
    answering_model model(
        {"HTTP/1.1 200 OK\r\ncontent-length: 200000\r\n\r\n" + std::string(200'000, 'z')});
    running_proxy proxy(with_memory(model.port(), 50'000));
    auto client = proxy.connect();
    client.send(request("GET", "/v1/files/1"));
    BOOST_TEST(client.read_message().body.size() == 200'000u);
}

BOOST_AUTO_TEST_SUITE_END()
