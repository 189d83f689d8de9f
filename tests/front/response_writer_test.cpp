#include "proxy/front/response_writer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace proxy;
using namespace proxy::front;

namespace {

// The views of a head point into its text: literals and constants live long enough.
upstream::response_head read(std::string_view text, bool to_head = false) {
    upstream::response_head head;
    BOOST_REQUIRE(upstream::read_response_head(text, to_head, head) == "");
    return head;
}

const std::string with_length = "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\n";
const std::string chunked = "HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n";

} // namespace

BOOST_AUTO_TEST_SUITE(response_heads_to_the_client)

BOOST_AUTO_TEST_CASE(the_framing_fits_both_sides) {
    const auto length = read(with_length);
    const auto parts = read(chunked);
    const auto none = read("HTTP/1.1 204 No Content\r\n\r\n");
    BOOST_TEST((choose_framing(length, false, false) == answer_framing::length));
    BOOST_TEST((choose_framing(length, true, false) == answer_framing::length));
    BOOST_TEST((choose_framing(length, false, true) == answer_framing::chunked));
    BOOST_TEST((choose_framing(length, true, true) == answer_framing::close));
    BOOST_TEST((choose_framing(parts, false, false) == answer_framing::chunked));
    BOOST_TEST((choose_framing(parts, true, false) == answer_framing::close));
    BOOST_TEST((choose_framing(none, true, true) == answer_framing::none));
}

BOOST_AUTO_TEST_CASE(fields_travel_byte_for_byte_under_our_framing) {
    BOOST_TEST(write_response_head(read(with_length), {answer_framing::length}) ==
               "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-length: 3\r\n\r\n");
    BOOST_TEST(write_response_head(read(chunked), {answer_framing::chunked}) ==
               "HTTP/1.1 200 Fine\r\nX-A: b\r\ntransfer-encoding: chunked\r\n\r\n");
    BOOST_TEST(write_response_head(read(chunked), {answer_framing::close, true}) ==
               "HTTP/1.1 200 Fine\r\nX-A: b\r\nconnection: close\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(an_edited_answer_loses_its_length) {
    BOOST_TEST(write_response_head(read(with_length), {answer_framing::chunked}) ==
               "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ntransfer-encoding: chunked\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(an_answer_without_a_body_tells_at_most_one_length) {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    const std::string length = "Content-Length: 3\r\n";
    const std::string told = ok + "content-length: 3\r\n\r\n";

    struct row {
        std::string name;
        std::string head;
        std::string written;
    };

    const std::vector<row> rows = {
        {"a length", ok + length + "\r\n", told},
        {"two equal ones", ok + length + length + "\r\n", told},
        {"a list of equal ones", ok + "Content-Length: 3, 3\r\n\r\n", told},
        {"a length beside a coding", ok + length + "Transfer-Encoding: chunked\r\n\r\n",
         ok + "\r\n"},
        {"none", ok + "\r\n", ok + "\r\n"},
        {"a 304 with one", "HTTP/1.1 304 X\r\n" + length + "\r\n",
         "HTTP/1.1 304 X\r\ncontent-length: 3\r\n\r\n"},
        {"a 204 with one", "HTTP/1.1 204 X\r\n" + length + "\r\n", "HTTP/1.1 204 X\r\n\r\n"},
        {"a 204 with zero", "HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n",
         "HTTP/1.1 204 X\r\n\r\n"},
    };
    for (const auto& each : rows) {
        BOOST_TEST(write_response_head(read(each.head, true), {answer_framing::none}) ==
                       each.written,
                   each.name);
    }
}

BOOST_AUTO_TEST_CASE(fields_of_the_upstreams_own_connection_stay_behind) {
    const auto head = read("HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\n"
                           "Keep-Alive: timeout=5\r\nProxy-Authenticate: x\r\nUpgrade: h2\r\n"
                           "Trailer: x\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(write_response_head(head, {answer_framing::length}) ==
               "HTTP/1.1 200 OK\r\nRetry-After: 3\r\ncontent-length: 0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(a_stream_is_marked_as_one_where_the_upstream_did_not) {
    answer_plan plan{answer_framing::chunked};
    plan.is_stream = true;
    BOOST_TEST(write_response_head(read("HTTP/1.1 200 OK\r\n\r\n"), plan) ==
               "HTTP/1.1 200 OK\r\ncache-control: no-cache\r\nx-accel-buffering: no\r\n"
               "transfer-encoding: chunked\r\n\r\n");
    const auto marked =
        read("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\n\r\n");
    BOOST_TEST(write_response_head(marked, plan) ==
               "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\n"
               "transfer-encoding: chunked\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(a_content_coding_is_told_unless_it_was_undone) {
    const auto head = read("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
    answer_plan plan{answer_framing::chunked};
    BOOST_TEST(write_response_head(head, plan) ==
               "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n");
    plan.decoded = true;
    BOOST_TEST(write_response_head(head, plan) ==
               "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(no_digest_and_no_validator_stays_on_a_body_that_may_be_another) {
    const std::string text =
        "HTTP/1.1 200 OK\r\nContent-MD5: a\r\nDigest: b\r\nContent-Digest: c\r\n"
        "Repr-Digest: d\r\nETag: e\r\nAccept-Ranges: bytes\r\nX: y\r\n\r\n";
    answer_plan plan{answer_framing::close};
    BOOST_TEST(write_response_head(read(text), plan) == text);
    plan.edited = true;
    BOOST_TEST(write_response_head(read(text), plan) == "HTTP/1.1 200 OK\r\nX: y\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(the_upstreams_date_goes_before_ours) {
    answer_plan plan{answer_framing::length};
    plan.date = "ours";
    const auto without = read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const auto with = read("HTTP/1.1 200 OK\r\ndate: theirs\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(write_response_head(without, plan) ==
               "HTTP/1.1 200 OK\r\ndate: ours\r\ncontent-length: 0\r\n\r\n");
    BOOST_TEST(write_response_head(with, plan) ==
               "HTTP/1.1 200 OK\r\ndate: theirs\r\ncontent-length: 0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(the_upstreams_request_id_goes_before_ours) {
    answer_plan plan{answer_framing::length};
    plan.request_id = "ours";
    const auto without = read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const auto with = read("HTTP/1.1 200 OK\r\nX-Request-ID: theirs\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(write_response_head(without, plan) ==
               "HTTP/1.1 200 OK\r\nx-request-id: ours\r\ncontent-length: 0\r\n\r\n");
    BOOST_TEST(write_response_head(with, plan) ==
               "HTTP/1.1 200 OK\r\nX-Request-ID: theirs\r\ncontent-length: 0\r\n\r\n");
}

BOOST_AUTO_TEST_SUITE_END()
