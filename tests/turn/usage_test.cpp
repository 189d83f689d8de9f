#include "proxy/turn/usage.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

struct row {
    const char* what;
    const char* first;
    const char* second;
    const char* sum;
};

const row rows[] = {
    {"counts add", R"({"prompt_tokens":10,"completion_tokens":2})",
     R"({"prompt_tokens":5,"completion_tokens":7})",
     R"({"prompt_tokens":15,"completion_tokens":9})"},
    {"details add at every depth", R"({"d":{"cached_tokens":3,"deep":{"x":1}}})",
     R"({"d":{"cached_tokens":4,"deep":{"x":2}}})", R"({"d":{"cached_tokens":7,"deep":{"x":3}}})"},
    {"the second's order and other members", R"({"a":1,"tier":"x","b":2})",
     R"({"b":2,"tier":"y","a":1})", R"({"b":4,"tier":"y","a":2})"},
    {"counts that only the first has stay", R"({"a":1,"cached":5,"d":{"x":1},"s":"t"})",
     R"({"a":1})", R"({"a":2,"cached":5,"d":{"x":1}})"},
    {"null in the second is no number", R"({"a":3,"d":{"x":1}})", R"({"a":null,"d":null})",
     R"({"a":3,"d":{"x":1}})"},
    {"only the first", R"({"a":1})", "", R"({"a":1})"},
    {"only the second", "", R"({"a":1})", R"({"a":1})"},
    {"none", "", "", "null"},
    {"no objects", "[1]", "7", "null"},
    {"fractions", R"({"cost":0.25})", R"({"cost":0.5})", R"({"cost":0.75})"},
    {"large integers are exact", R"({"n":9007199254740993})", R"({"n":2})",
     R"({"n":9007199254740995})"},
    {"keys are compared unescaped", R"({"to\u006bens":1})", R"({"tokens":2})", R"({"tokens":3})"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(usage)

BOOST_AUTO_TEST_CASE(two_attempts_make_one_usage) {
    for (const row& r : rows) {
        std::string sum;
        proxy::turn::append_usage_sum(sum, r.first, r.second);
        BOOST_CHECK_MESSAGE(sum == r.sum, r.what << ": " << sum);
    }
}

BOOST_AUTO_TEST_CASE(sums_beyond_64_bits_do_not_wrap) {
    std::string sum;
    proxy::turn::append_usage_sum(sum, R"({"n":18446744073709551615})", R"({"n":1})");
    BOOST_CHECK_EQUAL(sum, R"({"n":18446744073709551616})");
}

BOOST_AUTO_TEST_CASE(counts_are_read_for_the_log) {
    BOOST_CHECK_EQUAL(proxy::turn::usage_count(R"({"prompt_tokens":12})", "prompt_tokens"), 12U);
    BOOST_CHECK_EQUAL(proxy::turn::usage_count(R"({"prompt_tokens":"12"})", "prompt_tokens"), 0U);
    BOOST_CHECK_EQUAL(proxy::turn::usage_count("null", "prompt_tokens"), 0U);
    BOOST_CHECK_EQUAL(proxy::turn::usage_count("", "prompt_tokens"), 0U);
}

BOOST_AUTO_TEST_SUITE_END()
