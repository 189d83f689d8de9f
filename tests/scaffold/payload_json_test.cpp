// Payloads that are JSON calls, and what looks like them.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_json_machine.hpp"

#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using proxy::scaffold::json_machine;
using tests::check;
using tests::payload_setting;

const payload_setting call{.kind = json_call};
const payload_setting sentinel_call{.kind = json_call, .cls = format_class::sentinel};
const payload_setting list{.kind = json_list};
const payload_setting single{.kind = json_single_key, .cls = format_class::sentinel};
const payload_setting any{.kind = json_any};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_json)

BOOST_AUTO_TEST_CASE(a_call_is_whole_at_its_last_brace) {
    check(
        call,
        {
            {"plain", "<tool_call>", R"({"name": "f", "arguments": {"a": 1}}§</tool_call>)",
             complete, "f"},
            {"line feeds around", "<tool_call>",
             "\n{\"name\": \"f\", \"arguments\": {}}§\n</tool_call>", complete, "f"},
            {"nothing behind", "<tool_call>", R"({"name": "f", "arguments": {}})", complete, "f"},
            {"text behind", "<tool_call>", "{\"name\": \"f\", \"arguments\": {}}§\nDone.", complete,
             "f"},
            {"parameters", "<tool_call>",
             R"({"name": "f", "parameters": {"a": [1, 2.5e3, -1]}}§ x)", complete, "f"},
            {"order swapped", "<tool_call>", R"({"arguments": {"name": "Bob"}, "name": "f"}§)",
             complete, "f"},
            {"no arguments", "<tool_call>", R"({"name": "f"}§)", complete, "f"},
            {"arguments as a string", "<tool_call>",
             R"({"name": "f", "arguments": "{\"a\": \"}\"}"}§<)", complete, "f"},
            {"function object", "<tool_call>",
             R"({"type": "function", "function": {"name": "f", "arguments": {}}}§)", complete, "f"},
            {"function as the name", "<tool_call>", R"({"function": "f", "args": {}}§)", complete,
             "f"},
            {"openai list", "<tool_call>",
             R"({"tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}§)",
             complete, "f"},
            {"id first", "<tool_call>", R"({"id": "c1", "name": "f", "input": {}}§)", complete,
             "f"},
            {"tool_name", "<tool_call>",
             R"({"tool_call_id": "0", "tool_name": "f", "parameters": {}}§)", complete, "f"},
            {"array", "<tool_call>",
             R"([{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]§)", complete, "f"},
            {"array over lines", "<tool_call>",
             "[\n  {\"name\": \"f\"},\n  {\"name\": \"g\"}\n]§\n", complete, "f"},
            {"literals", "<tool_call>",
             R"({"name":"f","arguments":{"a":true,"b":false,"c":null}}§)", complete, "f"},
            {"python dict", "<tool_call>",
             "{'name': 'f', 'arguments': {'a': True, 'b': None, 'c': \"x\"}}§", complete, "f"},
            {"trailing commas", "<tool_call>", R"({"name": "f", "arguments": {"a": [1,],},}§)",
             complete, "f"},
            {"raw line feed in a string", "<tool_call>",
             "{\"name\": \"f\", \"arguments\": {\"a\": \"x\ny\"}}§", complete, "f"},
            {"dots in a name", "<tool_call>", R"({"name": "ns.f-1", "arguments": {}}§)", complete,
             "ns.f-1"},
            {"name in Chinese", "<tool_call>", R"({"name": "天气", "arguments": {}}§)", complete,
             "天气"},
            {"fenced", "<tool_call>",
             "\n```json\n{\"name\": \"f\", \"arguments\": {}}\n```§\n</tool_call>", complete, "f"},
            {"fence unclosed", "<tool_call>",
             "\n```json\n{\"name\": \"f\", \"arguments\": {}}§\n</tool_call>", complete, "f"},
            {"fence without info", "<tool_call>", "```\n{\"name\": \"f\"}\n```§", complete, "f"},
        });
}

