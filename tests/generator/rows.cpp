// Turns of several calls in a row, with results, next to a lone backtick; JSON that is no call.
#include "tests/generator/composer.hpp"
#include "tests/generator/prose.hpp"

#include <algorithm>
#include <array>

namespace tests::generator {

namespace {

bool is_call_anywhere(const dialect& d) {
    return d.where == place::anywhere;
}

bool ends_with_a_mark(const dialect& d) {
    return d.where == place::anywhere && !d.closer.empty();
}

} // namespace

/// The same form several times, with nothing or white space between: that belongs to no span. Only
/// an open one has none behind it: that could be the section's.
void composer::calls_in_a_row() {
    turn_.scenario = "calls in a row";
    const auto& d = draw(is_call_anywhere);
    lead(d.where);
    bool open = false;
    for (std::size_t i = 0, n = chance_.between(2, 4); i < n; ++i) {
        if (i > 0 && !open && chance_.chance(60)) {
            keep(chance_.chance(70) ? "\n" : "\n\n");
        }
        const auto made = write(d, true);
        const bool closed = made.body_end < made.text.size();
        open = open || (closed && d.self_ending && chance_.chance(15));
        strip(open && closed ? made.text.substr(0, made.body_end) : made.text);
    }
    if (chance_.chance(50)) {
        follow(true);
    }
}

/// What the model takes for the call's result goes too (D14).
void composer::result_behind_a_call() {
    constexpr std::array<std::array<std::string_view, 2>, 5> tags = {
        {{"<tool_response>", "</tool_response>"},
         {"<function_results>", "</function_results>"},
         {"<tool_output>", "</tool_output>"},
         {"[TOOL_RESULTS]", "[/TOOL_RESULTS]"},
         {"<|tool_response>", "<tool_response|>"}}};
    turn_.scenario = "result behind a call";
    const auto& d = draw(ends_with_a_mark);
    lead(d.where);
    strip(write(d, true).text);
    keep(std::string(maybe_line(chance_)));
    const auto& tag = chance_.pick(tags);
    const text_rule text{false,
                         {"tool_response", "function_results", "tool_output", "TOOL_RESULTS"}};
    strip(std::string(tag[0]) + random_text(chance_, text) + std::string(tag[1]));
    if (chance_.chance(70)) {
        follow(true);
    }
}

/// A backtick that no second one answers before the paragraph ends opens no code.
void composer::lone_backtick() {
    turn_.scenario = "lone backtick";
    const auto& d = draw(is_call_anywhere);
    const text_rule no_ticks{d.rule.any, {"`", "\n\n", "\r"}};
    auto rule = d.rule;
    rule.own.insert(rule.own.end(), no_ticks.own.begin(), no_ticks.own.end());
    rule.any = false;
    const auto text = d.write(chance_, calls_for(d, rule, true)).text;
    if (text.find('`') != std::string::npos || text.find("\n\n") != std::string::npos) {
        keep("The key ` is left of 1.");
        return;
    }
    keep("The key ` is left of the digit 1. " + std::string(chance_.chance(50) ? "So:\n" : ""));
    strip(text);
    if (chance_.chance(60)) {
        keep("\n\n" + block(chance_));
    }
}

/// Strings without marks: a token's closer goes wherever it stands, in JSON too.
const text_rule unmarked{false, {"<", "]", "✿", "Observation", "functools"}};

/// JSON as the answer: not a tool's name, or not only a call's keys, or a declaration.
void composer::answer_in_json() {
    turn_.scenario = "answer in JSON";
    const auto arguments = random_arguments(chance_, unmarked);
    const auto style = random_json_style(chance_);
    const auto tool = json_quoted(turn_.ctx.names.front());
    switch (chance_.below(5)) {
    case 0:
        keep("{\"name\": \"Ada\", \"parameters\": " + to_json(arguments, style) + "}");
        break;
    case 1:
        keep("{\"name\": " + tool + ", \"price\": 3, \"arguments\": " + to_json(arguments, style) +
             "}");
        break;
    case 2:
        keep("{\"name\": " + tool +
             ", \"parameters\": {\"type\": \"object\", \"properties\": {\"a\": {}}}}");
        break;
    case 3: {
        turn_.ctx.json_answer = true;
        const auto& d = draw([](const dialect& one) { return one.name == "bare-json"; });
        keep(d.write(chance_, calls_for(d, unmarked, true)).text);
        break;
    }
    default:
        keep(to_json(arguments, style));
    }
}

} // namespace tests::generator
