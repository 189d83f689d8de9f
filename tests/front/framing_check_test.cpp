// The gate's table: what a client may send, and every way known to make two readers see two
// different requests in the same bytes.
#include "proxy/front/framing_check.hpp"

#include "tests/support/framing_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::front;

namespace {

std::string line(const std::string& request_line) {
    return request_line + "\r\nHost: a\r\n\r\n";
}

std::string host(const std::string& lines) {
    return "GET / HTTP/1.1\r\n" + lines + "\r\n";
}

void check_refused(const tests::refused_head& row) {
    request_head head;
    const auto got = check_request_head(row.bytes, head_limits(), head);
    BOOST_TEST(got.has_value(), row.name);
    if (got) {
        BOOST_TEST(got->status == row.status, row.name << " gives " << got->status);
        BOOST_TEST(!got->message.empty(), row.name);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(framing_gate)

BOOST_AUTO_TEST_CASE(no_request_with_doubtful_framing_passes) {
    for (const auto& row : tests::doubtful_framing()) {
        check_refused(row);
    }
}

BOOST_AUTO_TEST_CASE(no_request_with_doubtful_syntax_passes) {
    for (const auto& row : tests::doubtful_syntax()) {
        check_refused(row);
    }
    BOOST_TEST(tests::doubtful_framing().size() + tests::doubtful_syntax().size() > 120u);
}

BOOST_AUTO_TEST_CASE(honest_requests_pass) {
    for (const auto& row : tests::honest_heads()) {
        request_head head;
        const auto got = check_request_head(row.bytes, head_limits(), head);
        BOOST_TEST(!got.has_value(), row.name << ": " << (got ? got->message : ""));
    }
}

BOOST_AUTO_TEST_CASE(a_head_is_read_into_views) {
    const std::string text = "POST /v1/x?y=%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n"
                             "Expect: 100-Continue\r\n\r\n";
    request_head head;
    BOOST_REQUIRE(!check_request_head(text, head_limits(), head));
    BOOST_TEST(head.method == "POST");
    BOOST_TEST(head.target == "/v1/x?y=%20");
    BOOST_TEST(head.fields.size() == 3u);
    BOOST_TEST((head.framing == upstream::framing::length));
    BOOST_TEST(head.content_length == 12u);
    BOOST_TEST(head.expects_continue);
    BOOST_TEST(head.keep_alive);
}

BOOST_AUTO_TEST_CASE(the_authority_of_an_absolute_target_is_dropped) {
    request_head head;
    const auto with_path = line("GET http://evil:1/v1/m?q HTTP/1.1");
    BOOST_REQUIRE(!check_request_head(with_path, head_limits(), head));
    BOOST_TEST(head.target == "/v1/m?q");
    const auto without = line("GET http://evil HTTP/1.1");
    BOOST_REQUIRE(!check_request_head(without, head_limits(), head));
    BOOST_TEST(head.target == "/");
    const auto query_only = line("OPTIONS http://evil?q HTTP/1.1");
    BOOST_REQUIRE(!check_request_head(query_only, head_limits(), head));
    BOOST_TEST(head.target == "?q"); // its path is put in for the upstream
    const auto whole_server = line("OPTIONS http://evil HTTP/1.1");
    BOOST_REQUIRE(!check_request_head(whole_server, head_limits(), head));
    BOOST_TEST(head.target == "*");
}

BOOST_AUTO_TEST_CASE(keep_alive_follows_version_and_connection) {
    const std::vector<std::pair<std::string, bool>> rows = {
        {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", true},
        {"GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n", false},
        {"GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", true},
        {"GET / HTTP/1.0\r\nHost: a\r\n\r\n", false},
        {"GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", false},
    };
    for (const auto& [text, expected] : rows) {
        request_head head;
        BOOST_REQUIRE(!check_request_head(text, head_limits(), head));
        BOOST_TEST(head.keep_alive == expected, text);
    }
}

BOOST_AUTO_TEST_CASE(sizes_are_bounded_with_their_own_statuses) {
    const head_limits bounds{1'000, 5, 100};
    request_head head;
    const auto status = [&](const std::string& text) {
        const auto got = check_request_head(text, bounds, head);
        return got ? got->status : 0U;
    };
    BOOST_TEST(status(line("GET /" + std::string(99, 'a') + " HTTP/1.1")) == 0u);
    BOOST_TEST(status(line("GET /" + std::string(100, 'a') + " HTTP/1.1")) == 414u);
    BOOST_TEST(status(line("GET /" + std::string(2'000, 'a') + " HTTP/1.1")) == 414u);
    BOOST_TEST(status(host("Host: a\r\n1: a\r\n2: a\r\n3: a\r\n4: a\r\n")) == 0u);
    BOOST_TEST(status(host("Host: a\r\n1: a\r\n2: a\r\n3: a\r\n4: a\r\n5: a\r\n")) == 431u);
    BOOST_TEST(status(host("Host: a\r\nX: " + std::string(2'000, 'a') + "\r\n")) == 431u);
}

BOOST_AUTO_TEST_CASE(an_unfinished_head_is_refused_as_soon_as_that_is_certain) {
    const head_limits bounds{1'000, 5, 100};
    const auto status = [&](const std::string& text) {
        const auto got = check_partial_head(text, bounds);
        return got ? got->status : 0U;
    };
    BOOST_TEST(status("") == 0u);
    BOOST_TEST(status("GET / HTTP/1.1\r\nHost") == 0u);
    BOOST_TEST(status("\x16\x03\x01\x02") == 400u);
    BOOST_TEST(status("\n") == 400u);
    BOOST_TEST(status("GET /\r\n") == 400u); // HTTP/0.9
    BOOST_TEST(status("GET /\r") == 0u);
    BOOST_TEST(status("GET / HTTP/2.0\r\nHost") == 505u);
    BOOST_TEST(status("GET / HTTP/1.1\n") == 400u);
    BOOST_TEST(status("CONNECT a:443 HTTP/1.1\r\n") == 405u);
    BOOST_TEST(status("GET /" + std::string(100, 'a') + " HTTP/1.1\r\n") == 414u);
    BOOST_TEST(status("{\"model\"") == 400u);
    BOOST_TEST(status("GET /" + std::string(200, 'a')) == 414u);
    BOOST_TEST(status("GET / HTTP/1.1\r\nX: " + std::string(1'000, 'a')) == 431u);
}

BOOST_AUTO_TEST_SUITE_END()
