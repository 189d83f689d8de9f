// The evidence rules D1-D15 of the catalog, each from both sides: what goes and what stays.
#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace proxy::tests {

namespace {

struct rule_case {
    std::string_view name;
    bool tools;
    std::string raw;
    std::string clean;
};

void check(const std::vector<rule_case>& cases) {
    for (const auto& row : cases) {
        const auto got = run_at_all_cuts(context_of(row.tools), row.raw);
        BOOST_TEST(visible(got.clean) == row.clean,
                   row.name << ": got '" << got.clean << "' for '" << row.raw << "'");
    }
}

/// A row whose text stays as it is.
rule_case kept(std::string_view name, bool tools, std::string raw) {
    return {name, tools, raw, raw};
}

constexpr std::string_view call = R"(<tool_call>{"name": "get_time", "arguments": {}}</tool_call>)";

} // namespace

BOOST_AUTO_TEST_SUITE(rules)

BOOST_AUTO_TEST_CASE(d1_an_opener_needs_its_payload) {
    check({
        {"payload behind the opener", true,
         R"(Hm. <tool_call>{"name": "get_time", "arguments": {}})", "Hm. "},
        kept("a word behind the opener", true, "Use <tool_call> and then JSON."),
        kept("two openers named in a sentence", true, "Both <tool_call> and [TOOL_CALLS] open."),
        kept("an opener and its closer", true, "Write <tool_call></tool_call> around it."),
        kept("a sentinel in a sentence", true, "The token <|python_tag|> starts code."),
        kept("a sentinel and prose", true, "After <|tool_calls_section_begin|> come the calls."),
        kept("a function tag that is a label", true,
             "In that file <function=beam> is a section label, not a call."),
        kept("an opener far from any payload", true,
             "<tool_call> " + std::string(300, ' ') + R"({"name": "get_time"})"),
        kept("a payload that breaks before it is whole", true,
             R"(The log shows <tool_call>{"name": "get_time", oops and goes on.)"),
        {"a second try behind a broken one", true,
         R"(Log <tool_call>{"name": oops <tool_call>{"name": "get_time", "arguments": {}}</tool_call>.)",
         R"(Log <tool_call>{"name": oops .)"},
    });
}

BOOST_AUTO_TEST_CASE(d2_an_opener_at_the_very_end) {
    check({
        {"on its own line", true, "I'll look.\n<tool_call>", "I'll look.\n"},
        {"on its own line, with a line feed", true, "I'll look.\n<tool_call>\n", "I'll look.\n"},
        kept("on its own line, without tools", false, "The last line is\n<tool_call>"),
        kept("behind a space", true, "The opener is <tool_call>"),
        kept("behind a quote", true, "The opener is \"<tool_call>"),
        kept("a tag glued to text", true, "The opener is:<tool_call>"),
        {"a sentinel glued to text", true, "I'll look.<|tool_calls_section_begin|>", "I'll look."},
        {"a sentinel's begin glued to text", true, "I'll look.<|tool_calls_sec", "I'll look."},
        {"a sentinel's begin on its line", true, "I'll look.\n\n<｜DSML｜function_calls",
         "I'll look.\n\n"},
        kept("a sentinel behind a space", true, "The token is <|python_tag|>"),
        kept("a sentinel's begin behind a space", true, "The token is <|python_t"),
        kept("a sentinel's begin without tools", false, "I'll look.<|tool_calls_sec"),
        kept("a tag's begin", true, "depth: <to"),
        kept("a tag's begin on its line", true, "depth:\n<tool_ca"),
        kept("a lone bracket", true, "the total is 9 <"),
        {"a tag that only lacks its bracket, on its line", true, "Now.\n<tool_call", "Now.\n"},
        kept("a tag that only lacks its bracket, in a sentence", true, "The tag is <tool_call"),
        {"a closer that only lacks its bracket", true, "Summary.\n</tool_call", "Summary.\n"},
        {"a bracket behind a call", true, std::string(call) + "\n<", ""},
        {"a begun closer behind a call", true, "Hm. " + std::string(call) + "\n</fun", "Hm. "},
        {"two openers behind a space", true,
         "Hm. <|tool_calls_section_begin|><|tool_call_begin|>functions.g", "Hm. "},
        {"a declared name behind a tag", true, "Hm. <tool_call>get_time", "Hm. "},
        kept("another name behind a tag", true, "Hm. <tool_call>get_on"),
        {"a wrapper and the begin of what it wraps", true, "Now.\n<tool_call>\n<functi", "Now.\n"},
        {"a payload cut before it shows a name", true, "Now.\n<tool_call>\n{\"na", "Now.\n"},
        {"a payload cut behind its name", true, R"(Now. <tool_call>{"name": "get_time", "arg)",
         "Now. "},
    });
}

