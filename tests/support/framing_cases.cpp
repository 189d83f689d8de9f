#include "tests/support/framing_cases.hpp"

namespace tests {

namespace {

using namespace std::string_literals;

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

} // namespace

const std::vector<refused_head>& doubtful_framing() {
    static const std::vector<refused_head> rows = {
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
    return rows;
}

const std::vector<refused_head>& doubtful_syntax() {
    static const std::vector<refused_head> rows = {
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
        {"Host with a port past 65535", host("Host: a:65536\r\n")},
        {"Host with a broken escape", host("Host: a%zz\r\n")},
        {"Host with half an escape", host("Host: a%4\r\n")},
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
    return rows;
}

const std::vector<framing_case>& honest_heads() {
    static const std::vector<framing_case> rows = {
        {"GET", host("Host: a\r\n")},
        {"Host with a port", host("Host: example.com:8080\r\n")},
        {"Host with an empty port", host("Host: example.com:\r\n")},
        {"Host with the last port", host("Host: example.com:65535\r\n")},
        {"Host with an escape", host("Host: a%41b\r\n")},
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
        {"absolute target without a path", line("GET http://a?b HTTP/1.1")},
        {"absolute target", line("GET http://other:80/v1/models?x=1 HTTP/1.1")},
        {"own underscore names", post("session_id: 1\r\nX_Mine: 2\r\n")},
        {"Connection lists its own", post("Connection: keep-alive, X-Mine, TE\r\n")},
        {"Upgrade", post("Connection: upgrade\r\nUpgrade: h2c\r\n")},
        {"bytes above 0x7f in a value", post("X-Name: \xc3\xa9\r\n")},
    };
    return rows;
}

const std::vector<chunked_body>& good_chunked_bodies() {
    static const std::vector<chunked_body> rows = {
        {"one chunk", "5\r\nhello\r\n0\r\n\r\n", "hello"},
        {"two chunks", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"},
        {"no data", "0\r\n\r\n", ""},
        {"upper and lower case hex", "A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n",
         "01234567890123456789"},
        {"leading zeros", "0005\r\nhello\r\n000\r\n\r\n", "hello"},
        {"extension behind white space", "5; \ta=b\r\nhello\r\n0\r\n\r\n", "hello"},
        {"extensions", "5;a=b;c=\"d e\"\r\nhello\r\n0;x\r\n\r\n", "hello"},
        {"trailers", "5\r\nhello\r\n0\r\nAuthorization: x\r\nHost: evil\r\n\r\n", "hello"},
        {"line ends inside data", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"},
        {"bytes behind the message", "1\r\na\r\n0\r\n\r\nGET / HTTP/1.1", "a", "GET / HTTP/1.1"},
    };
    return rows;
}

const std::vector<framing_case>& bad_chunked_bodies() {
    static const std::vector<framing_case> rows = {
        {"empty size", "\r\nhello\r\n0\r\n\r\n"},
        {"size with a sign", "+5\r\nhello\r\n0\r\n\r\n"},
        {"negative size", "-5\r\nhello\r\n0\r\n\r\n"},
        {"size with 0x", "0x5\r\nhello\r\n0\r\n\r\n"},
        {"size with a letter beyond f", "g\r\nhello\r\n0\r\n\r\n"},
        {"size with an underscore", "1_0\r\nhello\r\n0\r\n\r\n"},
        {"space in front of the size", " 5\r\nhello\r\n0\r\n\r\n"},
        {"space behind the size", "5 \r\nhello\r\n0\r\n\r\n"},
        {"tab behind the size", "5\t\r\nhello\r\n0\r\n\r\n"},
        {"size of 16 digits", "0000000000000005\r\nhello\r\n0\r\n\r\n"},
        {"size that overflows 64 bits", "10000000000000005\r\nhello\r\n0\r\n\r\n"},
        {"size of all f", "ffffffffffffffff\r\nhello\r\n0\r\n\r\n"},
        {"bare LF behind the size", "5\nhello\r\n0\r\n\r\n"},
        {"bare CR behind the size", "5\rhello\r\n0\r\n\r\n"},
        {"extension without a name", "5;\r\nhello\r\n0\r\n\r\n"},
        {"extension of white space", "5; \t\r\nhello\r\n0\r\n\r\n"},
        {"LF in an extension", "5;a\nb\r\nhello\r\n0\r\n\r\n"},
        {"CR in an extension", "5;a\rb\r\nhello\r\n0\r\n\r\n"},
        {"NUL in an extension", "5;a\0b\r\nhello\r\n0\r\n\r\n"s},
        {"data longer than its size", "4\r\nhello\r\n0\r\n\r\n"},
        {"data shorter than its size", "6\r\nhello\r\n0\r\n\r\n"},
        {"no CRLF behind the data", "5\r\nhello0\r\n\r\n"},
        {"bare LF behind the data", "5\r\nhello\n0\r\n\r\n"},
        {"bare CR behind the data", "5\r\nhello\r0\r\n\r\n"},
        {"bare LF as the last line", "5\r\nhello\r\n0\r\n\n"},
        {"bare LF behind the last size", "5\r\nhello\r\n0\n\r\n"},
        {"folded trailer", "0\r\na: 1\r\n b\r\n\r\n"},
        {"trailer without a colon", "0\r\nabc\r\n\r\n"},
        {"trailer with a space before the colon", "0\r\na : 1\r\n\r\n"},
        {"trailer with a bare LF", "0\r\na: 1\n\r\n"},
        {"trailer with a NUL", "0\r\na: \0\r\n\r\n"s},
        {"trailer with an empty name", "0\r\n: 1\r\n\r\n"},
    };
    return rows;
}

const std::vector<framing_case>& bad_answer_heads() {
    static const std::vector<framing_case> rows = {
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
        {"length that overflows",
         "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"},
        {"unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"},
        {"two codings", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"},
        {"chunked twice", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
                          "chunked\r\n\r\n"},
        {"identity coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n"},
        {"coding in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {"folded field", "HTTP/1.1 200 OK\r\na: 1\r\n 2\r\n\r\n"},
        {"space before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\n"},
        {"NUL in a value", "HTTP/1.1 200 OK\r\na: \0\r\n\r\n"s},
        {"field without a colon", "HTTP/1.1 200 OK\r\nabc\r\n\r\n"},
    };
    return rows;
}

} // namespace tests
