#include "proxy/upstream/fields.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace proxy::upstream;

namespace {

struct block_row {
    std::string name;
    std::string block;
    field_error expected;
};

const std::vector<block_row> block_rows = {
    {"two fields", "a: 1\r\nb: 2\r\n\r\n", field_error::none},
    {"no fields", "\r\n", field_error::none},
    {"empty value", "a:\r\n\r\n", field_error::none},
    {"tab around a value", "a:\t1\t\r\n\r\n", field_error::none},
    {"tab inside a value", "a: 1\t2\r\n\r\n", field_error::none},
    {"bytes above 0x7f in a value", "a: \xc3\xa9\r\n\r\n", field_error::none},
    {"every token mark in a name", "!#$%&'*+-.^_`|~aZ9: 1\r\n\r\n", field_error::none},
    {"bare line feed", "a: 1\nb: 2\r\n\r\n", field_error::line_end},
    {"bare line feed before the empty line", "a: 1\r\n\n", field_error::line_end},
    {"bare carriage return in a value", "a: 1\r2\r\n\r\n", field_error::line_end},
    {"two carriage returns", "a: 1\r\r\n\r\n", field_error::line_end},
    {"bytes behind the empty line", "a: 1\r\n\r\nb", field_error::line_end},
    {"folded with a space", "a: 1\r\n 2\r\n\r\n", field_error::folded},
    {"folded with a tab", "a: 1\r\n\t2\r\n\r\n", field_error::folded},
    {"space in front of the first name", " a: 1\r\n\r\n", field_error::folded},
    {"space before the colon", "a : 1\r\n\r\n", field_error::name},
    {"tab before the colon", "a\t: 1\r\n\r\n", field_error::name},
    {"space inside a name", "a b: 1\r\n\r\n", field_error::name},
    {"empty name", ": 1\r\n\r\n", field_error::name},
    {"no colon", "abc\r\n\r\n", field_error::name},
    {"NUL in a name", std::string("a\0: 1\r\n\r\n", 9), field_error::name},
    {"byte above 0x7f in a name", "\xc3: 1\r\n\r\n", field_error::name},
    {"slash in a name", "a/b: 1\r\n\r\n", field_error::name},
    {"NUL in a value", std::string("a: 1\0\r\n\r\n", 9), field_error::value},
    {"escape in a value", "a: \x1b[0m\r\n\r\n", field_error::value},
    {"DEL in a value", "a: \x7f\r\n\r\n", field_error::value},
    {"vertical tab in a value", "a: 1\v2\r\n\r\n", field_error::value},
};

} // namespace

BOOST_AUTO_TEST_SUITE(fields)

BOOST_AUTO_TEST_CASE(field_blocks_are_read_or_refused_by_rule) {
    for (const auto& row : block_rows) {
        field_list list;
        BOOST_TEST(static_cast<int>(read_fields(row.block, 10, list)) ==
                       static_cast<int>(row.expected),
                   row.name);
        BOOST_TEST(!to_string(row.expected).empty());
    }
}

BOOST_AUTO_TEST_CASE(names_and_values_are_views_without_surrounding_space) {
    const std::string block = "Content-Type:  text/plain \r\nX:\r\n\r\n";
    field_list list;
    BOOST_TEST((read_fields(block, 10, list) == field_error::none));
    BOOST_REQUIRE_EQUAL(list.size(), 2u);
    BOOST_TEST(list[0].name == "Content-Type");
    BOOST_TEST(list[0].value == "text/plain");
    BOOST_TEST(list[1].value == "");
    BOOST_TEST(list[0].name.data() == block.data());
}

BOOST_AUTO_TEST_CASE(one_line_more_than_allowed_is_too_many) {
    field_list list;
    BOOST_TEST((read_fields("a: 1\r\nb: 2\r\n\r\n", 2, list) == field_error::none));
    list.clear();
    BOOST_TEST((read_fields("a: 1\r\nb: 2\r\nc: 3\r\n\r\n", 2, list) == field_error::too_many));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_head_is_found_at_every_split) {
    const std::string head = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
    const std::string bytes = head + "GET /next";
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        const auto first = head_length(std::string_view(bytes).substr(0, cut));
        BOOST_TEST(first.has_value() == (cut >= head.size()));
        BOOST_TEST(head_length(bytes, first ? 0 : cut).value_or(0) == head.size());
    }
}