BOOST_AUTO_TEST_CASE(strings_hide_what_stands_in_them) {
    check(
        call,
        {
            {"closer", "<tool_call>",
             R"({"name": "f", "arguments": {"q": "what does </tool_call> mean"}}§</tool_call>)"},
            {"braces", "<tool_call>",
             R"({"name": "f", "arguments": {"q": "awk '{print $1}' }}}"}}§</tool_call>)"},
            {"escaped quotes", "<tool_call>",
             R"({"name": "f", "arguments": {"q": "say \"}\" \\"}}§</tool_call>)"},
            {"backticks", "<tool_call>",
             R"({"name": "f", "arguments": {"q": "```json\n{}\n```"}}§</tool_call>)"},
            {"another opener", "<tool_call>",
             R"({"name": "f", "arguments": {"q": "<tool_call>{\"name\": 1}"}}§</tool_call>)"},
            {"unicode", "<tool_call>",
             R"({"name": "f", "arguments": {"q": "杭州 🌊 \u4f60"}}§</tool_call>)"},
            {"brackets in a key", "<tool_call>",
             R"({"name": "f", "arguments": {"]}": 1}}§</tool_call>)"},
            {"the other quote", "<tool_call>", "{'name': 'f', 'arguments': {'q': 'a \"b\" }'}}§"},
            {"a long string", "<tool_call>",
             R"({"name": "f", "arguments": {"q": "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789 \" } </tool_call>"}}§)"},
        });
}

BOOST_AUTO_TEST_CASE(braces_may_be_doubled_missing_or_too_many) {
    check(call, {
                    {"doubled", "<tool_call>",
                     R"({{"name": "f", "arguments": {{"a": 1}}}}§</tool_call>)", complete, "f"},
                    {"outer doubled", "<tool_call>",
                     R"({{"name": "f", "arguments": {"a": 1}}}§</tool_call>)", complete, "f"},
                    {"doubled at the begin only", "<tool_call>",
                     R"({{"name": "f", "arguments": {}}§</tool_call>)", complete, "f"},
                    {"one too many", "<tool_call>",
                     R"({"name": "f", "arguments": {}}}§</tool_call>)", complete, "f"},
                    {"two too many", "<tool_call>", "{\"name\": \"f\", \"arguments\": {}}}}§\nText",
                     complete, "f"},
                    {"one missing", "<tool_call>",
                     R"({"name": "f", "arguments": {"a": 1}§</tool_call>)", complete, "f"},
                    {"two missing", "<tool_call>",
                     "{\"name\": \"f\", \"arguments\": {\"a\": 1§\n</tool_call>", complete, "f"},
                    {"missing before a bracket", "<tool_call>",
                     R"([{"name": "f", "arguments": {"a": 1}]§</tool_call>)", complete, "f"},
                    {"too many in a list", "<tool_call>",
                     R"([{"name": "f", "arguments": {}}}, {"name": "g"}]§)", complete, "f"},
                });
}

BOOST_AUTO_TEST_CASE(templates_and_prose_are_refuted) {
    check(
        call,
        {
            {"placeholder value", "<tool_call>",
             R"({"name": §<function-name>, "arguments": <args-json-object>})", broken},
            {"placeholder in a string", "<tool_call>",
             R"({"name": "<function-name>", "arguments": {}})", broken},
            {"braces in a string", "<tool_call>", R"({"name": "{name}", "arguments": {}})", broken},
            {"dots as value", "<tool_call>", R"({"name": §..., "arguments": ...})", broken},
            {"dots in a string", "<tool_call>", R"({"name": "...", "arguments": {}})", broken},
            {"dots in an object", "<tool_call>", R"({"name": "f", "arguments": {§...}})", broken},
            {"dots alone", "<tool_call>", "§...</tool_call>", broken},
            {"bare word", "<tool_call>", R"({"name": f§unction_name})", broken},
            {"closer at once", "<tool_call>", "§</tool_call>", broken},
            {"prose", "<tool_call>", " §is the opening marker", broken},
            {"backtick", "<tool_call>", "`§ and `</tool_call>`", broken},
            {"no key of a call", "<tool_call>", R"({"city": "Oslo"})", broken},
            {"no name", "<tool_call>", R"({"arguments": {"a": 1}})", broken},
            {"unquoted key", "<tool_call>", "{§name: 1}", broken},
            {"empty object", "<tool_call>", "{§}", broken},
            {"empty array", "<tool_call>", "[§]", broken},
            {"array of words", "<tool_call>", R"(["a§", "b"])", broken},
            {"array of numbers", "<tool_call>", "[§1, 2]", broken},
            {"set of words", "<tool_call>", "{\"name\"§, \"b\"}", broken},
            {"missing comma", "<tool_call>", R"({"name": "f" §"arguments": {}})", broken},
            {"name is a number", "<tool_call>", R"({"name": 1})", broken},
            {"half a literal", "<tool_call>", R"({"name": "f", "arguments": tru§})", broken},
            {"comment", "<tool_call>", R"({§// the name
"name": "f"})",
             broken},
            {"declaration", "<tools>",
             R"({"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}})",
             broken},
            {"declaration without a type", "<tools>",
             R"({"name": "f", "parameters": {"properties": {}, "type": "object"}})", broken},
            {"schema-like arguments stay a call", "<tools>",
             R"({"name": "f", "parameters": {"type": "text", "properties": {}}}§)", complete, "f"},
        });
}