BOOST_AUTO_TEST_CASE(d3_placeholders_are_no_payload) {
    check({
        kept("names in brackets", true,
             R"(Return <tool_call>{"name": <function-name>, "arguments": <args>}</tool_call>.)"),
        kept("an ellipsis", true, "Write <tool_call>...</tool_call> around it."),
        kept("an ellipsis as a member", true, R"(Write <tool_call>{"name": ...}</tool_call>.)"),
        kept("a parameter's placeholder", true, "Write <function=...> with parameters."),
    });
}

BOOST_AUTO_TEST_CASE(d4_examples_without_tools_in_context) {
    check({
        kept("a tagged example behind prose", false,
             "For example: <tool_call>{\"name\": \"get_time\", \"arguments\": {}}</tool_call>"),
        kept("a bracket example behind prose", false,
             "Mistral writes [TOOL_CALLS][{\"name\": \"f\", \"arguments\": {}}] there."),
        {"a sentinel example behind prose", false,
         "For example: <|tool_call|>[{\"name\": \"get_time\", \"arguments\": {}}]",
         "For example: "},
        {"a tagged call that starts the turn", false, std::string(call), ""},
        {"a tagged call that starts the turn, then prose", false,
         R"(<tool_call>{"name": "f", "arguments": {}}</tool_call> Done.)", " Done."},
        {"a second call where the first one started the turn", false,
         "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\nNow\n"
         "<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>",
         "\nNow\n"},
        {"a call behind a reasoning block", false,
         "<think>Hm.</think>\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>",
         "<think>Hm.</think>\n"},
        {"a tagged example behind prose, with tools", true,
         "For example: <tool_call>{\"name\": \"get_time\", \"arguments\": {}}</tool_call>",
         "For example: "},
    });
}

BOOST_AUTO_TEST_CASE(d5_tags_that_markup_shares_with_calls) {
    check({
        kept("a C# comment", true, "/// <param name=\"city\">The city.</param>"),
        kept("a Spring bean", true, "<parameter name=\"k\">v</parameter> goes into the bean."),
        kept("an HTML object", true, "<object><param name=\"movie\" value=\"a.swf\"></object>"),
        kept("a list of tools", true, "<tools>\n  <tool>hammer</tool>\n</tools>\n"),
        kept("an invoke tag in a sentence", true, "Ant has <invoke name=\"x\"> for that."),
        kept("an invoke block without tools", false,
             "<invoke name=\"f\">\n<parameter name=\"k\">v</parameter>\n</invoke>"),
        {"an invoke block with tools", true,
         "<invoke name=\"run_shell\">\n<parameter name=\"command\">ls</parameter>\n</invoke>", ""},
        {"an invoke block with its closer only", true, "<invoke name=\"get_time\">\n</invoke>", ""},
        {"a namespaced invoke block without tools", false,
         "Hm.<antml:invoke name=\"f\">\n<antml:parameter "
         "name=\"k\">v</antml:parameter>\n</antml:invoke>",
         "Hm."},
        {"a wrapper of the namespace around it", true,
         "<antml:function_calls>\n<antml:invoke name=\"run_shell\">\n<antml:parameter "
         "name=\"command\">ls</antml:parameter>\n</antml:invoke>\n</antml:function_calls>",
         ""},
        kept("a tag that is no tool's name", true, "<volume>\n<path>a</path>\n</volume>"),
        kept("a tool's name as a tag in a sentence", true, "The <read_file> tag has a <path>."),
        kept("a tool's name as a tag without child", true, "<read_file>\nreads a file."),
        kept("a tool's tag without tools", false, "<read_file>\n<path>a</path>\n</read_file>"),
    });
}

