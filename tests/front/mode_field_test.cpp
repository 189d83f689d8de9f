#include "proxy/front/mode_field.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy;
using config::upstream_mode;

BOOST_AUTO_TEST_SUITE(mode_fields)

BOOST_AUTO_TEST_CASE(one_of_three_words_chooses_and_anything_else_is_refused) {
    const struct {
        const char* what;
        upstream::field_list fields;
        std::optional<upstream_mode> mode;
        bool valid;
    } rows[] = {
        {"no field", {{"x-unscaffold-id", "off"}}, std::nullopt, true},
        {"enforce", {{"x-unscaffold", "enforce"}}, upstream_mode::enforce, true},
        {"shadow, name in capitals", {{"X-Unscaffold", "shadow"}}, upstream_mode::shadow, true},
        {"off", {{"a", "b"}, {"x-unscaffold", "off"}}, upstream_mode::off, true},
        {"value in capitals", {{"x-unscaffold", "OFF"}}, std::nullopt, false},
        {"another word", {{"x-unscaffold", "on"}}, std::nullopt, false},
        {"no value", {{"x-unscaffold", ""}}, std::nullopt, false},
        {"a list", {{"x-unscaffold", "off, shadow"}}, std::nullopt, false},
        {"two fields", {{"x-unscaffold", "off"}, {"x-unscaffold", "off"}}, std::nullopt, false},
    };

    for (const auto& row : rows) {
        const auto got = front::read_mode_field(row.fields);
        BOOST_CHECK_MESSAGE(got.mode == row.mode && got.valid == row.valid, row.what);
    }
}

BOOST_AUTO_TEST_SUITE_END()
