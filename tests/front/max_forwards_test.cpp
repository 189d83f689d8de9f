#include "proxy/front/max_forwards.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy;

BOOST_AUTO_TEST_SUITE(rest_of_the_way)

BOOST_AUTO_TEST_CASE(it_is_counted_for_options_with_one_number_only) {
    const struct {
        const char* what;
        std::string_view method;
        upstream::field_list fields;
        std::optional<std::uint32_t> value;
    } rows[] = {
        {"no field", "OPTIONS", {{"a", "1"}}, std::nullopt},
        {"none left", "OPTIONS", {{"Max-Forwards", "0"}}, 0U},
        {"some left", "OPTIONS", {{"max-forwards", "70"}}, 70U},
        {"leading zeros", "OPTIONS", {{"max-forwards", "007"}}, 7U},
        {"more than 32 bits hold", "OPTIONS", {{"max-forwards", "99999999999"}}, 1'000'000U},
        {"more than anybody needs", "OPTIONS", {{"max-forwards", "1000001"}}, 1'000'000U},
        {"another method", "GET", {{"max-forwards", "0"}}, std::nullopt},
        {"no value", "OPTIONS", {{"max-forwards", ""}}, std::nullopt},
        {"a sign", "OPTIONS", {{"max-forwards", "+1"}}, std::nullopt},
        {"below zero", "OPTIONS", {{"max-forwards", "-1"}}, std::nullopt},
        {"a list", "OPTIONS", {{"max-forwards", "1, 1"}}, std::nullopt},
        {"two fields", "OPTIONS", {{"max-forwards", "1"}, {"max-forwards", "1"}}, std::nullopt},
    };

    for (const auto& row : rows) {
        front::request_head head;
        head.method = row.method;
        head.fields = row.fields;
        BOOST_CHECK_MESSAGE(front::max_forwards(head) == row.value, row.what);
    }
}

BOOST_AUTO_TEST_CASE(the_answer_of_the_last_recipient_has_no_body_and_names_the_methods) {
    const auto kept = front::options_answer("id-1", false);
    BOOST_TEST(kept.starts_with("HTTP/1.1 204 No Content\r\nallow: GET, "));
    BOOST_TEST(kept.find("\r\ndate: ") != std::string::npos);
    BOOST_TEST(kept.ends_with("\r\nx-request-id: id-1\r\n\r\n"));
    BOOST_TEST(front::options_answer("id-1", true).ends_with("\r\nconnection: close\r\n\r\n"));
}

BOOST_AUTO_TEST_SUITE_END()