BOOST_AUTO_TEST_CASE(d6_closers_without_an_opener) {
    check({
        {"on the last line", true, "Summary.\n</tool_call>", "Summary.\n"},
        {"on the last line, with a line feed behind", true, "Summary.\n</tool_call>\n",
         "Summary.\n\n"},
        {"glued to the last word", true, "Summary.</tool_call>", "Summary."},
        {"several", true, "Summary.\n</parameter>\n</function>\n</tool_call>", "Summary.\n"},
        {"with an end token behind", true, "Summary.</tool_call><|im_end|>", "Summary."},
        {"nothing else", true, "\n\n</tool_call>", ""},
        kept("behind a space", true, "An element needs its closing tag, here </function>"),
        kept("in the middle of a line", true, "The tag </tool_call> ends it."),
        kept("on its own line, with text behind", true, "It ends with\n</tool_call>\nas usual."),
        kept("with its opener in the text", true, "<tools>\n<x/>\n</tools>"),
        kept("with an opener of its name in the text", true,
             "<function class=\"a\">\n<b/>\n</function>"),
        {"a sentinel's closer in the middle", true, "Done.<|tool_calls_section_end|> And now?",
         "Done. And now?"},
        {"a sentinel's closer at the end, without tools", false, "Done.<|tool_call_end|>", "Done."},
        kept("a sentinel's closer in a sentence", false,
             "The token <|tool_call_end|> ends a call."),
        kept("sentinels in a sentence", false,
             "Kimi uses <|tool_calls_section_begin|> to start and <|tool_calls_section_end|> to "
             "end."),
        kept("a reasoning closer", true, "Weighing both logs.</think>It was rust."),
        {"a closer cut off at the end", true, "Summary.\n</function>\n</tool_c", "Summary.\n"},
    });
}

BOOST_AUTO_TEST_CASE(d7_json_without_an_opener) {
    check({
        {"a call that is the turn", true,
         R"({"name": "get_time", "arguments": {"timezone": "UTC"}})", ""},
        {"arguments in a string", true, R"({"name": "get_time", "arguments": "{}"})", ""},
        {"a list of calls", true, R"([{"name": "get_time", "arguments": {}}])", ""},
        {"the API's envelope", true,
         R"({"tool_calls": [{"function": {"name": "get_time", "arguments": "{}"}}]})", ""},
        {"a function object", true,
         R"({"type": "function", "function": {"name": "get_time", "arguments": {}}})", ""},
        {"a call on the last line", true,
         "Let me see.\n{\"name\": \"get_time\", \"arguments\": {}}", "Let me see.\n"},
        {"a call that starts the turn, then an end token", true,
         "{\"name\": \"get_time\", \"arguments\": {}}<|eot_id|>", ""},
        kept("a name that isn't declared", true, R"({"name": "Bingo", "arguments": {}})"),
        kept("no tools", false, R"({"name": "get_time", "arguments": {}})"),
        kept("a key that no call has", true,
             R"({"name": "get_time", "price": 4, "arguments": {}})"),
        kept("no arguments", true, R"({"name": "get_time"})"),
        kept("a declaration", true,
             R"({"name": "get_time", "parameters": {"type": "object", "properties": {}}})"),
        kept("text behind it on the same line", true,
             R"({"name": "get_time", "arguments": {}} is what the server sends.)"),
        kept("a call on a line in the middle", true,
             "See:\n{\"name\": \"get_time\", \"arguments\": {}}\nThat is a call."),
        kept("a call in the middle of a line", true,
             R"(Send {"name": "get_time", "arguments": {}})"),
        {"python calls", true, "[get_time(timezone=\"UTC\")]", ""},
        kept("python calls of another name", true, "[print(a=1)]"),
        kept("a python link", true, "[get_time(city)](https://example.org)"),
        {"a name glued to its arguments", true, R"(get_time{"timezone": "UTC"})", ""},
        kept("a name glued to its arguments, then text", true,
             R"(get_time{"timezone": "UTC"} is odd.)"),
        {"an id glued to its arguments", true, R"(functions.get_time:0{"timezone": "UTC"})", ""},
        kept("an id in a sentence", true, "functions.get_time:0 is the first id."),
        {"the residue of an envelope", true,
         R"(commentary to=functions.get_time json{"timezone":"UTC"})", ""},
        kept("a residue in a sentence", true,
             "In the script, write call:get_time{timezone:UTC} on its own line."),
    });
}

BOOST_AUTO_TEST_CASE(d7_is_off_when_the_request_asks_for_json) {
    auto ctx = context_of(true);
    ctx.json_answer = true;
    for (std::string_view raw : {R"({"name": "get_time", "arguments": {"timezone": "UTC"}})",
                                 R"([{"name": "get_time", "arguments": {}}])",
                                 "```json\n{\"name\": \"get_time\", \"arguments\": {}}\n```"}) {
        BOOST_TEST(run_at_all_cuts(ctx, raw).clean == raw);
    }
    BOOST_TEST(visible(run_at_all_cuts(ctx, call).clean).empty());
}

