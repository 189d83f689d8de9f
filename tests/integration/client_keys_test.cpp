// Who is let in by a key, and where keys travel: ours to our upstream only, the client's nowhere.
#include "tests/integration/answering_model.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/waiting_streams.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;

namespace {

const std::string known = "client-key-0123456789";
const std::string ours = "upstream-key";

config::settings settings_with_keys(std::uint16_t port) {
    auto settings = settings_for(port);
    settings.clients.keys = {"another-key-9876543210", known};
    settings.upstreams[0].api_key = ours;
    return settings;
}

wire::message ask(running_proxy& proxy, const std::string& lines) {
    auto client = proxy.connect();
    client.send(request("POST", "/v1/chat/completions", lines, R"({"messages":[]})"));
    return client.read_message();
}

} // namespace

BOOST_AUTO_TEST_SUITE(client_keys)

BOOST_AUTO_TEST_CASE(who_has_no_known_key_is_told_so_and_the_upstream_nothing) {
    answering_model model({ok_answer});
    running_proxy proxy(settings_with_keys(model.port()));
    for (const std::string& lines : std::vector<std::string>{
             std::string(),
             std::string("Authorization: Bearer wrong-key-0123456789\r\n"),
             "Authorization: Bearer " + known + "x\r\n",
             "Authorization: Bearer " + known.substr(1) + "\r\n",
             std::string("Authorization: Bearer\r\n"),
             std::string("Authorization: \r\n"),
             "Authorization: Basic " + known + "\r\n",
             "Authorization: " + known + "\r\n",
             "api-key: " + known + "\r\n",
             "Cookie: Authorization=" + known + "\r\n",
             "Authorization: Bearer " + known + "\r\nAuthorization: Bearer " + known + "\r\n",
             "Authorization: Bearer x\r\nAuthorization: Bearer " + known + "\r\n",
         }) {
        const auto answer = ask(proxy, lines);
        BOOST_TEST(answer.status() == 401u, lines);
        BOOST_TEST(answer.header("www-authenticate").value_or("") == "Bearer", lines);
        BOOST_TEST(answer.body.find("\"code\":\"invalid_api_key\"") != std::string::npos, lines);
        BOOST_TEST(answer.body.find(known) == std::string::npos, lines);
    }
    BOOST_TEST(model.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(a_body_is_not_waited_for) {
    answering_model model({ok_answer});
    running_proxy proxy(settings_with_keys(model.port()));
    auto client = proxy.connect();
    client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
    BOOST_TEST(client.read_message().status() == 401u);
}

BOOST_AUTO_TEST_CASE(a_known_key_enters_and_is_consumed) {
    for (const std::string& line :
         {"Authorization: Bearer " + known + "\r\n", "authorization: bearer  " + known + " \r\n"}) {
        answering_model model({ok_answer});
        running_proxy proxy(settings_with_keys(model.port()));
        BOOST_TEST(ask(proxy, line + "X-Api-Key: " + known + "\r\n").status() == 200u);
        const auto asked = model.asked();
        BOOST_REQUIRE(asked.size() == 1u);
        BOOST_TEST(asked[0].head.find(known) == std::string::npos);
        BOOST_TEST(asked[0].header("authorization").value_or("") == "Bearer " + ours);
    }
}

BOOST_AUTO_TEST_CASE(a_known_key_does_not_travel_to_an_upstream_without_one) {
    answering_model model({ok_answer});
    auto settings = settings_with_keys(model.port());
    settings.upstreams[0].api_key.clear();
    running_proxy proxy(settings);
    BOOST_TEST(ask(proxy, "Authorization: Bearer " + known + "\r\n").status() == 200u);
    BOOST_TEST(model.asked()[0].head.find(known) == std::string::npos);
    BOOST_TEST(!model.asked()[0].header("authorization").has_value());
}

BOOST_AUTO_TEST_CASE(a_redirect_is_passed_and_not_followed) {
    answering_model model({"HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\n"
                           "content-length: 0\r\n\r\n"});
    running_proxy proxy(settings_with_keys(model.port()));
    const auto answer = ask(proxy, "Authorization: Bearer " + known + "\r\n");
    BOOST_TEST(answer.status() == 307u);
    BOOST_TEST(model.asked().size() == 1u);
}

BOOST_AUTO_TEST_CASE(without_keys_everybody_enters_with_their_own) {
    answering_model model({ok_answer});
    running_proxy proxy(settings_for(model.port()));
    BOOST_TEST(ask(proxy, "Authorization: Bearer mine\r\n").status() == 200u);
    BOOST_TEST(model.asked()[0].header("authorization").value_or("") == "Bearer mine");
}

BOOST_AUTO_TEST_SUITE_END()
