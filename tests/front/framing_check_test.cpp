// The gate's table: what a client may send, and every way known to make two readers see two
// different requests in the same bytes.
#include "proxy/front/framing_check.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::front;

namespace {

using namespace std::string_literals;

struct refused_row {
    std::string name;
    std::string head;
    unsigned status = 400;
};

// A POST with a valid Host and the given lines, each ending in CRLF.
std::string post(const std::string& lines) {
    return "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
}

std::string line(const std::string& request_line) {
    return request_line + "\r\nHost: a\r\n\r\n";
}

std::string host(const std::string& lines) {
    return "GET / HTTP/1.1\r\n" + lines + "\r\n";
}

const std::string te = "Transfer-Encoding: ";
const std::string cl = "Content-Length: ";

const std::vector<refused_row> framing_rows = {
    {"length and chunked", post(cl + "4\r\n" + te + "chunked\r\n")},
    {"chunked and length", post(te + "chunked\r\n" + cl + "4\r\n")},
    {"length and unknown coding", post(cl + "4\r\n" + te + "xchunked\r\n")},
    {"length and identity", post(cl + "4\r\n" + te + "identity\r\n")},
    {"length and empty coding", post(cl + "4\r\n" + te + "\r\n")},
    {"unknown coding", post(te + "xchunked\r\n"), 501},
    {"another unknown coding", post(te + "chunkedx\r\n"), 501},
    {"chunked joined to itself", post(te + "chunkedchunked\r\n"), 501},
    {"gzip coding", post(te + "gzip\r\n"), 501},
    {"identity coding", post(te + "identity\r\n"), 501},
    {"empty coding", post(te + "\r\n")},
    {"chunked then identity", post(te + "chunked, identity\r\n")},
    {"identity then chunked", post(te + "identity, chunked\r\n")},
    {"gzip then chunked", post(te + "gzip, chunked\r\n")},
    {"chunked twice in a list", post(te + "chunked, chunked\r\n")},
    {"chunked with a comma behind", post(te + "chunked,\r\n")},
    {"chunked with a comma in front", post(te + ",chunked\r\n")},
    {"chunked with a parameter", post(te + "chunked;q=1\r\n")},
    {"quoted chunked", post(te + "\"chunked\"\r\n")},
    {"single quoted chunked", post(te + "'chunked' x\r\n")},
    {"chunked behind a byte 0xa0", post(te + "\xa0"s + "chunked\r\n")},
    {"chunked before a byte 0xa0", post(te + "chunked\xa0\r\n")},
    {"chunked behind a vertical tab", post(te + "\vchunked\r\n")},
    {"chunked behind a form feed", post(te + "\fchunked\r\n")},
    {"chunked behind a NUL", post(te + "\0chunked\r\n"s)},
    {"chunked before a NUL", post(te + "chunked\0\r\n"s)},
    {"chunked before a bare CR", post(te + "chunked\r\r\n")},
    {"two coding fields", post(te + "chunked\r\n" + te + "chunked\r\n")},
    {"two coding fields, the second unknown", post(te + "chunked\r\n" + te + "x\r\n")},
    {"two coding fields, the first unknown", post(te + "x\r\n" + te + "chunked\r\n")},
    {"folded coding", post("Transfer-Encoding:\r\n chunked\r\n")},
    {"folded coding with a tab", post("Transfer-Encoding:\r\n\tchunked\r\n")},
    {"space before the coding's colon", post("Transfer-Encoding : chunked\r\n")},
    {"tab before the coding's colon", post("Transfer-Encoding\t: chunked\r\n")},
    {"space before the coding's name", post(" Transfer-Encoding: chunked\r\n")},
    {"coding behind a bare LF", post("X: y\nTransfer-Encoding: chunked\r\n")},
    {"coding behind a bare CR", post("X: y\rTransfer-Encoding: chunked\r\n")},
    {"coding behind CR CR LF", post("X: y\r\r\nTransfer-Encoding: chunked\r\n")},
    {"coding with an underscore", post("Transfer_Encoding: chunked\r\n")},
    {"coding with an underscore and a length",
     post("Transfer_Encoding: chunked\r\n" + cl + "4\r\n")},
    {"coding in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\n" + te + "chunked\r\n\r\n"},
    {"length and coding in HTTP/1.0",
     "POST / HTTP/1.0\r\nHost: a\r\n" + cl + "4\r\n" + te + "chunked\r\n\r\n"},
    {"two equal lengths", post(cl + "4\r\n" + cl + "4\r\n")},
    {"two differing lengths", post(cl + "4\r\n" + cl + "5\r\n")},
    {"equal lengths in a list", post(cl + "72, 72\r\n")},
    {"differing lengths in a list", post(cl + "4, 5\r\n")},
    {"length with a plus", post(cl + "+4\r\n")},
    {"length with a minus", post(cl + "-4\r\n")},
    {"length of hex digits", post(cl + "0x4\r\n")},
    {"length of letters", post(cl + "four\r\n")},
    {"length with an exponent", post(cl + "4e0\r\n")},
    {"length with a fraction", post(cl + "4.0\r\n")},
    {"length with an underscore", post(cl + "1_0\r\n")},
    {"length with a space inside", post(cl + "4 4\r\n")},
    {"length with a comma behind", post(cl + "4,\r\n")},
    {"length with a comma in front", post(cl + ",4\r\n")},
    {"empty length", post(cl + "\r\n")},
    {"quoted length", post(cl + "\"4\"\r\n")},
    {"length behind a byte 0xa0", post(cl + "\xa0"s + "4\r\n")},
    {"length behind a vertical tab", post(cl + "\v4\r\n")},
    {"length before a NUL", post(cl + "4\0\r\n"s)},
    {"length past 64 bits", post(cl + "18446744073709551616\r\n")},
    {"length past 64 bits that wraps to four", post(cl + "18446744073709551620\r\n")},
    {"length of 30 digits", post(cl + std::string(30, '9') + "\r\n")},
    {"length of Arabic digits", post(cl + "\xd9\xa4\r\n")},
    {"space before the length's colon", post("Content-Length : 4\r\n")},
    {"length with an underscore in its name", post("Content_Length: 4\r\n")},
    {"folded length", post("Content-Length:\r\n 4\r\n")},
};

const std::vector<refused_row> syntax_rows = {
    {"bare LF heads", "GET / HTTP/1.1\nHost: a\n\n"},
    {"bare LF behind the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"},
    {"bare LF as the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\n"},
    {"bare CR in the request line", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"folded field", host("Host: a\r\nX: y\r\n z\r\n")},
    {"fold on the first field", host(" X: y\r\nHost: a\r\n")},
    {"field without a colon", host("Host: a\r\nabc\r\n")},
    {"field with an empty name", host("Host: a\r\n: x\r\n")},
    {"space inside a name", host("Host: a\r\nX Y: z\r\n")},
    {"space before a colon", host("Host: a\r\nX : y\r\n")},
    {"NUL in a name", host("Host: a\r\nX\0: y\r\n"s)},
    {"NUL in a value", host("Host: a\r\nX: y\0z\r\n"s)},
    {"control byte in a value", host("Host: a\r\nX: \x01\r\n")},
    {"DEL in a value", host("Host: a\r\nX: \x7f\r\n")},
    {"byte above 0x7f in a name", host("Host: a\r\nX\xe9: y\r\n")},
    {"brackets in a name", host("Host: a\r\nX[0]: y\r\n")},
    {"no Host", host("X: y\r\n")},
    {"two Hosts", host("Host: a\r\nHost: b\r\n")},
    {"two equal Hosts", host("Host: a\r\nHost: a\r\n")},
    {"empty Host", host("Host:\r\n")},
    {"Host with a space", host("Host: a b\r\n")},
    {"Host with a path", host("Host: a/b\r\n")},
    {"Host with a user", host("Host: u@a\r\n")},
    {"Host with a query", host("Host: a?b\r\n")},
    {"Host with all of them", host("Host: a/b?c@d\r\n")},
    {"Host with a list", host("Host: a, b:x\r\n")},
    {"Host with a port of letters", host("Host: a:http\r\n")},
    {"Host with a port too long", host("Host: a:123456\r\n")},
    {"Host with two ports", host("Host: a:1:2\r\n")},
    {"Host of a port only", host("Host: :80\r\n")},
    {"Host with an open bracket", host("Host: [::1\r\n")},
    {"Host with text behind brackets", host("Host: [::1]a\r\n")},
    {"Host with letters in brackets", host("Host: [localhost]\r\n")},
    {"Host with a byte above 0x7f", host("Host: \xc3\xa9\r\n")},
    {"Host with a tab", host("Host: a\tb\r\n")},
    {"space before Host's colon", host("Host : a\r\n")},
    {"tab between method and target", line("GET\t/ HTTP/1.1")},
    {"tab between target and version", line("GET /\tHTTP/1.1")},
    {"two spaces behind the method", line("GET  / HTTP/1.1")},
    {"two spaces before the version", line("GET /  HTTP/1.1")},
    {"space in front of the method", line(" GET / HTTP/1.1")},
    {"space behind the version", line("GET / HTTP/1.1 ")},
    {"space in the target", line("GET /a b HTTP/1.1")},
    {"no version", line("GET /")},
    {"method only", line("GET")},
    {"empty request line", "\r\nHost: a\r\n\r\n"},
    {"method with a bracket", line("GE(T / HTTP/1.1")},
    {"method with a NUL", line("GE\0T / HTTP/1.1"s)},
    {"method of 33 letters", line(std::string(33, 'A') + " / HTTP/1.1")},
    {"lower case protocol", line("GET / http/1.1")},
    {"version with a letter", line("GET / HTTP/1.x")},
    {"version without a dot", line("GET / HTTP/11")},
    {"version with three digits", line("GET / HTTP/1.10")},
    {"version with a leading zero", line("GET / HTTP/01.1")},
    {"negative version", line("GET / HTTP/-1.1")},
    {"another protocol", line("GET / SIP/2.0")},
    {"HTTP/0.9", line("GET / HTTP/0.9"), 505},
    {"HTTP/2.0", line("GET / HTTP/2.0"), 505},
    {"HTTP/1.2", line("GET / HTTP/1.2"), 505},
    {"HTTP/9.9", line("GET / HTTP/9.9"), 505},
    {"preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\n", 505},
    {"CONNECT", line("CONNECT a:443 HTTP/1.1"), 405},
    {"TRACE", line("TRACE / HTTP/1.1"), 405},
    {"star for GET", line("GET * HTTP/1.1")},
    {"target without a slash", line("GET v1/models HTTP/1.1")},
    {"target of an authority", line("GET a:80 HTTP/1.1")},
    {"target with a fragment", line("GET /a#b HTTP/1.1")},
    {"target with a control byte", line("GET /a\x01 HTTP/1.1")},
    {"target with a byte above 0x7f", line("GET /\xc3\xa9 HTTP/1.1")},
    {"target with a NUL", line("GET /a\0 HTTP/1.1"s)},
    {"absolute target of another scheme", line("GET ftp://a/b HTTP/1.1")},
    {"absolute target with a user", line("GET http://u:p@a/b HTTP/1.1")},
    {"absolute target without a host", line("GET http:///b HTTP/1.1")},
    {"absolute target without a path", line("GET http://a?b HTTP/1.1")},
    {"Connection lists Host", post("Connection: close, Host\r\n")},
    {"Connection lists Content-Length", post(cl + "4\r\nConnection: content-length\r\n")},
    {"Connection lists Content-Type", post("Connection: Content-Type\r\n")},
    {"Connection lists Authorization", post("Connection: keep-alive,authorization\r\n")},
    {"Connection lists Authorization in a second field",
     post("Connection: close\r\nConnection: Authorization\r\n")},
    {"another expectation", post("Expect: 200-ok\r\n"), 417},
    {"expectation in a list", post("Expect: 100-continue, x\r\n"), 417},
    {"key with an underscore", post("X_Api_Key: k\r\n")},
    {"content type with an underscore", post("Content_Type: text/plain\r\n")},
};

void check_refused(const refused_row& row) {
    request_head head;
    const auto got = check_request_head(row.head, head_limits(), head);
    BOOST_TEST(got.has_value(), row.name);
    if (got) {
        BOOST_TEST(got->status == row.status, row.name << " gives " << got->status);
        BOOST_TEST(!got->message.empty(), row.name);
    }
}

struct taken_row {
    std::string name;
    std::string head;
};

const std::vector<taken_row> taken_rows = {
    {"GET", host("Host: a\r\n")},
    {"Host with a port", host("Host: example.com:8080\r\n")},
    {"Host with an empty port", host("Host: example.com:\r\n")},
    {"IPv4 Host", host("Host: 127.0.0.1:1\r\n")},
    {"IPv6 Host", host("Host: [::1]:8484\r\n")},
    {"IPv6 Host without a port", host("Host: [2001:db8::1]\r\n")},
    {"Host with an underscore", host("Host: my_model\r\n")},
    {"lower case names", post("content-length: 4\r\n")},
    {"spaces around a length", post("Content-Length: \t 4 \r\n")},
    {"length of zero", post(cl + "0\r\n")},
    {"length with leading zeros", post(cl + "0004\r\n")},
    {"chunked in capitals", post(te + "CHUNKED\r\n")},
    {"chunked with spaces around", post(te + " \tchunked \r\n")},
    {"HTTP/1.0 without a Host", "GET / HTTP/1.0\r\n\r\n"},
    {"unknown method", line("PROPFIND / HTTP/1.1")},
    {"star for OPTIONS", line("OPTIONS * HTTP/1.1")},
    {"target with odd but legal bytes", line("GET /a%zz;b=[1]{2}|\"<>^`\\?x=/?& HTTP/1.1")},
    {"absolute target", line("GET http://other:80/v1/models?x=1 HTTP/1.1")},
    {"own underscore names", post("session_id: 1\r\nX_Mine: 2\r\n")},
    {"Connection lists its own", post("Connection: keep-alive, X-Mine, TE\r\n")},
    {"Upgrade", post("Connection: upgrade\r\nUpgrade: h2c\r\n")},
    {"bytes above 0x7f in a value", post("X-Name: \xc3\xa9\r\n")},
};

} // namespace

BOOST_AUTO_TEST_SUITE(framing_gate)

BOOST_AUTO_TEST_CASE(no_request_with_doubtful_framing_passes) {
    for (const auto& row : framing_rows) {
        check_refused(row);
    }
}

BOOST_AUTO_TEST_CASE(no_request_with_doubtful_syntax_passes) {
    for (const auto& row : syntax_rows) {
        check_refused(row);
    }
    BOOST_TEST(framing_rows.size() + syntax_rows.size() > 120u);
}

BOOST_AUTO_TEST_CASE(honest_requests_pass) {
    for (const auto& row : taken_rows) {
        request_head head;
        const auto got = check_request_head(row.head, head_limits(), head);
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
    BOOST_TEST(status("{\"model\"") == 400u);
    BOOST_TEST(status("GET /" + std::string(200, 'a')) == 414u);
    BOOST_TEST(status("GET / HTTP/1.1\r\nX: " + std::string(1'000, 'a')) == 431u);
}

BOOST_AUTO_TEST_SUITE_END()
