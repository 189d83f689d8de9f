#include "proxy/base/limits.hpp"
#include "proxy/front/admin_dialog.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

using namespace proxy;
using namespace proxy::front;

namespace {

admin_source source(service_state state = service_state::ready) {
    return {[state] { return state; }, [] { return std::string("unscaffold_x_total 1\n"); }};
}

std::string request(const std::string& line, const std::string& fields = "") {
    return line + " HTTP/1.1\r\nHost: admin\r\n" + fields + "\r\n";
}

std::optional<std::string> answer(const std::string& bytes,
                                  service_state state = service_state::ready) {
    const auto from = source(state);
    return admin_dialog(from).feed(bytes);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string body_of(const std::string& text) {
    return text.substr(text.find("\r\n\r\n") + 4);
}

} // namespace

BOOST_AUTO_TEST_SUITE(admin_dialogs)

BOOST_AUTO_TEST_CASE(each_page_has_its_status_type_and_text) {
    const struct {
        const char* target;
        service_state state;
        const char* status;
        const char* type;
        const char* body;
    } rows[] = {
        {"/livez", service_state::ready, "200 OK", "text/plain", "alive\n"},
        {"/livez", service_state::draining, "200 OK", "text/plain", "alive\n"},
        {"/readyz", service_state::starting, "503 ", "text/plain", "starting\n"},
        {"/readyz", service_state::ready, "200 OK", "text/plain", "ready\n"},
        {"/readyz", service_state::draining, "503 ", "text/plain", "draining\n"},
        {"/readyz?verbose=1", service_state::ready, "200 OK", "text/plain", "ready\n"},
        {"/metrics", service_state::ready, "200 OK", "text/plain; version=0.0.4; charset=utf-8",
         "unscaffold_x_total 1\n"},
        {"/metrics", service_state::draining, "200 OK", "text/plain; version=0.0.4",
         "unscaffold_x_total 1\n"},
        {"/version", service_state::ready, "200 OK", "application/json",
         "{\"name\":\"unscaffold\",\"version\":\"0.1.0\"}\n"},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.target << " " << row.status) {
            const auto text = answer(request(std::string("GET ") + row.target), row.state);
            BOOST_REQUIRE(text);
            BOOST_TEST(text->starts_with(std::string("HTTP/1.1 ") + row.status), *text);
            BOOST_TEST(has(*text, std::string("Content-Type: ") + row.type), *text);
            BOOST_TEST(has(*text, "Cache-Control: no-store\r\n"));
            BOOST_TEST(has(*text, "Connection: close\r\n"));
            BOOST_TEST(body_of(*text) == row.body);
            const auto length = "Content-Length: " + std::to_string(body_of(*text).size()) + "\r\n";
            BOOST_TEST(has(*text, length));
            // HEAD: the same without the body.
            const auto head = answer(request(std::string("HEAD ") + row.target), row.state);
            BOOST_REQUIRE(head);
            BOOST_TEST(*head + row.body == *text);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_a_plain_question_is_refused_with_the_error_object) {
    const std::string long_field = "X-Long: " + std::string(limits::admin_head_bytes_max, 'x');
    const std::string long_target = "/" + std::string(limits::admin_target_bytes_max, 'x');

    const struct {
        const char* what;
        std::string bytes;
        unsigned status;
        const char* code;
    } rows[] = {
        {"another path", request("GET /"), 404, "not_found"},
        {"a path of the API", request("GET /v1/models"), 404, "not_found"},
        {"a page's path with more", request("GET /metrics/"), 404, "not_found"},
        {"another letter case", request("GET /Metrics"), 404, "not_found"},
        {"POST", request("POST /metrics", "Content-Length: 0\r\n"), 405, "method_not_allowed"},
        {"POST with a body", request("POST /livez", "Content-Length: 1\r\n") + "x", 405,
         "method_not_allowed"},
        {"DELETE elsewhere", request("DELETE /nothing"), 405, "method_not_allowed"},
        {"OPTIONS *", request("OPTIONS *"), 405, "method_not_allowed"},
        {"a body", request("GET /livez", "Content-Length: 1\r\n"), 413, "request_too_large"},
        {"a chunked body", request("GET /livez", "Transfer-Encoding: chunked\r\n"), 413,
         "request_too_large"},
        {"two lengths", request("GET /livez", "Content-Length: 0\r\nContent-Length: 1\r\n"), 400,
         "bad_request"},
        {"both framings",
         request("GET /livez", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n"), 400,
         "bad_request"},
        {"no Host", "GET /livez HTTP/1.1\r\n\r\n", 400, "bad_request"},
        {"a bare line feed", "GET /livez HTTP/1.1\nHost: a\n\n", 400, "bad_request"},
        {"a TLS hello", std::string("\x16\x03\x01\x02", 4), 400, "bad_request"},
        {"a large head that goes on", "GET /livez HTTP/1.1\r\nHost: a\r\n" + long_field, 431,
         "headers_too_large"},
        {"a large head", request("GET /livez", long_field + "\r\n"), 431, "headers_too_large"},
        {"a long target", request("GET " + long_target), 414, "target_too_long"},
        {"HTTP/2.0", "GET /livez HTTP/2.0\r\nHost: a\r\n\r\n", 505, "http_version_not_supported"},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            const auto text = answer(row.bytes);
            BOOST_REQUIRE(text);
            BOOST_TEST(text->starts_with("HTTP/1.1 " + std::to_string(row.status) + " "), *text);
            BOOST_TEST(has(body_of(*text), "{\"error\":{\"message\":\""), *text);
            BOOST_TEST(has(body_of(*text), std::string("\"code\":\"") + row.code + "\""), *text);
            BOOST_TEST(has(*text, "Connection: close\r\n"));
            BOOST_TEST(has(*text, "Allow: GET, HEAD\r\n") == (row.status == 405));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_refused_head_request_gets_no_body) {
    const auto text = answer(request("HEAD /nothing"));
    BOOST_REQUIRE(text);
    BOOST_TEST(text->starts_with("HTTP/1.1 404 "));
    BOOST_TEST(text->ends_with("\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(the_answer_does_not_depend_on_how_the_request_is_cut) {
    const auto from = source();
    for (const std::string& bytes :
         {request("GET /metrics"), request("GET /nothing", "A: b\r\n"),
          request("GET /livez", "Content-Length: 0\r\nContent-Length: 1\r\n")}) {
        const auto whole = answer(bytes);
        BOOST_REQUIRE(whole);
        for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
            admin_dialog dialog(from);
            BOOST_TEST(!dialog.feed(std::string_view(bytes).substr(0, cut)));
            BOOST_TEST((dialog.feed(std::string_view(bytes).substr(cut)) == whole));
        }
        admin_dialog slow(from);
        for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
            BOOST_TEST(!slow.feed(std::string_view(bytes).substr(i, 1)));
        }
        BOOST_TEST((slow.feed(std::string_view(bytes).substr(bytes.size() - 1)) == whole));
    }
}

BOOST_AUTO_TEST_CASE(metrics_are_made_only_when_asked_for) {
    int made = 0;
    const admin_source from{[] { return service_state::ready; },
                            [&made] {
                                ++made;
                                return std::string();
                            }};
    for (const char* line : {"GET /livez", "GET /readyz", "POST /metrics", "GET /nothing"}) {
        (void)admin_dialog(from).feed(request(line));
    }
    BOOST_TEST(made == 0);
    (void)admin_dialog(from).feed(request("GET /metrics"));
    BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_SUITE_END()
