// Kinds of faults that generated turns and the own corpus have found in the filter, one row each.
#include "proxy/base/limits.hpp"

#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace proxy::tests {

namespace {

struct found_case {
    std::string_view name;
    std::string raw;
    std::string clean;
    bool tools = true;
};

void check(const std::vector<found_case>& cases) {
    for (const auto& row : cases) {
        const auto got = run_at_all_cuts(context_of(row.tools), row.raw);
        BOOST_TEST(visible(got.clean) == row.clean,
                   row.name << ": got '" << got.clean << "' for '" << row.raw << "'");
    }
}

const std::string call = R"(<tool_call>{"name": "get_time", "arguments": {}}</tool_call>)";

/// A line of text, so that white space behind it shows.
std::string behind_text(const std::string& markup) {
    return "Well.\n" + markup;
}

} // namespace

BOOST_AUTO_TEST_SUITE(found)

BOOST_AUTO_TEST_CASE(code_fences_next_to_calls) {
    const std::string fence = "\n\n```text\nx = 1\n```";
    check({
        {"a fence behind a call is the answer's", call + fence, fence},
        {"and behind a call without closer", "[TOOL_CALLS]get_time[ARGS]{}" + fence, fence},
        {"a fence that opens the turn, with prose behind", "```xml\n" + call + "\n```\n\nSo it is.",
         "```xml\n" + call + "\n```\n\nSo it is."},
        {"the same with a token in it", "```\n<|tool_call|>[{\"name\": \"f\"}]\n```\n\nSo it is.",
         "```\n<|tool_call|>[{\"name\": \"f\"}]\n```\n\nSo it is.", false},
    });
}

BOOST_AUTO_TEST_CASE(white_space_between_marks) {
    const std::string section = "<|tool_calls_section_begin|>";
    const std::string kimi = "<|tool_call_begin|>functions.get_time:0<|tool_call_argument_begin|>{}"
                             "<|tool_call_end|>";
    const std::string end = "<|tool_calls_section_end|>";
    check({
        {"in a run of tokens that close", "Well.<|action_end|>\n<|action_end|>", "Well."},
        {"between the calls of a section", "Well. " + section + kimi + "\n" + kimi + end, "Well. "},
        {"between the calls of a section that stays open",
         behind_text("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{}"
                     "<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>get_"),
         "Well.\n"},
        {"between two calls is text", behind_text(call + "\n" + call), "Well.\n\n"},
        {"between two lists without closers",
         "Well.<|tool_calls|>[{'name': 'f', 'arguments': {}}]\n"
         "<|tool_calls|>[{'name': 'g', 'arguments': {}}]",
         "Well.\n"},
    });
}

BOOST_AUTO_TEST_CASE(calls_that_the_end_cuts) {
    check({
        {"behind a parameter and its line",
         behind_text("<invoke name=\"get_time\">\n<parameter name=\"a\">x</parameter>\n"),
         "Well.\n"},
        {"behind a child of a tool's tag", behind_text("<read_file>\n<path>a</path>\n"), "Well.\n"},
        {"in the tag of a wrapper's next call",
         behind_text("<minimax:tool_call>\n<invoke name=\"f\">\n</invoke>\n<invoke na"), "Well.\n"},
        {"behind a name and a brace", "Well. <function=unknown>{\n  \"c", "Well. "},
        {"in the first key behind a name", "Well. [TOOL_CALLS]unknown{\"li", "Well. "},
        {"in a value of Kimi K3",
         "Well. <|open|>tools<|sep|><|open|>call tool=\"f\" index=\"1\"<|sep|>"
         "<|open|>argument key=\"a\" type=\"string\"<|sep|>O'N",
         "Well. "},
    });
}

BOOST_AUTO_TEST_CASE(values_that_hold_marks) {
    check({
        {"a call's tag of another dialect",
         "<invoke name=\"f\">\n<parameter name=\"a\">x </function><function=g> y</parameter>\n"
         "</invoke> Done.",
         " Done."},
        {"tags without the dialect's bars",
         "<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x "
         "</parameter> "
         "<invoke name=\"g\"> y</｜DSML｜parameter>\n</｜DSML｜invoke> Done.",
         " Done."},
        {"tags with bars in a dialect that has none",
         "<tool_call>\n<function=f>\n<parameter=a>\n</｜DSML｜invoke><｜DSML｜invoke> "
         "y\n</parameter>\n"
         "</function>\n</tool_call> Done.",
         " Done."},
        {"its own closer in JSON",
         "<invoke name=\"f\">\n<parameter name=\"a\">{\"x\": "
         "\"</arg_value>\"}</parameter>\n</invoke>"
         " Done.",
         " Done."},
        {"another family's closer",
         "<|tool_call:start|>f\n<|tool_arg:start|>a<|tool_arg:value|>x</arg_value> "
         "y<|tool_arg:end|>\n"
         "<|tool_call:end|> Done.",
         " Done."},
        {"a token in a string of an envelope's call",
         "<|channel|>commentary to=functions.get_time<|message|>{\"a\": \"<|call|> }\"}<|call|>",
         ""},
    });
}

BOOST_AUTO_TEST_CASE(evidence_by_declared_names_and_separators) {
    check({
        {"functools needs a declared name", "functools[{\"name\": \"dance\", \"arguments\": {}}]",
         "functools[{\"name\": \"dance\", \"arguments\": {}}]"},
        {"a separator is evidence without arguments",
         "<tool_calls>\n<tool_call:6124c78e>dance<tool_sep:6124c78e>\n</tool_call:6124c78e>\n"
         "</tool_calls>",
         ""},
        {"a closer twice, then text",
         "<longcat_tool_call>f\n<longcat_arg_key>a</longcat_arg_key>\n"
         "<longcat_arg_value>x</longcat_arg_value>\n</longcat_tool_call>\n</longcat_tool_call> "
         "Done.",
         " Done."},
        {"an empty call between tokens",
         "<|open|>tools<|sep|><|open|>call tool=\"get_time\" index=\"1\"<|sep|><|close|>call<|sep|>"
         "<|close|>tools<|sep|>\n\nDone.",
         "\n\nDone."},
    });
}

/// The scanner has looked at what stands behind a payload when it sees that it is whole.
BOOST_AUTO_TEST_CASE(a_long_payload_with_white_space_behind_it) {
    const std::string value(limits::candidate_bytes_max + 1000, 'x');
    const std::string payload = "[{\"name\": \"f\", \"arguments\": {\"a\": \"" + value + "\"}}]";
    for (const std::string closer : {"[unused12]", "\n\n[unused12]", ""}) {
        const auto text = "Well. [unused11]\n" + payload + closer + " Done.";
        for (const std::size_t bytes : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
            BOOST_TEST(run_filter(context_of(true), cut_every(text, bytes)).clean ==
                       "Well.  Done.");
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
