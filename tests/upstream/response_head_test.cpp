#include "proxy/upstream/response_head.hpp"

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
    {"not modified with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
     framing::none, 9, true},
    {"answer to HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", framing::none, 9, true,
     true},
    {"interim", "HTTP/1.1 100 Continue\r\n\r\n", framing::none, 0, true},
    {"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", framing::length, 0, true},
    {"empty reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", framing::length, 0, true},
    {"unusual status", "HTTP/1.1 599 Odd\r\nContent-Length: 0\r\n\r\n", framing::length, 0, true},
};

struct bad_row {
    std::string name;
    std::string head;
};

const std::vector<bad_row> bad_rows = {
    {"status 000", "HTTP/1.1 000 X\r\n\r\n"},
    {"status 099", "HTTP/1.1 099 X\r\n\r\n"},
    {"status of two digits", "HTTP/1.1 20 OK\r\n\r\n"},
    {"status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"},
    {"status with a letter", "HTTP/1.1 2a0 OK\r\n\r\n"},
    {"negative status", "HTTP/1.1 -20 OK\r\n\r\n"},
    {"two spaces before the status", "HTTP/1.1  200 OK\r\n\r\n"},
    {"HTTP/2", "HTTP/2.0 200 OK\r\n\r\n"},
    {"HTTP/1.9", "HTTP/1.9 200 OK\r\n\r\n"},
    {"another protocol", "ICY 200 OK\r\n\r\n"},
    {"lower case", "http/1.1 200 OK\r\n\r\n"},
    {"switching protocols", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"},
    {"bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"},
    {"control byte in the reason", "HTTP/1.1 200 O\x01K\r\n\r\n"},
    {"differing lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n"},
    {"differing lengths in a list", "HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\n"},
    {"length with a sign", "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\n"},
    {"negative length", "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n"},
    {"empty length", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n"},
    {"length of hex digits", "HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\n"},
    {"length with a comma at its end", "HTTP/1.1 200 OK\r\nContent-Length: 3,\r\n\r\n"},
    {"length that overflows", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"},
    {"unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"},
    {"two codings", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"},
    {"chunked twice", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
                      "chunked\r\n\r\n"},
    {"identity coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n"},
    {"coding in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {"folded field", "HTTP/1.1 200 OK\r\na: 1\r\n 2\r\n\r\n"},
    {"space before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\n"},
    {"NUL in a value", std::string("HTTP/1.1 200 OK\r\na: \0\r\n\r\n", 24)},
    {"field without a colon", "HTTP/1.1 200 OK\r\nabc\r\n\r\n"},
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
    for (const auto& row : bad_rows) {
        response_head head;
        BOOST_TEST(read_response_head(row.head, false, head) != "", row.name);
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
