#include "proxy/upstream/request_writer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace proxy::upstream;

namespace {

request_parts parts_of(const field_list& fields) {
    request_parts parts;
    parts.method = "POST";
    parts.target = "/v1/chat/completions?x=1";
    parts.fields = &fields;
    parts.authority = "model:8000";
    return parts;
}

bool has(const std::string& head, const std::string& line) {
    return head.find("\r\n" + line + "\r\n") != std::string::npos;
}

const std::string request_line = "POST /v1/chat/completions?x=1 HTTP/1.1\r\nhost: model:8000\r\n";

} // namespace

BOOST_AUTO_TEST_SUITE(request_heads_to_the_upstream)

BOOST_AUTO_TEST_CASE(end_to_end_fields_travel_byte_for_byte_and_in_order) {
    const field_list fields = {
        {"Host", "proxy"}, {"X-Odd", "A  b\tC"}, {"x-stainless-OS", "Linux"}, {"X-Odd", "2"}};
    BOOST_TEST(write_request_head(parts_of(fields)) ==
               request_line + "X-Odd: A  b\tC\r\nx-stainless-OS: Linux\r\nX-Odd: 2\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(framing_and_hop_by_hop_fields_of_the_client_never_travel) {
    const field_list fields = {{"Connection", "keep-alive, X-Private"},
                               {"X-Private", "1"},
                               {"Keep-Alive", "timeout=5"},
                               {"Transfer-Encoding", "chunked"},
                               {"Content-Length", "9"},
                               {"TE", "trailers"},
                               {"Trailer", "x"},
                               {"Upgrade", "h2c"},
                               {"Expect", "100-continue"},
                               {"X-Unscaffold", "off"},
                               {"Proxy-Authorization", "Basic x"},
                               {"Proxy-Connection", "keep-alive"}};
    BOOST_TEST(write_request_head(parts_of(fields)) == request_line + "\r\n");
}

BOOST_AUTO_TEST_CASE(what_clients_say_of_others_passes_where_we_say_nothing) {
    const field_list fields = {
        {"X-Forwarded-For", "1.2.3.4"}, {"Via", "1.1 a"}, {"Forwarded", "for=b"}};
    BOOST_TEST(write_request_head(parts_of(fields)) ==
               request_line + "X-Forwarded-For: 1.2.3.4\r\nVia: 1.1 a\r\nForwarded: for=b\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(the_client_is_told_and_nothing_of_what_it_claims) {
    const field_list fields = {{"Host", "ours:1"},          {"X-Forwarded-For", "1.2.3.4"},
                               {"x-forwarded-host", "lie"}, {"X-Forwarded-Proto", "https"},
                               {"Forwarded", "for=lie"},    {"Via", "1.0 a"}};
    auto parts = parts_of(fields);
    const forwarded_parts of{"10.0.0.7", false, false, false};
    parts.forwarded = &of;
    BOOST_TEST(write_request_head(parts) ==
               request_line + "x-forwarded-for: 10.0.0.7\r\nx-forwarded-proto: http\r\n"
                              "x-forwarded-host: ours:1\r\nvia: 1.0 a, 1.1 unscaffold\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(what_a_trusted_proxy_says_of_its_client_is_kept_and_added_to) {
    const field_list fields = {{"Host", "ours"},
                               {"X-Forwarded-For", "1.2.3.4"},
                               {"X-Forwarded-For", "5.6.7.8"},
                               {"X-Forwarded-Host", "theirs"},
                               {"X-Forwarded-Proto", "http"},
                               {"Forwarded", "for=1.2.3.4"}};
    auto parts = parts_of(fields);
    const forwarded_parts of{"::1", true, true, true};
    parts.forwarded = &of;
    BOOST_TEST(write_request_head(parts) ==
               request_line +
                   "x-forwarded-for: 1.2.3.4, 5.6.7.8, ::1\r\nx-forwarded-proto: http\r\n"
                   "x-forwarded-host: theirs\r\n"
                   "forwarded: for=1.2.3.4, for=\"[::1]\";proto=https\r\n"
                   "via: 1.0 unscaffold\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(a_client_without_an_address_has_none_told) {
    const field_list fields = {};
    auto parts = parts_of(fields);
    const forwarded_parts of{};
    parts.forwarded = &of;
    BOOST_TEST(write_request_head(parts) ==
               request_line + "x-forwarded-proto: http\r\nvia: 1.1 unscaffold\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(the_rest_of_the_way_is_written_once_where_it_is_counted) {
    const field_list fields = {{"Max-Forwards", "7"}};
    auto parts = parts_of(fields);
    BOOST_TEST(write_request_head(parts) == request_line + "Max-Forwards: 7\r\n\r\n");
    parts.max_forwards = 6;
    BOOST_TEST(write_request_head(parts) == request_line + "max-forwards: 6\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(one_content_length_is_written_for_a_body_also_an_empty_one) {
    const field_list fields = {{"content-length", "1"}};
    auto parts = parts_of(fields);
    parts.has_body = true;
    parts.body_bytes = 1234;
    BOOST_TEST(write_request_head(parts) == request_line + "content-length: 1234\r\n\r\n");
    parts.body_bytes = 0;
    BOOST_TEST(write_request_head(parts) == request_line + "content-length: 0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(only_a_request_whose_answer_is_read_asks_for_identity) {
    const field_list fields = {{"Accept-Encoding", "gzip, br"}};
    auto parts = parts_of(fields);
    BOOST_TEST(has(write_request_head(parts), "Accept-Encoding: gzip, br"));
    parts.identity_only = true;
    BOOST_TEST(write_request_head(parts) == request_line + "accept-encoding: identity\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(the_clients_own_credential_goes_before_ours) {
    const field_list with = {{"Authorization", "Bearer client"}};
    const field_list other_spelling = {{"api-key", "client"}};
    const field_list without = {{"Cookie", "a=b"}};
    auto parts = parts_of(with);
    parts.api_key = "ours";
    BOOST_TEST(write_request_head(parts) == request_line + "Authorization: Bearer client\r\n\r\n");
    parts.fields = &other_spelling;
    BOOST_TEST(write_request_head(parts) == request_line + "api-key: client\r\n\r\n");
    parts.fields = &without;
    BOOST_TEST(write_request_head(parts) ==
               request_line + "Cookie: a=b\r\nauthorization: Bearer ours\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(an_overriding_key_replaces_the_clients) {
    const field_list fields = {{"Authorization", "Bearer client"}, {"x-api-key", "client"}};
    auto parts = parts_of(fields);
    parts.api_key = "ours";
    parts.key_always = true;
    BOOST_TEST(write_request_head(parts) == request_line + "authorization: Bearer ours\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(another_upstream_never_gets_the_clients_credentials) {
    const field_list fields = {{"Authorization", "Bearer client"},
                               {"API-Key", "client"},
                               {"X-Api-Key", "client"},
                               {"Cookie", "session=client"},
                               {"accept", "*/*"}};
    auto parts = parts_of(fields);
    parts.foreign = true;
    BOOST_TEST(write_request_head(parts) == request_line + "accept: */*\r\n\r\n");
    parts.api_key = "second";
    BOOST_TEST(write_request_head(parts) ==
               request_line + "accept: */*\r\nauthorization: Bearer second\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(a_correction_drops_what_describes_the_clients_own_bytes) {
    const field_list fields = {{"Idempotency-Key", "1"}, {"Content-Encoding", "gzip"},
                               {"Content-MD5", "x"},     {"Digest", "x"},
                               {"Content-Digest", "x"},  {"Signature", "x"},
                               {"Signature-Input", "x"}, {"content-type", "application/json"}};
    auto parts = parts_of(fields);
    BOOST_TEST(has(write_request_head(parts), "Idempotency-Key: 1"));
    parts.changed_body = true;
    BOOST_TEST(write_request_head(parts) ==
               request_line + "content-type: application/json\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(the_request_id_is_the_clients_or_ours) {
    const field_list none;
    const field_list one = {{"X-Request-Id", "client"}};
    auto parts = parts_of(none);
    parts.request_id = "minted";
    BOOST_TEST(write_request_head(parts) == request_line + "x-request-id: minted\r\n\r\n");
    parts.fields = &one;
    BOOST_TEST(write_request_head(parts) == request_line + "X-Request-Id: client\r\n\r\n");
}

BOOST_AUTO_TEST_SUITE_END()
