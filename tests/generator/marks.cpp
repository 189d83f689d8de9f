// Turns with single marks: an opener where the text ends, results and control tokens on their own.
#include "tests/generator/composer.hpp"
#include "tests/generator/prose.hpp"

#include <algorithm>
#include <array>

namespace tests::generator {

namespace {

constexpr std::array<std::string_view, 10> control_tokens = {
    "<|im_end|>",    "<|im_start|>",  "<|eot_id|>",    "<|endoftext|>",         "<|end_of_text|>",
    "<end_of_turn>", "<|assistant|>", "<|im_middle|>", "<|END_OF_TURN_TOKEN|>", "<｜User｜>"};

bool has_whole_opener(const dialect& d) {
    const bool whole = d.opener.ends_with('>') || d.opener.ends_with(']');
    return whole && d.shows != evidence::shaped && d.where == place::anywhere;
}

bool is_token(const dialect& d) {
    return has_whole_opener(d) && d.shows == evidence::sentinel && d.opener.starts_with("<|");
}

} // namespace

/// Nothing follows: markup on a line of its own, and a token also where it is glued to text (D2).
void composer::opener_at_end() {
    turn_.scenario = "opener at the end";
    const bool token = chance_.chance(40);
    const auto& d = token ? draw(is_token) : draw(has_whole_opener);
    const bool glued = token && chance_.chance(50);
    keep(paragraph(chance_, false) + (glued ? "" : chance_.chance(50) ? "\n" : "\n\n"));
    // A token's begin can be nothing else.
    const auto size =
        token && chance_.chance(50) ? chance_.between(6, d.opener.size()) : d.opener.size();
    strip(std::string(d.opener.substr(0, size)));
}

/// A block that looks like a tool's result, with no call before it (D14).
void composer::lone_result() {
    constexpr std::array<std::string_view, 4> names = {"tool_response", "tool_result",
                                                       "function_results", "tool_output"};
    turn_.scenario = "lone result";
    const std::string name(chance_.pick(names));
    const std::string block_text = "<" + name + ">" + sentence(chance_, false) + "</" + name + ">";
    turn_.dialect = name;
    const std::size_t roll = chance_.below(3);
    turn_.ctx.tools = roll != 0;
    keep(paragraph(chance_) + (roll == 1 ? " " : "\n"));
    if (roll == 2) {
        strip(block_text);
    } else {
        keep(block_text);
    }
    keep((roll == 1 ? " " : "\n") + paragraph(chance_));
}

/// In a sentence and in code they stay; glued to the end they go (D13).
void composer::control_token() {
    turn_.scenario = "control token";
    turn_.dialect = "control";
    turn_.ctx.tools = chance_.chance(60);
    const std::string token(chance_.pick(control_tokens));
    switch (chance_.below(3)) {
    case 0:
        keep(paragraph(chance_) + " The token " + token + " is one of them. " + sentence(chance_));
        break;
    case 1:
        keep(paragraph(chance_) + " It ends with " + inline_code(token) + ", as a rule.");
        break;
    default:
        keep(paragraph(chance_, false) + (chance_.chance(30) ? "\n" : ""));
        strip(token);
    }
}

/// What stays also stays with the line ends of Windows.
void composer::windows_line_ends() {
    switch (chance_.below(4)) {
    case 0:
        example_in_code();
        break;
    case 1:
        example_without_tools();
        break;
    case 2:
        named_in_a_sentence();
        break;
    default:
        placeholder();
    }
    turn_.scenario = "line ends of Windows";
    for (auto& p : turn_.parts) {
        std::string text;
        for (const char c : p.text) {
            text += c == '\n' && !text.ends_with('\r') ? "\r\n" : std::string(1, c);
        }
        p.text = text;
    }
}

} // namespace tests::generator
