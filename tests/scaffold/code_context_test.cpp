// Code context (D8): in fences, indented blocks and code spans markup is text.
#include "proxy/scaffold/code_context.hpp"

#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace proxy::tests {

namespace {

constexpr std::string_view call = R"(<tool_call>{"name": "get_time", "arguments": {}}</tool_call>)";

/// `@` in the text stands for a call; what comes out must be `clean`.
struct code_case {
    std::string_view name;
    std::string_view text;
    std::string_view clean;
};

std::string with_call(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '@') {
            out += call;
        } else {
            out += c;
        }
    }
    return out;
}

constexpr code_case cases[] = {
    {"a fence of backticks", "Like this:\n```\n@\n```\nend", "Like this:\n```\n@\n```\nend"},
    {"a fence with an info string", "Like:\n```xml\n@\n```\nend", "Like:\n```xml\n@\n```\nend"},
    {"a fence of tildes", "Like:\n~~~\n@\n~~~\nend", "Like:\n~~~\n@\n~~~\nend"},
    {"a fence that never closes", "Like:\n```\n@\n", "Like:\n```\n@\n"},
    {"behind a fence", "Like:\n```\nx\n```\n@", "Like:\n```\nx\n```\n"},
    {"a shorter run doesn't close", "L:\n````\n```\n@\n````\n", "L:\n````\n```\n@\n````\n"},
    {"a longer run closes", "L:\n```\nx\n`````\n@", "L:\n```\nx\n`````\n"},
    {"another character doesn't close", "L:\n~~~\n```\n@\n~~~\n", "L:\n~~~\n```\n@\n~~~\n"},
    {"a run with text behind doesn't close", "L:\n```\n``` x\n@\n```\n",
     "L:\n```\n``` x\n@\n```\n"},
    {"a run with blanks behind closes", "L:\n```\nx\n```  \t\n@", "L:\n```\nx\n```  \t\n"},
    {"an indented run closes", "L:\n```\nx\n   ```\n@", "L:\n```\nx\n   ```\n"},
    {"four blanks open no fence", "L:\n    ```\n\n@", "L:\n    ```\n\n"},
    {"four blanks close no fence", "L:\n```\n    ```\n@\n```\n", "L:\n```\n    ```\n@\n```\n"},
    {"three blanks open a fence", "L:\n   ```\n@\n   ```\n", "L:\n   ```\n@\n   ```\n"},
    {"two backticks are no fence", "L:\n``\n\n@", "L:\n``\n\n"},
    {"a run in the middle of a line opens no fence", "L: ```\n\n@", "L: ```\n\n"},
    {"backticks in the info string make a span", "```x``` and @", "```x``` and "},
    {"a fence with CRLF", "L:\r\n```\r\n@\r\n```\r\n", "L:\r\n```\r\n@\r\n```\r\n"},
    {"a code span", "Use `@` here.", "Use `@` here."},
    {"a span of two backticks", "Use ``@`` here.", "Use ``@`` here."},
    {"a span over a line", "Use `a\n@` here.", "Use `a\n@` here."},
    {"a span over a blank line", "Use `a\n\n@` here.", "Use `a\n\n` here."},
    {"a span over a line of blanks", "Use `a\n \t\n@` here.", "Use `a\n \t\n` here."},
    {"a run of another length doesn't close", "Use `a`` @ here.", "Use `a``  here."},
    {"a run that never closes", "It's 5` long. @ Done.", "It's 5` long.  Done."},
    {"behind a closed span", "Use `x` and @.", "Use `x` and ."},
    {"an escaped backtick opens nothing", "A \\` and @ then `.", "A \\` and  then `."},
    {"an escaped backslash hides nothing", "A \\\\`@`.", "A \\\\`@`."},
    {"a block indented behind a blank line", "L:\n\n    @\n\nend", "L:\n\n    @\n\nend"},
    {"a block indented by a tab", "L:\n\n\t@\n\nend", "L:\n\n\t@\n\nend"},
    {"a line indented in a paragraph", "L:\n    @\nend", "L:\n    \nend"},
    {"a line indented at the start", "    @\nend", "    \nend"},
    {"behind an indented block", "L:\n\n    x\n@", "L:\n\n    x\n"},
    {"an indented block goes on behind a blank line", "L:\n\n    x\n\n    @\n",
     "L:\n\n    x\n\n    @\n"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(code)

BOOST_AUTO_TEST_CASE(markup_in_code_is_text_and_elsewhere_it_goes) {
    for (const auto& row : cases) {
        const auto got = run_at_all_cuts(context_of(true), with_call(row.text));
        BOOST_TEST(got.clean == with_call(row.clean), row.name << ": got '" << got.clean << "'");
    }
}

BOOST_AUTO_TEST_CASE(a_backtick_in_the_payload_can_close_the_span) {
    const std::string text =
        R"(Write `<tool_call>{"name": "get_time", "arguments": {"x": "a` b"}}</tool_call> so.)";
    BOOST_TEST(run_at_all_cuts(context_of(true), text).clean == text);
}

BOOST_AUTO_TEST_CASE(closers_and_tokens_in_code_are_text) {
    for (std::string_view text :
         {"The end is `</tool_call>`", "```\n</tool_call>\n```", "```\n<|im_end|>",
          "It ends with `<|im_end|>`", "See `<|tool_calls_section_end|>` there."}) {
        BOOST_TEST(run_at_all_cuts(context_of(true), text).clean == text);
    }
}

BOOST_AUTO_TEST_CASE(a_fence_that_is_the_whole_turn_and_holds_a_call_is_a_leak) {
    struct row {
        std::string_view text;
        bool leak;
    };

    constexpr std::string_view json = "{\"name\": \"get_time\", \"arguments\": {}}";
    const std::string whole = "```json\n" + std::string(json) + "\n```";
    const row rows[] = {
        {whole, true},
        {"```tool_code\nprint(get_time(timezone=\"UTC\"))\n```\n", true},
        {"```tool_call\n{\"name\": \"get_time\", \"arguments\": {}}\n```", true},
        {"```json\n{\"name\": \"dance\", \"arguments\": {}}\n```", false},
        {"```json\n{\"name\": \"get_time\", \"arguments\": {}}\n```\nSend that.", false},
        {"```python\nprint(1)\n```", false},
        {"```\nplain\n```", false},
        {"````json\n{\"name\": \"get_time\", \"arguments\": {}}\n````", false},
    };
    for (const auto& r : rows) {
        const auto got = run_at_all_cuts(context_of(true), r.text);
        BOOST_TEST(visible(got.clean) == (r.leak ? "" : r.text), r.text);
    }
    BOOST_TEST(run_at_all_cuts(context_of(false), whole).clean == whole);
    BOOST_TEST(run_at_all_cuts(context_of(true), "Send:\n" + whole).clean == "Send:\n" + whole);
}

BOOST_AUTO_TEST_CASE(a_run_is_told_to_be_open_until_it_closes) {
    scaffold::code_context context;
    for (const char c : std::string_view("a `b")) {
        context.step(c);
    }
    context.settle('<');
    BOOST_TEST(context.inline_open() == 1);
    BOOST_TEST(!context.in_code());
    context.confirm_inline();
    BOOST_TEST(context.in_code());
    for (const char c : std::string_view("<x` ")) {
        context.step(c);
    }
    BOOST_TEST(!context.in_code());
    BOOST_TEST(context.inline_open() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
