// Calls written as Python.
#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using tests::check;
using tests::payload_setting;

const payload_setting plain{.kind = pythonic};
const payload_setting sentinel{.kind = pythonic, .cls = format_class::sentinel};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_pythonic)

BOOST_AUTO_TEST_CASE(lists_end_at_their_bracket) {
    check(
        sentinel,
        {
            {"one", "<|tool_call_start|>", "[f(city=\"Boston\")]§<|tool_call_end|>", complete, "f"},
            {"two", "<|tool_call_start|>", "[f(city=\"Boise\", days=2), g(tz=\"A/B\")]§", complete,
             "f"},
            {"no arguments", "<|tool_call_start|>", "[f()]§ x", complete, "f"},
            {"over lines", "<|tool_call_start|>", "[\n  f(\n    a=1,\n  ),\n  g(),\n]§", complete,
             "f"},
            {"bracket missing", "<|tool_call_start|>", "[f(a=1)§<|tool_call_end|>", complete, "f"},
            {"positional", "<|tool_call_start|>", "[f(x)]§", complete, "f"},
            {"brackets in strings", "<|tool_call_start|>", "[f(a=\")]\", b='(')]§", complete, "f"},
            {"cut", "<|tool_call_start|>", "[f(a=1), g(", confirmed, "f"},
            {"empty", "<|tool_call_start|>", "[§]", broken},
            {"words", "<|tool_call_start|>", "[the§ list]", broken},
        });
}

BOOST_AUTO_TEST_CASE(arguments_hold_any_literal) {
    check(plain,
          {
              {"literals", "<x>", "f(a=True, b=None, c=null, d=-1.5e3, e=0x1F)§", complete, "f"},
              {"containers", "<x>", "f(a=[1, [2]], b={\"k\": (1, 2)}, c={})§", complete, "f"},
              {"quotes", "<x>", "f(a='it\\'s', b=\"say \\\"x\\\"\")§", complete, "f"},
              {"empty strings", "<x>", "f(a=\"\", b='')§", complete, "f"},
              {"triple quotes", "<x>", "f(a=\"\"\"x \"y\" )\n\"\"\", b=1)§", complete, "f"},
              {"prefix", "<x>", "f(a=r\"x\\\\\", b=f'{y}')§", complete, "f"},
              {"nested call", "<x>", "f(a=date(2024, 1, 2))§", complete, "f"},
              {"operators", "<x>", "f(a=2**16, b=1 + 2)§", complete, "f"},
              {"space round the equals sign", "<x>", "f(a = 1)§", complete, "f"},
              {"method", "<x>", "tool.call(query=\"x\")§", complete, "tool"},
              {"print", "<x>", "print(get_weather(city=\"Graz\"))§\n```", complete, "get_weather"},
              {"a string alone", "<x>", "f(\"x\")§", complete, "f"},
              {"a number alone", "<x>", "f(1)§", complete, "f"},
              {"a list alone", "<x>", "f([1])§", complete, "f"},
              {"a literal alone", "<x>", "f(True)§", complete, "f"},
              {"unicode", "<x>", "f(a=\"杭州 🌊\")§", complete, "f"},
              {"raw line feed", "<x>", "f(a=\"x\ny\")§", complete, "f"},
          });
}

BOOST_AUTO_TEST_CASE(calls_may_stand_on_lines) {
    check(
        plain,
        {
            {"two", "<function_calls>", "f(a=\"Seattle\")\ng(b=\"A/B\")§</function_calls>",
             complete, "f"},
            {"line feeds around", "<function_calls>", "\nf(a=1)\ng()§\n</function_calls>", complete,
             "f"},
            {"semicolon", "<function_calls>", "f(a=1); g()§", complete, "f"},
            {"text on the next line", "<function_calls>", "f(a=1)§\nDone with it.", complete, "f"},
            {"text on the line", "<function_calls>", "f(a=1)§ Done (mostly).", complete, "f"},
            {"text in parentheses", "<function_calls>", "f(a=1)§\nDone(mostly done)", complete,
             "f"},
            {"half a call", "<function_calls>", "f(a=1)\ng(b", confirmed, "f"},
            {"half a name", "<function_calls>", "f(a=1)§\ng", complete, "f"},
            {"a second one cut", "<function_calls>", "f(a=1)\ng(b=\"x", confirmed, "f"},
            {"the end", "<function_calls>", "f(a=1)§\n", complete, "f"},
            {"glued text", "<|python_tag|>", "f(a=\"Brest\")§High water", complete, "f"},
        });
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_call_is_refuted) {
    check(plain, {
                     {"variable", "<x>", "f(city§)", broken},
                     {"two variables", "<x>", "f(city§, days)", broken},
                     {"words", "<x>", "f(the §city)", broken},
                     {"placeholder", "<x>", "f(a=§<value>)", broken},
                     {"dots", "<x>", "f(§...)", broken},
                     {"dots as value", "<x>", "f(a=§...)", broken},
                     {"comparison", "<x>", "f(a=§=1)", broken},
                     {"wrong bracket", "<x>", "f(a=1§])", broken},
                     {"prose", "<x>", "the§ call", broken},
                     {"comprehension", "<x>", "[print(x§) for x in range(3)]", broken},
                     {"number", "<x>", "§12", broken},
                     {"spaced parenthesis", "<x>", "f§ (a=1)", broken},
                     {"comma first", "<x>", "f(§,)", broken},
                     {"cut before the argument", "<x>", "f(ci", started, "f"},
                 });
    check_evidence(plain, {
                              {"keyword", "<x>", "f(a=§1)\n"},
                              {"none", "<x>", "f()§\n"},
                              {"in print", "<x>", "print(f(a=§1))"},
                              {"in a list", "<x>", "[f(a=§1)]"},
                          });
}

BOOST_AUTO_TEST_CASE(nesting_is_bounded) {
    const std::string deep = "f(a=" + std::string(64, '[') + std::string(64, ']') + ")";
    check(plain, {{"too deep", "<x>", deep, broken}});
    const std::string deepest = "f(a=" + std::string(63, '[') + std::string(63, ']') + ")";
    check(plain, {{"deepest", "<x>", deepest, complete, "f"}});
}

BOOST_AUTO_TEST_SUITE_END()