BOOST_AUTO_TEST_CASE(a_head_of_bare_line_feeds_ends_too_so_that_it_can_be_refused) {
    BOOST_TEST(head_length("GET / HTTP/1.1\nhost: a\n\nx").value_or(0) == 24u);
    BOOST_TEST(head_length("GET / HTTP/1.1\nhost: a\n\r\nx").value_or(0) == 25u);
    BOOST_TEST(head_length("GET / HTTP/1.1\r\nhost: a\r\n\nx").value_or(0) == 26u);
    BOOST_TEST(!head_length("GET / HTTP/1.1\r\n\r").has_value());
}

BOOST_AUTO_TEST_CASE(decimals_are_digits_and_nothing_else) {
    for (const std::string text : {"", "+1", "-1", "1 ", " 1", "0x1", "1,1", "1e3", "1.0", "\xb2",
                                   "9999999999999999999", "18446744073709551616"}) {
        BOOST_TEST(!read_decimal(text).has_value(), text);
    }
    BOOST_TEST(read_decimal("0").value_or(9) == 0u);
    BOOST_TEST(read_decimal("007").value_or(9) == 7u);
    BOOST_TEST(read_decimal("999999999999999999").value_or(0) == 999999999999999999u);
}

BOOST_AUTO_TEST_CASE(comma_lists_are_searched_without_regard_to_case_or_space) {
    const field_list list = {{"Connection", "close , X-One,,\tx-two"}, {"connection", "te"}};
    for (const auto name : {"close", "x-one", "X-TWO", "TE"}) {
        BOOST_TEST(lists(list, "connection", name), name);
    }
    BOOST_TEST(!lists(list, "connection", "x"));
    BOOST_TEST(!lists(list, "connection", ""));
    BOOST_TEST(!lists(list, "upgrade", "close"));
}

BOOST_AUTO_TEST_CASE(hop_by_hop_fields_are_known_by_name_or_by_connection) {
    const field_list list = {{"connection", "close, x-mine,, X-Second"}, {"Connection", "x-third"}};
    const hop_by_hop hops(list);
    for (const auto name :
         {"Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "X-Mine",
          "x-second", "X-THIRD", "Proxy-Connection", "Proxy-Authorization", "Proxy-Authenticate",
          "Proxy-Authentication-Info", "HTTP2-Settings"}) {
        BOOST_TEST(hops.holds(name), name);
    }
    for (const auto name : {"content-type", "x-mine-too", "x-min", "date", "authorization", ""}) {
        BOOST_TEST(!hops.holds(name), name);
    }
}

BOOST_AUTO_TEST_CASE(no_list_removes_what_says_how_the_content_is_read) {
    const field_list list = {{"connection", "Content-Type, content-encoding,content-length, x"}};
    const hop_by_hop hops(list);
    for (const auto name : {"content-type", "Content-Encoding", "content-length"}) {
        BOOST_TEST(!hops.holds(name), name);
    }
    BOOST_TEST(hops.holds("x"));
}

BOOST_AUTO_TEST_CASE(a_long_list_is_read_once_and_not_for_every_field) {
    std::string options;
    for (int i = 0; i < 12'000; ++i) {
        options += "o" + std::to_string(i % 97) + ",";
    }
    const field_list list = {{"connection", options}};
    const auto begun = std::chrono::steady_clock::now();
    const hop_by_hop hops(list);
    std::size_t held = 0;
    for (int i = 0; i < 10'000; ++i) {
        held += hops.holds("o" + std::to_string(i % 200)) ? 1 : 0;
    }
    BOOST_TEST(held == 50u * 97u);
    // Read anew for each of them it would be 120,000,000 comparisons.
    BOOST_TEST((std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(300)));
}

BOOST_AUTO_TEST_SUITE_END()