BOOST_AUTO_TEST_CASE(d9_d10_d11_shapes_need_a_declared_name) {
    check({
        {"functools", true, R"(functools[{"name": "get_time", "arguments": {}}])", ""},
        {"functools behind a space", true, R"( functools[{"name": "get_time", "arguments": {}}])",
         ""},
        kept("functools in Python", true, "functools.lru_cache memoises calls."),
        kept("a subscript of functools", true, "functools[0] is no module member."),
        {"a recipient line", true, ">>>get_time\n{\"timezone\": \"UTC\"}", ""},
        kept("a REPL", true, ">>> get_time()\n'12:04'"),
        kept("a merge conflict", true, ">>>>>>> main\n"),
        {"an action and its input", true, "Action: get_time\nAction Input: {\"timezone\": \"UTC\"}",
         ""},
        kept("actions in minutes", true, "Action: call the vendor\nOwner: Priya\nAction: book"),
        kept("an action without its input", true, "Action: get_time\nOwner: Priya"),
        kept("an action of another name", true, "Action: dance\nAction Input: {\"a\": 1}"),
        {"the history's form", true, "[Calling tool: get_time({\"timezone\": \"UTC\"})]", ""},
        kept("the history's form with another name", true, "[Calling tool: dance({\"a\": 1})]"),
        kept("a bracketed sentence", true, "[Calling the plumber tomorrow] is on my list."),
        kept("an include", true, "#include <functional>\n#include <map>\n"),
    });
}

BOOST_AUTO_TEST_CASE(d12_harmony_envelopes) {
    check({
        {"analysis and a call", true,
         "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary "
         "to=functions.get_time <|constrain|>json<|message|>{}<|call|>",
         ""},
        {"analysis and an answer", false,
         "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi!"
         "<|return|>",
         "Hi!"},
        {"a doubled channel part", true,
         "<|channel|>commentary<|channel|>commentary to=functions.get_time<|message|>{}<|call|>",
         ""},
        {"a recipient in the role part", true,
         "<|start|>assistant to=functions.get_time<|channel|>commentary json<|message|>{}<|call|>",
         ""},
        {"an answer cut off", true, "<|channel|>final<|message|>Hello the", "Hello the"},
        {"a call cut off", true,
         "<|channel|>commentary to=functions.get_time<|message|>{\"timezone\": \"U", ""},
        {"a header cut off behind an answer", true,
         "<|channel|>final<|message|>Hi.<|end|><|start|>assistant<|chan", "Hi."},
        {"a call glued to text", true,
         "Let me see.<|start|>assistant<|channel|>commentary "
         "to=functions.get_time<|message|>{}<|call|>",
         "Let me see."},
        {"a code block in the answer", true,
         "<|channel|>final<|message|>```\n<|end|>\n```\nDone.<|return|>",
         "```\n<|end|>\n```\nDone."},
        {"a result that the model invents", true,
         "<|channel|>final<|message|>A<|end|><|start|>functions.get_time to=assistant<|channel|>"
         "commentary<|message|>{\"t\": 1}<|end|><|start|>assistant<|channel|>final<|message|>B",
         "AB"},
        kept("a header in a sentence", true,
             "The header <|start|>assistant<|channel|>final<|message|> opens the answer."),
        kept("a header in inline code", true, "It writes `<|channel|>final<|message|>` first."),
        kept("a token in a sentence", true, "The token <|channel|> names the channel."),
        kept("tokens of another role", true,
             "<|start|>user<|message|>Hi<|end|>\nis the user's part."),
        {"Gemma's thought and call", true,
         "<|channel>thought\nI will.\n<channel|><|tool_call>call:get_time{}<tool_call|>", ""},
        {"Gemma's thought and answer", true, "<|channel>thought\nI will.\n<channel|>Here it is.",
         "Here it is."},
        {"Cohere's envelope", true,
         "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>", "Hello."},
    });
}

BOOST_AUTO_TEST_CASE(d13_control_tokens) {
    check({
        {"glued to the end", false, "Your parcel left.<|im_end|>", "Your parcel left."},
        {"on the last line", false, "Your parcel left.\n<|eot_id|>", "Your parcel left.\n"},
        {"several", false, "Left.<|im_end|>\n<|endoftext|>", "Left."},
        {"the end of a sequence", false, "Sure, here you go: 42</s>", "Sure, here you go: 42"},
        {"DeepSeek's, with plain characters", false, "Left.<|end_of_sentence|>", "Left."},
        {"a role header at the start", true, "<|im_start|>assistant\nHello.", "Hello."},
        {"a role header between two parts", true, "One.<|im_end|>\n<|im_start|>assistant\nTwo.",
         "One.Two."},
        kept("in a sentence", false, "ChatML has <|im_start|> and <|im_end|>. Both are tokens."),
        kept("at the end, behind a space", false, "The message ends with <|im_end|>"),
        kept("in quotes", false, "It ends with \"<|im_end|>\""),
        kept("in front of text", false, "Left.<|im_end|>More."),
        kept("struck text at the end", false, "<s>$20</s>"),
        kept("struck text with an attribute", false, "<s class=\"x\">$20</s>"),
        kept("strong text", false, "Use <strong> or <s>old</s> here."),
        kept("a role header in a tutorial", false,
             "The prompt is <|im_start|>user and then <|im_start|>assistant\nand so on."),
    });
}