BOOST_AUTO_TEST_CASE(a_cut_call_is_a_call_once_a_key_has_shown_it) {
    check(call, {
                    {"in a string", "<tool_call>", R"({"name": "f", "arguments": {"a": "B)",
                     confirmed, "f"},
                    {"behind a value", "<tool_call>", R"({"name": "f", "arguments": {"a": 1)",
                     confirmed, "f"},
                    {"behind the first colon", "<tool_call>", R"({"name":)", confirmed},
                    {"behind the first key", "<tool_call>", R"({"name")", started},
                    {"behind the brace", "<tool_call>", "\n{", started},
                    {"in the fence", "<tool_call>", "```js", started},
                    {"white space", "<tool_call>", " \n", waiting},
                });
    check_evidence(
        call, {
                  {"at the colon", "<tool_call>", R"({"name":§ "f", "arguments": {}}<)"},
                  {"arguments first", "<tool_call>", R"({"arguments" :§ {"a": 1}, "name": "f"}<)"},
                  {"in a list", "<tool_call>", R"([{"name":§ "f"}]<)"},
                  {"of a nested object", "<tool_call>", R"({"function":§ {"name": "f"}}<)"},
                  {"doubled braces", "<tool_call>", R"({{"name":§ "f"}}<)"},
              });
}

BOOST_AUTO_TEST_CASE(an_unmistakable_opener_needs_less) {
    check(sentinel_call, {
                             {"unknown first key", "<|tool_call|>",
                              R"({"thought": "x", "name": "f"}§)", complete, "f"},
                             {"no name", "<|tool_call|>", R"({"city": "Oslo"}§)", complete},
                             {"empty list", "<|tool_call|>", "[]§", complete},
                             {"still no prose", "<|tool_call|>", " §starts a call", broken},
                             {"still no template", "<|tool_call|>", R"({"name": §<name>})", broken},
                         });
    check({.kind = json_call, .keys = {"action"}},
          {
              {"own name key", "<call>", R"({"action": "f", "with": 1}§)", complete, "f"},
          });
    check({.kind = json_call, .list_keys = {"tools"}},
          {
              {"own list key", "<call>", R"({"tools": [{"name": "f", "arguments": {}}]}§)",
               complete, "f"},
              {"no list under it", "<call>", R"({"tools": "all"§})", broken},
          });
}

BOOST_AUTO_TEST_CASE(lists_take_one_object_after_another) {
    check(
        list,
        {
            {"lines", "<tool_calls>",
             "\n{\"name\": \"f\", \"arguments\": {}}\n{\"name\": \"g\", \"arguments\": "
             "{}}§\n</tool_calls>",
             complete, "f"},
            {"one line", "<tool_calls>", R"({"name": "f"} {"name": "g"}§ and text)", complete, "f"},
            {"semicolons", "<tool_calls>", R"({"name": "f"}; {"name": "g"}§)", complete, "f"},
            {"commas", "<tool_calls>", R"({"name": "f"}, {"name": "g"}§)", complete, "f"},
            {"surplus braces", "<tool_calls>",
             "{\"name\": \"f\"}}\n{\"name\": \"g\"}}§\n</tool_calls>", complete, "f"},
            {"array", "<tool_calls>", R"([{"name": "f"}, {"name": "g"}]§</tool_calls>)", complete,
             "f"},
            {"white space is not the payload's", "<tool_calls>", "{\"name\": \"f\"}§ \n\n",
             complete, "f"},
            {"another object is text", "<tool_calls>", "{\"name\": \"f\"}§\n{\"city\": \"Oslo\"}",
             complete, "f"},
            {"a half object is text", "<tool_calls>", "{\"name\": \"f\"}§\n{\"ci", complete, "f"},
            {"a set of words is text", "<tool_calls>", "{\"name\": \"f\"}§\n{a, b}", complete, "f"},
            {"a link is text", "<tool_calls>", "{\"name\": \"f\"}§\n[a](b)", complete, "f"},
            {"a second call cut", "<tool_calls>", "{\"name\": \"f\"}\n{\"name\": \"g", confirmed,
             "f"},
            {"a second call broken", "<tool_calls>", "{\"name\": \"f\"}\n{\"name\": \"g\", §x",
             complete, "f"},
        });
    const std::string wide = "{\"name\": \"f\"}§" + std::string(1000, ' ') + "{\"name\": \"g\"}";
    check(list, {{"too much white space", "<tool_calls>", wide, complete, "f"}});
}

