// Calls whose input is plain text behind a separator.
#include "proxy/base/limits.hpp"

#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using tests::check;
using tests::check_evidence;
using tests::check_sound;
using tests::payload_setting;

const payload_setting react{.kind = name_sep_line,
                            .cls = format_class::shaped,
                            .separators = {"Action Input:"},
                            .open = {"Action:"},
                            .close = {"Observation:"}};
const payload_setting inkling{.kind = name_sep_text,
                              .cls = format_class::sentinel,
                              .separators = {"<|content_invoke_tool_text|>"},
                              .open = {"<|message_model|>"},
                              .close = {"<|end_message|>"}};
const payload_setting code{.kind = name_sep_text,
                           .separators = {"<code>"},
                           .open = {"<FunctionCall>"},
                           .close = {"</code>", "</FunctionCall>"}};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_named_text)

BOOST_AUTO_TEST_CASE(an_input_of_text_ends_with_its_line) {
    check(
        react,
        {
            {"a line", "Action:", " f\nAction Input: tides in Brest§\nObservation:", complete, "f"},
            {"up to the end", "Action:", " f\nAction Input: tides in Brest§", complete, "f"},
            {"a quoted one", "Action:", " f\nAction Input: \"x\"§\n", complete, "f"},
            {"a list", "Action:", " f\nAction Input: [1, 2]§\n", complete, "f"},
            {"Windows lines", "Action:", " f\r\nAction Input: x§\r\nThought: y", complete, "f"},
            {"a return within", "Action:", " f\nAction Input: x\ry§\nThought", complete, "f"},
            {"a blank line between", "Action:", " f\n\nAction Input:x§\n", complete, "f"},
            {"an empty input", "Action:", " f\nAction Input:§ \nObservation: y", complete, "f"},
            {"cut behind the separator", "Action:", " f\nAction Input: ", confirmed, "f"},
            {"cut in the separator", "Action:", " f\nAction Inp", started, "f"},
            {"cut in the name", "Action:", " get_wea", started, "get_wea"},
        });
}

BOOST_AUTO_TEST_CASE(other_lines_are_no_input) {
    check(react, {
                     {"JSON", "Action:", " f\nAction Input: §{\"a\": 1}", broken, "f"},
                     {"JSON on the next line", "Action:", " f\nAction Input:\n§{", broken, "f"},
                     {"a fence", "Action:", " f\nAction Input: §```json", broken, "f"},
                     {"both in one line", "Action:", " f Action Input§: x", broken, "f"},
                     {"minutes", "Action:", " Anna §sends the draft.", broken, "Anna"},
                     {"another line", "Action:", " f\n§Owner: Ben", broken, "f"},
                     {"no name", "Action:", " §(none)", broken},
                 });
}

BOOST_AUTO_TEST_CASE(an_input_of_any_text_ends_at_a_closer) {
    const std::string_view open = "<|message_model|>";
    check(inkling,
          {
              {"text", open, "f<|content_invoke_tool_text|>a\n{b}§<|end_message|>x", complete, "f"},
              {"nothing", open, "f<|content_invoke_tool_text|>§<|end_message|>", complete, "f"},
              {"the begin of a closer", open,
               "f<|content_invoke_tool_text|><|end_<|e§<|end_message|>", complete, "f"},
              {"the next call", open, "f<|content_invoke_tool_text|>a§<|message_model|>g", complete,
               "f"},
              {"no closer", open, "f<|content_invoke_tool_text|>a <|end_mess", confirmed, "f"},
              {"cut in the separator", open, "f<|content_invoke", started, "f"},
              {"another token", open, "f<|content_§text|>", broken, "f"},
              {"a sentence", open, " opens §a message", broken, "opens"},
          });
    check({.kind = name_sep_text,
           .cls = format_class::shaped,
           .separators = {"<|message|>"},
           .open = {"to="},
           .close = {"<|eom|>"}},
          {{"a shape's opener is text", "to=", "f<|message|>to=x to=§<|eom|>", complete, "f"}});
    check(code,
          {
              {"pairs", "<FunctionCall>", "\nf\n<code>path>/a b§</code>\n", complete, "f"},
              {"JSON", "<FunctionCall>", "f<code>{\"a\": \"<b>\"}§</code>", complete, "f"},
              {"the outer closer", "<FunctionCall>", "f<code>a§</FunctionCall>", complete, "f"},
              {"another tag", "<FunctionCall>", "f<c§ite>", broken, "f"},
          });
}

BOOST_AUTO_TEST_CASE(the_separator_is_the_evidence) {
    check_evidence(react, {{"behind the second line's head", "Action:", " f\nAction Input:§ x"}});
    check_evidence(inkling,
                   {{"behind the token", "<|message_model|>", "f<|content_invoke_tool_text|>§x"}});
}

BOOST_AUTO_TEST_CASE(a_long_input_stays_bounded) {
    const std::string far(3 * proxy::limits::payload_gap_max, ' ');
    check_sound(react, "Action:", "f" + far + "\nAction Input: x");
    check_sound(react, "Action:", "f\nAction Input:" + far + "x\n");
    check_sound(inkling, "<|message_model|>", std::string(1000, 'n'));
    check_sound(inkling, "<|message_model|>",
                "f<|content_invoke_tool_text|>" + std::string(2000, '<') + "|end_message|>");
}

BOOST_AUTO_TEST_SUITE_END()