BOOST_AUTO_TEST_CASE(d14_results_that_the_model_invents) {
    check({
        {"behind a call", true,
         "<tool_call>{\"name\": \"get_time\", \"arguments\": "
         "{}}</tool_call>\n<tool_response>\n12:04\n"
         "</tool_response>\nIt is 12:04.",
         "\n\nIt is 12:04."},
        {"behind a call, cut off", true,
         "<tool_call>{\"name\": \"get_time\", \"arguments\": "
         "{}}</tool_call>\n<tool_response>\n12:0",
         ""},
        {"on its own line, with tools", true, "Done.\n<tool_response>ok</tool_response>\nBye.",
         "Done.\n\nBye."},
        kept("on its own line, without tools", false, "Done.\n<tool_response>ok</tool_response>"),
        kept("in a line", true, "A block is <tool_result>ok</tool_result> there."),
        kept("on its own line, never closed", true, "Done.\n<tool_response>\nwhat comes back"),
    });
}

BOOST_AUTO_TEST_CASE(d7_a_bare_call_behind_which_another_breaks_off_is_text) {
    const std::string object = R"({"name": "get_time", "arguments": {}})";
    for (const std::string_view behind :
         {"{<", "{\"a\" b", "{}", "\n{<", "\n{\"name\": \"other\"}"}) {
        const auto text = "It is so.\n" + object + std::string(behind);
        BOOST_TEST(run_at_all_cuts(context_of(true), text).clean == text, behind);
        const auto opening = object + std::string(behind);
        const auto got = run_at_all_cuts(context_of(true), opening).clean;
        BOOST_TEST((got == opening || opening == object + got), behind);
    }
}

BOOST_AUTO_TEST_CASE(d15_markers_broken_on_purpose) {
    check({
        kept("a zero-width space", true,
             "Write <\u200Btool_call>{\"name\": \"get_time\", \"arguments\": "
             "{}}</tool_call\u200B>."),
        kept("entities", true,
             "Write &lt;tool_call&gt;{\"name\": \"get_time\", \"arguments\": "
             "{}}&lt;/tool_call&gt;."),
        kept("a zero-width space in a sentinel", true, "<\u200B|tool_call|>[{\"name\": \"f\"}]"),
    });
}

BOOST_AUTO_TEST_CASE(sentinels_only_leaves_tags_and_shapes) {
    auto ctx = context_of(true);
    ctx.sentinels_only = true;
    for (std::string_view raw : {call, std::string_view("[TOOL_CALLS]get_time[ARGS]{}"),
                                 std::string_view(R"({"name": "get_time", "arguments": {}})"),
                                 std::string_view("Text.\n</tool_call>")}) {
        BOOST_TEST(run_at_all_cuts(ctx, raw).clean == raw);
    }
    BOOST_TEST(
        run_at_all_cuts(ctx, "Hm.<|tool_call|>[{\"name\": \"f\", \"arguments\": {}}]").clean ==
        "Hm.");
    BOOST_TEST(run_at_all_cuts(ctx, "Text.<|im_end|>").clean == "Text.");
}

BOOST_AUTO_TEST_CASE(reasoning_that_opens_the_turn_is_kept_and_told_apart) {
    const auto got = run_at_all_cuts(context_of(true),
                                     "<think>Let me `see`.\n```\n</think>\n<tool_call>{\"name\": "
                                     "\"get_time\", \"arguments\": {}}</tool_call>");
    BOOST_TEST(got.reasoning == "<think>Let me `see`.\n```\n</think>");
    BOOST_TEST(got.clean == got.reasoning + "\n");
    const auto inside =
        run_at_all_cuts(context_of(true), "<think>I call <tool_call>{\"name\": \"get_time\", "
                                          "\"arguments\": {}}</tool_call> now</think>Hello.");
    BOOST_TEST(inside.reasoning == "<think>I call  now</think>");
    BOOST_TEST(inside.clean == "<think>I call  now</think>Hello.");
    const auto later = run_at_all_cuts(context_of(true), "The tag <think> opens it.");
    BOOST_TEST(later.reasoning.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