BOOST_AUTO_TEST_CASE(a_key_may_be_the_name) {
    check(single, {
                      {"array", "<|tools_prefix|>",
                       R"([{"f": {"a": 1}}, {"g": {}}]§<|tools_suffix|>)", complete, "f"},
                      {"object", "<|tools_prefix|>", R"({"f": {}}§)", complete, "f"},
                      {"two keys", "<|tools_prefix|>", R"([{"f": {}, "g"§: {}}])", broken},
                      {"cut", "<|tools_prefix|>", R"([{"f": {"a)", confirmed, "f"},
                      {"prose", "<|tools_prefix|>", " §opens", broken},
                  });
    check({.kind = json_single_key}, {
                                         {"number", "<calls>", R"([{"f": 1}])", broken},
                                         {"string", "<calls>", R"([{"f": "x§"}])", broken},
                                         {"placeholder", "<calls>", R"([{"<name>"§: {}}])", broken},
                                     });
    check_evidence(single, {{"at the value", "<|tools_prefix|>", R"([{"f": {§"a": 1}}]x)"}});
}

BOOST_AUTO_TEST_CASE(any_object_will_do_behind_a_name) {
    check(any, {
                   {"keys", "x", R"({"city": "Nantes", "days": 3}§</function>)"},
                   {"empty", "x", "{}§ "},
                   {"nested", "x", R"({"a": {"b": [{"c": []}]}}§)"},
                   {"list", "x", "§[1]", broken},
                   {"template", "x", R"({"a": §<value>})", broken},
                   {"set", "x", "{§a, b}", broken},
                   {"number list in it", "x", R"({"a": [1, 2, [3]]}§)"},
               });
    check_evidence(any, {{"first key", "x", R"({"a":§ 1})"}, {"empty", "x", "{}§ "}});
}

BOOST_AUTO_TEST_CASE(nesting_is_bounded) {
    const std::size_t levels = proxy::limits::payload_depth_max;
    const auto nested = [](std::size_t depth) {
        const std::size_t inner = depth - 1; // the call's own object
        return "{\"name\": \"f\", \"arguments\": " + std::string(inner, '[') +
               std::string(inner, ']') + "}";
    };
    const std::string deep = nested(levels);
    const std::string deeper = nested(levels + 1);
    check(call, {{"deepest", "<tool_call>", deep, complete, "f"},
                 {"too deep", "<tool_call>", deeper, broken}});
}

BOOST_AUTO_TEST_CASE(every_byte_of_a_long_payload_is_taken_once) {
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    const std::string text =
        "{\"name\": \"f\", \"arguments\": {\"a\": \"" + std::string(megabyte, 'x') + "\"}}<";
    std::size_t fed = 0;
    tests::fed_scanner scanner{call, "<tool_call>"};
    for (std::size_t at = 0; at < text.size(); at += 7) {
        const std::string_view piece = std::string_view{text}.substr(at, 7);
        scanner.feed(piece);
        fed += piece.size();
    }
    BOOST_TEST((scanner.state() == complete));
    BOOST_TEST(fed == text.size());
    BOOST_TEST(scanner.taken() == text.size() - 1);
}

BOOST_AUTO_TEST_CASE(the_machine_tells_what_ended) {
    json_machine machine;
    std::string events;
    for (const char c : std::string_view{R"({"a": ["x", 1, {}], 'b': null})"}) {
        BOOST_REQUIRE(machine.take(c));
        constexpr std::string_view names = ".ocks#"; // in the order of json_event
        const auto event = static_cast<std::size_t>(machine.event());
        if (event != 0) {
            events += names[event];
        }
    }
    BOOST_TEST(events == "okos#occk#c");
    BOOST_TEST(machine.whole());
    BOOST_TEST(!machine.take(' '));
}

BOOST_AUTO_TEST_SUITE_END()
