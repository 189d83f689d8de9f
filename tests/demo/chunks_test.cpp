#include "proxy/demo/chunks.hpp"

#include "tests/support/client_view.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::demo;

BOOST_AUTO_TEST_SUITE(demo_chunks)

BOOST_AUTO_TEST_CASE(text_is_cut_between_characters_only) {
    struct row {
        std::string_view name, text;
        std::size_t chars;
        std::vector<std::string_view> pieces;
    };

    const row rows[] = {
        {"empty", "", 3, {}},
        {"shorter", "ab", 3, {"ab"}},
        {"exact", "abcdef", 3, {"abc", "def"}},
        {"rest", "abcd", 3, {"abc", "d"}},
        {"three-byte characters", "항구는", 2, {"항구", "는"}},
        {"four-byte characters", "a👋b", 1, {"a", "👋", "b"}},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.name) {
            const auto pieces = split_text(row.text, row.chars);
            BOOST_TEST(pieces == row.pieces, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(every_event_of_an_answer_can_be_read_back) {
    const chunk_writer chunks("id-1", "mo\"del");
    const call one{"call_1", "lookup", R"({"a": "\"b\""})"};
    auto bytes = chunks.role() + chunks.reasoning("why") + chunks.content("line\n\"x\" \\ é");
    bytes += chunks.call_start(0, one);
    for (const auto piece : split_text(one.arguments, 3)) {
        bytes += chunks.call_arguments(0, piece);
    }
    bytes += chunks.finish("tool_calls") + chunks.usage(3, 4) + std::string(done_event);
    const auto view = tests::read_stream(bytes);
    BOOST_TEST(view.unreadable == 0U);
    BOOST_TEST(view.first().content == "line\n\"x\" \\ é");
    BOOST_TEST(view.first().reasoning == "why");
    BOOST_TEST(view.first().role_deltas == 1U);
    BOOST_TEST(view.first().calls.at(0).id == "call_1");
    BOOST_TEST(view.first().calls.at(0).name == "lookup");
    BOOST_TEST(view.first().calls.at(0).arguments == one.arguments);
    BOOST_TEST(view.first().finishes == std::vector<std::string>{"tool_calls"});
    BOOST_TEST(view.usages.size() == 1U);
    BOOST_TEST(view.usages.at(0).at("total_tokens").as_int64() == 7);
    BOOST_TEST(view.ids == std::vector<std::string>{"id-1"});
    BOOST_TEST(view.ends_with_done);
}

BOOST_AUTO_TEST_CASE(the_body_holds_text_and_calls) {
    const chunk_writer chunks("id-1", "m");
    const auto view = tests::read_body(
        chunks.body("text", {{"c1", "f", "{}"}, {"c2", "g", R"({"k":1})"}}, "tool_calls", 1, 2));
    BOOST_TEST(view.unreadable == 0U);
    BOOST_TEST(view.first().content == "text");
    BOOST_TEST(view.first().calls.size() == 2U);
    BOOST_TEST(view.first().calls.at(1).arguments == R"({"k":1})");
    BOOST_TEST(tests::read_body(chunks.body("", {}, "stop", 1, 2)).first().calls.empty());
}

BOOST_AUTO_TEST_SUITE_END()
