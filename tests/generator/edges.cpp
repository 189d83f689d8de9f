// Turns at the edges of the rules: templates, defused markers, fences that stay open, values longer
// than what is held, calls among punctuation.
#include "tests/generator/composer.hpp"
#include "tests/generator/prose.hpp"

#include <array>

namespace tests::generator {

namespace {

struct tag_pair {
    std::string_view open;
    std::string_view close;
};

bool is_call_anywhere(const dialect& d) {
    return d.where == place::anywhere;
}

bool begins_with_a_bracket(const dialect& d) {
    return d.opener.starts_with('<') && d.where == place::anywhere;
}

bool carries_long_text(const dialect& d) {
    return d.where == place::anywhere && d.rule.any && d.shows != evidence::shaped;
}

std::string replaced(std::string_view text, char what, std::string_view with) {
    std::string out;
    for (const char c : text) {
        out += c == what ? with : std::string_view(&c, 1);
    }
    return out;
}

/// Strings for defused examples: no bracket, which would be defused too, and nothing shaped.
const text_rule harmless{
    false,
    {"<", "[", "]", "✿", ">", "Action", "Observation", "functools", "`", "~~~", "\n\n", "&"}};

} // namespace

/// The form as templates and model cards print it: no payload, however much it looks like one (D3).
void composer::placeholder() {
    constexpr std::array<tag_pair, 7> tags = {{{"<tool_call>", "</tool_call>"},
                                               {"<function_call>", "</function_call>"},
                                               {"<tool_calls>", "</tool_calls>"},
                                               {"<TOOLCALL>", "</TOOLCALL>"},
                                               {"[TOOL_CALLS]", ""},
                                               {"<dots_function_call>", "</dots_function_call>"},
                                               {"[TOOL_CALL]", "[/TOOL_CALL]"}}};
    constexpr std::array<std::string_view, 9> bodies = {
        R"({"name": <function-name>, "arguments": <args-json-object>})",
        R"({"name": ..., "arguments": {...}})",
        "{...}",
        "...",
        "[...]",
        "{{ call | tojson }}",
        "…",
        R"({"name": $NAME, "arguments": $ARGS})",
        "<name of the function>"};
    turn_.scenario = "placeholder";
    turn_.ctx.tools = chance_.chance(60);
    const auto& tag = chance_.pick(tags);
    turn_.dialect = std::string(tag.open);
    const auto gap = maybe_line(chance_);
    keep(paragraph(chance_) + (chance_.chance(50) ? " Write " : "\n"));
    keep(std::string(tag.open) + std::string(gap) + std::string(chance_.pick(bodies)) +
         std::string(gap) + std::string(tag.close));
    keep((gap.empty() ? " " : "\n") + paragraph(chance_));
}

/// Markers that somebody broke on purpose stay broken (D15).
void composer::defused() {
    turn_.scenario = "defused";
    const auto& d = draw(begins_with_a_bracket);
    const auto text = d.write(chance_, calls_for(d, harmless, true)).text;
    keep(paragraph(chance_) + (chance_.chance(50) ? " " : "\n"));
    if (chance_.chance(50)) {
        keep(replaced(text, '<', "<\u200B"));
    } else {
        keep(replaced(replaced(text, '<', "&lt;"), '>', "&gt;"));
    }
    keep(" " + paragraph(chance_));
}

/// A fence that nobody closes is code up to the end.
void composer::open_fence() {
    turn_.scenario = "open fence";
    const auto& d = draw([](const dialect&) { return true; });
    turn_.ctx.tools = chance_.chance(60);
    const auto whole = fenced(chance_, write(d, true).text);
    keep(paragraph(chance_) + (chance_.chance(50) ? "\n" : "\n\n"));
    keep(whole.substr(0, whole.rfind('\n')));
}

/// More than is held before it is dropped as it comes.
void composer::long_value() {
    turn_.scenario = "long value";
    const auto& d = draw(carries_long_text);
    auto calls = calls_for(d, d.rule, true);
    std::string text;
    while (text.size() < 70'000) {
        text += random_text(chance_, d.rule) + " and more.";
    }
    calls.front().arguments = {value::kind::map, {}, {"a"}, {{value::kind::text, text, {}, {}}}};
    lead(d.where);
    strip(d.write(chance_, calls).text);
    follow(false);
}

/// Between quotes, in a list, in a table: the call goes, its surroundings stay.
void composer::among_punctuation() {
    constexpr std::array<tag_pair, 7> around = {{{"\"", "\""},
                                                 {"(", ")."},
                                                 {"**", "**"},
                                                 {"- ", "\n- "},
                                                 {"1. ", "\n2. "},
                                                 {"> ", "\n> "},
                                                 {"| a | ", " |"}}};
    turn_.scenario = "among punctuation";
    const auto& d = draw(is_call_anywhere);
    const auto& marks = chance_.pick(around);
    keep(paragraph(chance_) + "\n" + std::string(marks.open));
    strip(write(d, true).text);
    keep(std::string(marks.close) + (marks.close.ends_with(' ') ? sentence(chance_) : ""));
    keep("\n\n" + block(chance_), true);
}

} // namespace tests::generator
