#include "proxy/front/error_answer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace proxy::front;

namespace {

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string written(unsigned status) {
    error_answer error;
    error.status = status;
    error.message = "Said \"so\".";
    return write_error(error);
}

} // namespace

BOOST_AUTO_TEST_SUITE(error_answers)

BOOST_AUTO_TEST_CASE(every_status_of_ours_has_its_own_code_and_all_four_members) {
    for (const auto status :
         {400u, 404u, 405u, 408u, 413u, 414u, 417u, 431u, 501u, 502u, 503u, 504u, 505u}) {
        const auto text = written(status);
        BOOST_TEST(text.starts_with("HTTP/1.1 " + std::to_string(status) + " "));
        BOOST_TEST(usual_code(status) != "internal_error");
        BOOST_TEST(has(text, "\"code\":\"" + std::string(usual_code(status)) + "\""));
        BOOST_TEST(has(text, R"("message":"Said \"so\".")"));
        BOOST_TEST(has(text, R"("type":")"));
        BOOST_TEST(has(text, R"("param":null)"));
        BOOST_TEST(has(text, "application/json"));
        BOOST_TEST(has(text, "\r\nDate: "));
    }
    BOOST_TEST(usual_code(599) == "internal_error");
}

BOOST_AUTO_TEST_CASE(the_length_is_the_bodys_also_where_no_body_follows) {
    error_answer error;
    error.status = 502;
    error.message = "x";
    const auto whole = write_error(error);
    const auto body = whole.substr(whole.find("\r\n\r\n") + 4);
    const auto length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
    BOOST_TEST(has(whole, length));
    error.head_only = true;
    const auto head = write_error(error);
    BOOST_TEST(has(head, length));
    BOOST_TEST(head.ends_with("\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(what_a_client_should_do_next_is_said) {
    BOOST_TEST(has(written(503), "Retry-After: "));
    BOOST_TEST(!has(written(502), "Retry-After: "));
    BOOST_TEST(!has(written(502), "Connection: close"));
    error_answer error;
    error.status = 502;
    error.code = "malformed_reply";
    error.close = true;
    error.final_word = true;
    error.request_id = "abc";
    const auto text = write_error(error);
    BOOST_TEST(has(text, "Connection: close\r\n"));
    BOOST_TEST(has(text, "x-should-retry: false\r\n"));
    BOOST_TEST(has(text, "x-request-id: abc\r\n"));
    BOOST_TEST(has(text, "\"code\":\"malformed_reply\""));
}

BOOST_AUTO_TEST_SUITE_END()
