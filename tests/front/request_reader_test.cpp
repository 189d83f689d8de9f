#include "proxy/front/request_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace proxy::front;

using progress = request_reader::progress;

namespace {

const std::string get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
const std::string post = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
const std::string chunked = "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                            "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nHost: evil\r\n\r\n";

request_reader reader() {
    static const client_keys everybody;
    static body_memory memory(1'000'000);
    static const request_rules rules{head_limits(), 1'000, everybody, memory};
    return request_reader(rules);
}

} // namespace

BOOST_AUTO_TEST_SUITE(request_reading)

BOOST_AUTO_TEST_CASE(three_requests_in_a_row_are_read_at_every_split) {
    const std::string wire = get + post + chunked;
    for (std::size_t cut = 0; cut <= wire.size(); ++cut) {
        auto read = reader();
        std::string seen;
        for (const auto& bytes : {wire.substr(0, cut), wire.substr(cut)}) {
            auto result = read.feed(bytes);
            while (result == progress::ready) {
                const auto request = read.take();
                seen += std::string(request->head.target) + ":" + request->body + " ";
                BOOST_TEST(request->head.fields[0].value == "x");
                result = read.feed("");
            }
            BOOST_TEST((result == progress::more));
        }
        BOOST_TEST(seen == "/a: /b:hello /c:hello ", "cut at " << cut);
        BOOST_TEST(read.idle());
    }
}

BOOST_AUTO_TEST_CASE(a_request_may_come_byte_by_byte) {
    auto read = reader();
    for (std::size_t i = 0; i + 1 < chunked.size(); ++i) {
        BOOST_TEST((read.feed(chunked.substr(i, 1)) == progress::more));
    }
    BOOST_TEST((read.feed(chunked.substr(chunked.size() - 1)) == progress::ready));
    BOOST_TEST(read.take()->body == "hello");
}

BOOST_AUTO_TEST_CASE(trailers_never_become_fields) {
    auto read = reader();
    BOOST_REQUIRE((read.feed(chunked) == progress::ready));
    const auto request = read.take();
    BOOST_TEST(request->head.fields.size() == 2u);
}

BOOST_AUTO_TEST_CASE(bytes_kept_while_answering_are_the_next_request) {
    auto read = reader();
    BOOST_REQUIRE((read.feed(get) == progress::ready));
    (void)read.take();
    read.keep(post.substr(0, 10));
    read.keep(post.substr(10));
    BOOST_TEST(read.kept() == post.size());
    BOOST_REQUIRE((read.feed("") == progress::ready));
    BOOST_TEST(read.take()->body == "hello");
}

BOOST_AUTO_TEST_CASE(one_empty_line_in_front_is_forgiven_and_no_second) {
    for (std::size_t cut = 0; cut <= 4; ++cut) {
        auto read = reader();
        const std::string wire = "\r\n" + get;
        (void)read.feed(wire.substr(0, cut));
        BOOST_TEST((read.feed(wire.substr(cut)) == progress::ready), "cut at " << cut);
    }
    auto read = reader();
    BOOST_TEST((read.feed("\r\n\r\n" + get) == progress::refused));
    BOOST_TEST(read.why().status == 400u);
}

BOOST_AUTO_TEST_CASE(a_declared_body_over_the_limit_is_refused_before_it_comes) {
    auto read = reader();
    BOOST_TEST((read.feed("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n") ==
                progress::refused));
    BOOST_TEST(read.why().status == 413u);
    auto fits = reader();
    BOOST_TEST((fits.feed("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n") ==
                progress::more));
}

BOOST_AUTO_TEST_CASE(a_chunked_body_over_the_limit_is_refused_when_it_passes_it) {
    auto read = reader();
    BOOST_TEST((read.feed("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n") ==
                progress::more));
    const std::string part = "1f4\r\n" + std::string(500, 'a') + "\r\n";
    BOOST_TEST((read.feed(part) == progress::more));
    BOOST_TEST((read.feed(part) == progress::more));
    BOOST_TEST(read.body_bytes() == 1'000u);
    BOOST_TEST((read.feed("1\r\na\r\n0\r\n\r\n") == progress::refused));
    BOOST_TEST(read.why().status == 413u);
}

BOOST_AUTO_TEST_CASE(a_broken_chunk_is_a_bad_request) {
    auto read = reader();
    BOOST_TEST(
        (read.feed("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") ==
         progress::refused));
    BOOST_TEST(read.why().status == 400u);
}

BOOST_AUTO_TEST_CASE(a_client_that_waits_for_100_is_told_once) {
    const std::string head =
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    auto waits = reader();
    BOOST_TEST((waits.feed(head) == progress::more));
    BOOST_TEST(waits.wants_continue());
    BOOST_TEST(!waits.wants_continue());
    BOOST_TEST((waits.feed("hi") == progress::ready));
    auto sends = reader();
    BOOST_TEST((sends.feed(head + "h") == progress::more));
    BOOST_TEST(!sends.wants_continue());
}

BOOST_AUTO_TEST_CASE(garbage_is_refused_at_its_first_byte) {
    auto read = reader();
    BOOST_TEST((read.feed("\x16\x03\x01") == progress::refused));
}

BOOST_AUTO_TEST_CASE(an_endless_head_is_refused_at_the_limit) {
    auto read = reader();
    auto result = read.feed("GET / HTTP/1.1\r\nHost: x\r\n");
    const std::string line = "X: " + std::string(1'000, 'a') + "\r\n";
    std::size_t lines = 0;
    while (result == progress::more && lines < 1'000) {
        result = read.feed(line);
        ++lines;
    }
    BOOST_TEST((result == progress::refused));
    BOOST_TEST(read.why().status == 431u);
    BOOST_TEST(lines < 70u);
}

BOOST_AUTO_TEST_SUITE_END()
