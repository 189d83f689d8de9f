// Wrappers that several dialects share: the payload is told by its first bytes.
#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using tests::check;
using tests::payload_setting;

const payload_setting any{.kind = call_any};
const payload_setting results{.kind = free_text};
const payload_setting marker_only{.kind = none};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_any)

BOOST_AUTO_TEST_CASE(one_wrapper_holds_every_dialect) {
    check(
        any,
        {
            {"json", "<tool_call>", "\n{\"name\": \"f\", \"arguments\": {}}§\n</tool_call>",
             complete, "f"},
            {"json list", "<tool_calls>", "[{\"name\": \"f\"}, {\"name\": \"g\"}]§</tool_calls>",
             complete, "f"},
            {"json lines", "<tool_calls>", "\n{\"name\": \"f\"}\n{\"name\": \"g\"}§\n</tool_calls>",
             complete, "f"},
            {"json fenced", "<tool_call>", "```json\n{\"name\": \"f\"}\n```§\n</tool_call>",
             complete, "f"},
            {"list with white space", "<tool_calls>", "[\n  {\"name\": \"f\"}\n]§", complete, "f"},
            {"function", "<tool_call>",
             "\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>§\n</tool_call>", complete,
             "f"},
            {"two functions", "<tool_call>",
             "<function=f></function>\n<function=g></function>§</tool_call>", complete, "f"},
            {"function with json", "<tool_call>", "<function=f>{\"a\": 1}</function>§</tool_call>",
             complete, "f"},
            {"invoke", "<tool_call>",
             "\n<invoke name=\"f\">\n<parameter name=\"a\">1</parameter>\n</invoke>§\n</tool_call>",
             complete, "f"},
            {"seed", "<seed:tool_call>",
             "\n<function=f>\n<parameter=a>1</parameter>\n</function>§\n</seed:tool_call>",
             complete, "f"},
            {"pairs", "<tool_call>",
             "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§\n</tool_call>", complete, "f"},
            {"declared name", "<tool_call>", "get_time§</tool_call>", complete, "get_time"},
            {"name and json", "<tool_call>", "f\n{\"a\": 1}§</tool_call>", complete, "f"},
            {"python list", "<tool_calls>", "[f(a=1), g()]§</tool_calls>", complete, "f"},
            {"python lines", "<function_calls>", "f(a=\"x\")\ng()§</function_calls>", complete,
             "f"},
            {"wrapper in wrapper, pairs", "<tool_calls>",
             "\n<tool_call>f<tool_sep>\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§\n</"
             "tool_call>",
             complete, "f"},
            {"wrapper in wrapper, json", "<tool_calls>",
             "<tool_call>{\"name\": \"f\"}§</tool_call>", complete, "f"},
            {"wrapper in wrapper, tags", "<tool_calls>",
             "<tool_call>\n<function=f></function>§</tool_call>", complete, "f"},
        });
}

BOOST_AUTO_TEST_CASE(a_wrapper_in_prose_is_refuted) {
    check(any, {
                   {"dots", "<tool_call>", "§...</tool_call>", broken},
                   {"closer", "<tool_call>", "</tool_call>", broken},
                   {"sentence", "<tool_call>", " and §the closing marker", broken},
                   {"backtick", "<tool_call>", "`§ and `</tool_call>`", broken},
                   {"template", "<tool_call>", "{\"name\": §<function-name>}</tool_call>", broken},
                   {"quote", "<tool_call>", "\n§> the quoted log", broken},
                   {"list", "<tool_call>", "\n§- [TOOL_CALLS]", broken},
                   {"regular expression", "<tool_call>", "§(.*?)</tool_call>", broken},
                   {"html", "<tools>", "\n  <tool>", broken},
                   {"link", "<tool_call>", "[f(city§)](https://example.org)", broken},
                   {"footnote", "<tool_call>", "[§1]", broken},
                   {"comparison", "<tool_call>", "< §b", broken},
                   {"nothing", "<tool_call>", "\n", waiting},
                   {"half a tag", "<tool_call>", "<func", waiting},
                   {"half a list", "<tool_call>", "[ ", started},
               });
    check_evidence(any, {
                            {"json", "<tool_call>", "{\"name\":§ \"f\"}"},
                            {"parameter", "<tool_call>", "<function=f><parameter=a>§1"},
                            {"pairs", "<tool_call>", "f\n<arg_key>§a"},
                        });
}

BOOST_AUTO_TEST_CASE(scanners_that_read_alike_know_it_where_an_object_begins) {
    const auto with = [](proxy::scaffold::payload_kind kind, format_class cls,
                         std::vector<std::string> keys) {
        proxy::scaffold::format fmt;
        fmt.payload = kind;
        fmt.cls = cls;
        fmt.keys = std::move(keys);
        return fmt;
    };
    const auto alike = [](const auto& first, const auto& second, std::string_view text) {
        const proxy::scaffold::context ctx;
        const auto one = proxy::scaffold::make_scanner({&first, &ctx, "<tool_call>"});
        const auto other = proxy::scaffold::make_scanner({&second, &ctx, "<tool_call>"});
        one->feed(text);
        other->feed(text);
        BOOST_TEST(one->reads_like(*other) == other->reads_like(*one));
        return one->reads_like(*other);
    };
    const auto pairs = with(name_kv, format_class::tagged, {});
    const auto named = with(name_sep_json, format_class::tagged, {});
    const auto list = with(json_list, format_class::tagged, {});
    BOOST_TEST(alike(pairs, named, "{"));
    BOOST_TEST(alike(pairs, list, "\n {"));
    BOOST_TEST(!alike(pairs, named, "\n"));
    BOOST_TEST(!alike(pairs, named, "f"));
    BOOST_TEST(!alike(pairs, named, "{\"name\": "));
    BOOST_TEST(!alike(pairs, with(json_call, format_class::tagged, {}), "{"));
    BOOST_TEST(!alike(pairs, with(name_kv, format_class::sentinel, {}), "{"));
    BOOST_TEST(!alike(pairs, with(name_kv, format_class::tagged, {"action"}), "{"));
    BOOST_TEST(!alike(pairs, with(pythonic, format_class::tagged, {}), "{"));
}

BOOST_AUTO_TEST_CASE(results_are_text_up_to_their_closer) {
    check(results, {
                       {"json", "<tool_response>", "\n{\"time\": \"12:04\"}\n</tool_response>§"},
                       {"nothing", "<tool_response>", ""},
                   });
    check_evidence(results, {{"at once", "<tool_response>", "x§y"}});
}

BOOST_AUTO_TEST_CASE(a_control_token_has_no_payload) {
    check(marker_only, {{"text behind", "<|im_end|>", "§Hello"}, {"end", "<|im_end|>", ""}});
}

BOOST_AUTO_TEST_SUITE_END()
