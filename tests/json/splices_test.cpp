#include "proxy/json/splices.hpp"

#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

namespace {

using proxy::json::splices;

struct edit {
    std::size_t offset, length;
    std::string text;
};

struct row {
    const char* name;
    std::string original;
    std::vector<edit> edits;
    std::string result;
};

std::string applied(const row& r) {
    splices s;
    for (const edit& e : r.edits) {
        s.replace(e.offset, e.length, e.text);
    }
    std::string out;
    s.apply(r.original, out);
    return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_splices)

BOOST_AUTO_TEST_CASE(each_set_of_edits_gives_its_text) {
    const row rows[] = {
        {"no edit", "abc", {}, "abc"},
        {"nothing to edit", "", {}, ""},
        {"a replacement", "abcde", {{1, 3, "X"}}, "aXe"},
        {"a removal", "abcde", {{0, 2, ""}}, "cde"},
        {"an insertion at the begin", "abc", {{0, 0, "X"}}, "Xabc"},
        {"an insertion at the end", "abc", {{3, 0, "X"}}, "abcX"},
        {"all of it", "abc", {{0, 3, "XYZW"}}, "XYZW"},
        {"into nothing", "", {{0, 0, "X"}}, "X"},
        {"neighbours", "abcd", {{0, 2, "X"}, {2, 2, "Y"}}, "XY"},
        {"out of order", "abcdef", {{4, 1, "Z"}, {0, 1, "X"}, {2, 1, "Y"}}, "XbYdZf"},
        {"insertions at one place keep their order",
         "ab",
         {{1, 0, "1"}, {1, 0, "2"}, {1, 0, "3"}},
         "a123b"},
        {"an insertion goes in front of a replacement", "abc", {{1, 1, "X"}, {1, 0, "+"}}, "a+Xc"},
        {"an insertion behind a replacement", "abc", {{2, 0, "+"}, {1, 1, "X"}}, "aX+c"},
        {"an empty edit", "abc", {{1, 0, ""}}, "abc"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.name) {
            BOOST_TEST(applied(r) == r.result);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_result_is_appended) {
    splices s;
    s.replace(0, 1, "X");
    std::string out = "before ";
    s.apply("abc", out);
    BOOST_TEST(out == "before Xbc");
}

BOOST_AUTO_TEST_CASE(the_replacement_is_copied) {
    splices s;
    {
        std::string text = "temporary text that is gone when it is used";
        s.replace(0, 0, text);
        std::fill(text.begin(), text.end(), '#');
    }
    std::string out;
    s.apply("", out);
    BOOST_TEST(out == "temporary text that is gone when it is used");
}

BOOST_AUTO_TEST_CASE(clear_forgets_the_edits_and_keeps_the_memory) {
    splices s;
    std::string out;
    out.reserve(1000);
    const auto run = [&] {
        out.clear();
        s.clear();
        BOOST_TEST(s.empty());
        s.replace(3, 1, "a replacement that is longer than any small string");
        s.replace(1, 1, "b");
        BOOST_TEST(!s.empty());
        s.apply("01234567", out);
    };
    run();
    const tests::allocation_count before;
    run();
    BOOST_TEST(before.made() == 0U);
    BOOST_TEST(out == "0b2a replacement that is longer than any small string4567");
}

BOOST_AUTO_TEST_CASE(random_edits_equal_a_naive_rewrite) {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        row r{"", std::string(random() % 60, '.'), {}, ""};
        for (std::size_t i = 0; i < r.original.size(); ++i) {
            r.original[i] = static_cast<char>('a' + i % 26);
        }
        std::size_t at = 0;
        while (at < r.original.size()) {
            const std::size_t kept = random() % 4;
            const std::size_t from = std::min(at + kept, r.original.size());
            r.result.append(r.original, at, from - at);
            const std::size_t length =
                std::min<std::size_t>(random() % 4, r.original.size() - from);
            r.edits.push_back({from, length, std::string(random() % 3, 'X')});
            r.result += r.edits.back().text;
            at = from + length;
            if (length == 0 && at < r.original.size()) {
                r.result += r.original[at++]; // so that two edits never touch at one place
            }
        }
        std::shuffle(r.edits.begin(), r.edits.end(), random);
        BOOST_TEST(applied(r) == r.result);
    }
}

BOOST_AUTO_TEST_SUITE_END()
