#include "proxy/chat/error_object.hpp"
#include "proxy/json/scan.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using proxy::chat::error_json;
using proxy::chat::error_message;
using proxy::chat::nested_error;

} // namespace

BOOST_AUTO_TEST_SUITE(error_object)

BOOST_AUTO_TEST_CASE(the_second_failure_is_the_documented_object) {
    const std::string json = error_json(
        {std::string(proxy::chat::malformed_message), "invalid_response_error", "malformed_reply"});
    BOOST_TEST(json ==
               "{\"error\":{\"message\":\"The model returned a malformed reply \xE2\x80\x94 "
               "please try again.\",\"type\":\"invalid_response_error\",\"param\":null,"
               "\"code\":\"malformed_reply\"}}");
}

BOOST_AUTO_TEST_CASE(any_message_gives_one_line_of_json) {
    const std::string json = error_json({"a \"quoted\"\r\nline\\\x01", "t", "c"});
    BOOST_TEST(json.find_first_of("\r\n") == std::string::npos);
    BOOST_TEST(proxy::json::read_value(json).has_value());
    BOOST_TEST(error_message(json) == "a \"quoted\"\r\nline\\\x01");
}

BOOST_AUTO_TEST_CASE(the_old_form_is_kept_whole_inside_of_the_nested_one) {
    BOOST_TEST(nested_error(R"({"object":"error","message":"x","code":40303})") ==
               R"({"error":{"object":"error","message":"x","code":40303}})");
    BOOST_TEST(nested_error("{\"object\":\"error\",\r\n\"message\":\"x\"\n}") ==
               "{\"error\":{\"object\":\"error\",  \"message\":\"x\" }}");
}

BOOST_AUTO_TEST_CASE(the_message_is_found_in_every_usual_place) {
    struct row {
        const char* body;
        const char* message;
    };

    const row rows[] = {
        {R"({"error":{"message":"a","type":"t"}})", "a"},
        {R"({"error":"b"})", "b"},
        {R"({"message":"c","object":"error"})", "c"},
        {R"({"detail":"d"})", "d"},
        {R"({"error":{"detail":"e"}})", "e"},
        {R"({"error":{"message":""},"message":"f"})", "f"},
        {R"({"error":{"message":null},"detail":"g"})", "g"},
        {R"({"error":{"m\u0065ssage":"h\u00e9\n"}})", "h\xC3\xA9\n"},
        {R"({"error":{"message":"first","message":"last"}})", "last"},
        {R"({"error":null})", ""},
        {R"({"error":{}})", ""},
        {R"({"detail":[{"msg":"x"}]})", ""},
        {R"({"error":500})", ""},
        {"", ""},
        {"<html>", ""},
        {"[]", ""},
        {"\"text\"", ""},
        {R"({"error":{"message":"cut)", ""},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.body) {
            BOOST_TEST(error_message(r.body) == r.message);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_message_is_cut_at_a_character) {
    const auto of = [](const std::string& text) {
        return error_message("{\"error\":\"" + text + "\"}");
    };
    BOOST_TEST(of(std::string(300, 'x')) == std::string(300, 'x'));
    BOOST_TEST(of(std::string(301, 'x')) == std::string(300, 'x'));
    BOOST_TEST(of(std::string(299, 'x') + "\xC3\xA9") == std::string(299, 'x'));
    BOOST_TEST(of(std::string(298, 'x') + "\xC3\xA9z") == std::string(298, 'x') + "\xC3\xA9");
    BOOST_TEST(of(std::string(297, 'x') + "\xF0\x9F\x98\x80") == std::string(297, 'x'));
}

BOOST_AUTO_TEST_CASE(the_message_is_always_valid_utf8) {
    struct row {
        const char* inside;
        const char* message;
    };

    const row rows[] = {
        {"a\xFFz", "a?z"},
        {"a\xE2\x96", "a??"},
        {"\xC0\xAF", "??"},
        {"\xE0\x80\x80", "???"},
        {"\xF0\x80\x80\x80", "????"},
        {"\xF4\x90\x80\x80", "????"},
        {"\xF5z", "?z"},
        {"a\\ud83dz", "a???z"},
        {"\\ud83d\\ude00\xE2\x96\x81", "\xF0\x9F\x98\x80\xE2\x96\x81"},
        {"\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF", "\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.inside) {
            BOOST_TEST(error_message(std::string("{\"error\":\"") + r.inside + "\"}") == r.message);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
