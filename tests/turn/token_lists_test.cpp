#include "proxy/base/limits.hpp"
#include "proxy/json/splices.hpp"
#include "proxy/turn/token_lists.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace {

using namespace proxy;
using turn::byte_range;
using turn::cut_places;

struct edited {
    std::string text;
    bool aligned = true;
};

/// `edit` is called with a replacer for `json`.
template <class Edit>
std::string edit_json(const std::string& json, Edit edit) {
    json::splices edits;
    edit([&](std::string_view old, std::string_view text) {
        edits.replace(static_cast<std::size_t>(old.data() - json.data()), old.size(), text);
    });
    std::string out;
    edits.apply(json, out);
    return out;
}

edited cut(const std::string& json, std::string_view text, const std::vector<byte_range>& gone,
           std::uint64_t shift = 0) {
    edited out;
    const auto choice = json::read_value(json);
    BOOST_REQUIRE(choice);
    out.text = edit_json(json, [&](const turn::replacer& replace) {
        out.aligned = turn::cut_token_lists(*choice, {text, &gone, shift}, replace);
    });
    return out;
}

std::string entry(const std::string& token, const std::string& bytes = "null") {
    return R"({"token":")" + token + R"(","logprob":-0.10,"bytes":)" + bytes + "}";
}

std::string chat_lists(const std::string& entries, const std::string& ids) {
    return R"({"logprobs":{"content":[)" + entries + R"(],"refusal":null},"token_ids":)" + ids +
           "}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(token_lists)

BOOST_AUTO_TEST_CASE(entries_of_stripped_tokens_go_and_others_keep_their_bytes) {
    const std::string a = entry("one "), b = entry("<x>"), c = entry(" two");
    const std::string three = a + ", " + b + " ," + c;
    const std::string nulled = R"({"logprobs":null,"token_ids":null})";

    const struct {
        const char* what;
        std::string in;
        std::string text;
        std::vector<byte_range> gone;
        std::string out;
        bool aligned;
    } rows[] = {
        {"the middle",
         chat_lists(three, "[1, 2, 3]"),
         "one <x> two",
         {{4, 7}},
         chat_lists(a + "," + c, "[1,3]"),
         true},
        {"the front, two tokens",
         chat_lists(three, "[1,2,3]"),
         "one <x> two",
         {{0, 7}},
         chat_lists(c, "[3]"),
         true},
        {"front and end apart",
         chat_lists(three, "[1,2,3]"),
         "one <x> two",
         {{0, 4}, {7, 11}},
         chat_lists(b, "[2]"),
         true},
        {"all", chat_lists(three, "[1,2,3]"), "one <x> two", {{0, 11}}, chat_lists("", "[]"), true},
        {"all, though the tokens spell something else",
         chat_lists(a, "[1,2]"),
         "<x>",
         {{0, 3}},
         chat_lists("", "[]"),
         true},
        {"nothing", chat_lists(a, "[1]"), "something else", {}, chat_lists(a, "[1]"), true},
        {"a token cut in two",
         chat_lists(three, "[1,2,3]"),
         "one <x> two",
         {{4, 6}},
         nulled,
         false},
        {"tokens that spell another text",
         chat_lists(three, "[1,2,3]"),
         "one <y> two",
         {{4, 7}},
         nulled,
         false},
        {"too few tokens", chat_lists(a, "[1]"), "one <x>", {{4, 7}}, nulled, false},
        {"too many tokens", chat_lists(three, "[1,2,3]"), "one <x>", {{4, 7}}, nulled, false},
        {"another number of ids",
         chat_lists(three, "[1,2]"),
         "one <x> two",
         {{4, 7}},
         R"({"logprobs":{"content":[)" + a + "," + c + R"(],"refusal":null},"token_ids":null})",
         false},
        {"ids alone",
         R"({"token_ids":[1,2]})",
         "one <x>",
         {{4, 7}},
         R"({"token_ids":null})",
         false},
        {"null lists", nulled, "one <x>", {{4, 7}}, nulled, true},
        {"odd lists", R"({"logprobs":7,"token_ids":"x"})", "one <x>", {{4, 7}}, nulled, false},
        {"bytes where a token is part of a character",
         chat_lists(entry("\\ufffd", "[195]") + "," + entry("\\ufffd", "[169]") + "," + b,
                    "[1,2,3]"),
         "\xc3\xa9<x>",
         {{2, 5}},
         chat_lists(entry("\\ufffd", "[195]") + "," + entry("\\ufffd", "[169]"), "[1,2]"),
         true},
        {"escaped tokens",
         chat_lists(entry("\\u003cx>") + "," + entry("\\n"), "[1,2]"),
         "<x>\n",
         {{0, 3}},
         chat_lists(entry("\\n"), "[2]"),
         true},
        {"empty tokens stay beside kept text and go inside stripped text",
         chat_lists(a + "," + entry("") + "," + entry("<x") + "," + entry("") + "," + entry(">"),
                    "[1,2,3,4,5]"),
         "one <x>",
         {{4, 7}},
         chat_lists(a, "[1]"),
         true},
    };

    for (const auto& row : rows) {
        const edited got = cut(row.in, row.text, row.gone);
        BOOST_CHECK_MESSAGE(got.text == row.out, row.what << ":\n" << got.text << "\n" << row.out);
        BOOST_CHECK_MESSAGE(got.aligned == row.aligned, row.what);
    }
}

BOOST_AUTO_TEST_CASE(lists_of_a_delta_follow_too) {
    const std::string in =
        R"({"delta":{"content":"a<x>","token_ids":[1,2]},"logprobs":{"content":[)" + entry("a") +
        "," + entry("<x>") + "]}}";
    BOOST_TEST(cut(in, "a<x>", {{1, 4}}).text ==
               R"({"delta":{"content":"a<x>","token_ids":[1]},"logprobs":{"content":[)" +
                   entry("a") + "]}}");
}

BOOST_AUTO_TEST_CASE(legacy_offsets_move_by_what_was_stripped_in_front_of_them) {
    const auto lists = [](const char* tokens, const char* values, const char* offsets) {
        return std::string(R"({"text":"t","logprobs":{"tokens":)") + tokens +
               R"(,"token_logprobs":)" + values + R"(,"top_logprobs":null,"text_offset":)" +
               offsets + "}}";
    };

    const struct {
        const char* what;
        std::string in;
        std::string text;
        std::vector<byte_range> gone;
        std::uint64_t shift;
        std::string out;
    } rows[] = {
        {"inside the event",
         lists(R"(["h\u00e9", "<x>", " two", "<x>", "!"])", "[-1, -2, -3.0, -4, -5]",
               "[10, 12, 15, 19, 22]"),
         "h\xc3\xa9<x> two<x>!",
         {{3, 6}, {10, 13}},
         4,
         lists(R"(["h\u00e9"," two","!"])", "[-1,-3.0,-5]", "[6,8,12]")},
        {"in an earlier event only",
         lists(R"([ "a","b" ])", "[ -1, -2 ]", "[100, 101]"),
         "ab",
         {},
         58,
         lists(R"([ "a","b" ])", "[ -1, -2 ]", "[42,43]")},
        {"never below nothing",
         lists(R"(["a"])", "[-1]", "[3]"),
         "a",
         {},
         9,
         lists(R"(["a"])", "[-1]", "[0]")},
        {"what is no number stays",
         lists(R"(["a"])", "[-1]", "[null]"),
         "a",
         {},
         9,
         lists(R"(["a"])", "[-1]", "[null]")},
        {"nothing stripped",
         lists(R"(["a"])", "[-1]", "[3]"),
         "another",
         {},
         0,
         lists(R"(["a"])", "[-1]", "[3]")},
        {"not aligned",
         lists(R"(["a"])", "[-1]", "[3]"),
         "b",
         {},
         2,
         R"({"text":"t","logprobs":null})"},
        {"lists of different lengths",
         lists(R"(["a","b"])", "[-1]", "[3,4]"),
         "ab",
         {{0, 1}},
         0,
         R"({"text":"t","logprobs":null})"},
    };

    for (const auto& row : rows) {
        const edited got = cut(row.in, row.text, row.gone, row.shift);
        BOOST_CHECK_MESSAGE(got.text == row.out, row.what << ":\n" << got.text << "\n" << row.out);
    }
}

BOOST_AUTO_TEST_CASE(positions_move_back_by_the_characters_in_front_and_never_into_what_went) {
    cut_places places;
    places.pass("ab");
    places.add("<x>", true);
    places.add("h\xc3\xa9", false); // at 5 and 6
    places.add("<y", true);         // at 7
    places.add(">", true);          // joins
    places.pass("z");
    const std::uint64_t expected[] = {0, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 5};
    for (std::uint64_t i = 0; i < std::size(expected); ++i) {
        BOOST_CHECK_EQUAL(places.moved(i), expected[i]);
    }
    BOOST_CHECK_EQUAL(places.stripped(), 6U);
}

BOOST_AUTO_TEST_CASE(places_are_bounded_and_their_sum_stays_right) {
    cut_places places;
    const std::uint64_t count = 3 * limits::cut_places_max;
    for (std::uint64_t i = 0; i < count; ++i) {
        places.add("x", true);
        places.add("y", false);
    }
    BOOST_CHECK_EQUAL(places.stripped(), count);
    BOOST_CHECK_EQUAL(places.moved(2 * count), count);
}

BOOST_AUTO_TEST_CASE(citations_move_in_both_forms_and_odd_ones_stay) {
    cut_places places;
    places.pass("0123456789");
    places.add("<xxx>", true);

    const struct {
        const char* in;
        const char* out;
    } rows[] = {
        {R"([{"type":"url_citation","url_citation":{"end_index":20,"start_index":15,"url":"u"}}])",
         R"([{"type":"url_citation","url_citation":{"end_index":15,"start_index":10,"url":"u"}}])"},
        {R"([{"start_index": 4,"end_index": 12}, {"start_index":16,"end_index":17}])",
         R"([{"start_index": 4,"end_index": 10}, {"start_index":11,"end_index":12}])"},
        {R"([7,{"url_citation":3},{"start_index":"15","end_index":-1},{"end_index":15.0}])",
         R"([7,{"url_citation":3},{"start_index":"15","end_index":-1},{"end_index":15.0}])"},
        {"null", "null"},
        {"{}", "{}"},
    };

    for (const auto& row : rows) {
        const std::string json = R"({"annotations":)" + std::string(row.in) + "}";
        const auto message = json::read_value(json);
        const std::string got = edit_json(json, [&](const turn::replacer& replace) {
            turn::move_citations(*message, places, replace);
        });
        BOOST_CHECK_EQUAL(got, R"({"annotations":)" + std::string(row.out) + "}");
    }
}

BOOST_AUTO_TEST_CASE(many_tokens_and_many_cuts_take_one_pass) {
    // Half a million tokens with every second one stripped: quadratic work would take minutes.
    std::string text, tokens, kept;
    std::vector<byte_range> gone;
    const std::size_t count = 500'000;
    for (std::size_t i = 0; i < count; ++i) {
        tokens += i > 0 ? ",\"x\"" : "\"x\"";
        text += 'x';
        if (i % 2 == 1) {
            gone.push_back({i, i + 1});
        }
    }
    const edited got = cut("{\"logprobs\":{\"tokens\":[" + tokens + "]}}", text, gone);
    BOOST_CHECK(got.aligned);
    BOOST_CHECK_EQUAL(got.text.size(),
                      std::string("{\"logprobs\":{\"tokens\":[]}}").size() + count / 2 * 4 - 1);
}

BOOST_AUTO_TEST_SUITE_END()
