#include "proxy/upstream/response_head.hpp"

#include "tests/support/framing_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy::upstream;

namespace {

struct good_row {
    std::string name;
    std::string head;
    framing kind;
    std::uint64_t length;
    bool reusable;
    bool to_head = false;
};

const std::vector<good_row> good_rows = {
    {"length", "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n", framing::length, 12, true},
    {"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n", framing::chunked, 0, true},
    {"neither", "HTTP/1.1 200 OK\r\n\r\n", framing::until_close, 0, false},
    {"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n", framing::length, 1, false},
    {"HTTP/1.0 kept", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\n",
     framing::length, 1, true},
    {"asked to close", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: x, Close\r\n\r\n",
     framing::length, 1, false},
    {"coding beats length and spoils the connection",
     "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", framing::chunked,
     3, false},
    {"equal lengths in one field", "HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\n",
     framing::length, 3, true},
    {"equal lengths in two fields",
     "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", framing::length, 3,
     false},
    {"no content", "HTTP/1.1 204 No Content\r\n\r\n", framing::none, 0, true},
    {"no content of no length", "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
     framing::none, 0, true},
    {"no content that announces some", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
     framing::none, 5, false},
    {"no content that announces chunks",
     "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", framing::none, 0, false},
    {"not modified with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
     framing::none, 9, true},
    {"answer to HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", framing::none, 9, true,
     true},
    {"interim", "HTTP/1.1 100 Continue\r\n\r\n", framing::none, 0, true},
    {"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", framing::length, 0, true},
    {"empty reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", framing::length, 0, true},
    {"unusual status", "HTTP/1.1 599 Odd\r\nContent-Length: 0\r\n\r\n", framing::length, 0, true},
};

} // namespace

BOOST_AUTO_TEST_SUITE(response_heads)

BOOST_AUTO_TEST_CASE(the_framing_of_an_answer_follows_its_head) {
    for (const auto& row : good_rows) {
        response_head head;
        BOOST_TEST(read_response_head(row.head, row.to_head, head) == "", row.name);
        BOOST_TEST(static_cast<int>(head.framing) == static_cast<int>(row.kind), row.name);
        BOOST_TEST(head.content_length == row.length, row.name);
        BOOST_TEST(head.reusable == row.reusable, row.name);
    }
}

BOOST_AUTO_TEST_CASE(what_could_be_read_in_two_ways_is_refused) {
    for (const auto& row : ::tests::bad_answer_heads()) {
        response_head head;
        BOOST_TEST(read_response_head(row.bytes, false, head) != "", row.name);
    }
}

BOOST_AUTO_TEST_CASE(a_thousand_lines_are_taken_and_not_one_more) {
    std::string lines;
    for (int i = 0; i < 1'000; ++i) {
        lines += "a: b\r\n";
    }
    response_head head;
    BOOST_TEST(read_response_head("HTTP/1.1 200 OK\r\n" + lines + "\r\n", false, head) == "");
    BOOST_TEST(read_response_head("HTTP/1.1 200 OK\r\na: b\r\n" + lines + "\r\n", false, head) !=
               "");
}

BOOST_AUTO_TEST_CASE(status_and_reason_are_read) {
    response_head head;
    const std::string text = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n";
    BOOST_TEST(read_response_head(text, false, head) == "");
    BOOST_TEST(head.status == 429u);
    BOOST_TEST(head.reason == "Too Many Requests");
    BOOST_TEST(!head.interim());
}

BOOST_AUTO_TEST_SUITE_END()
