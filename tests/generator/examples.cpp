// Turns that explain formats: examples in code marks or without tools, names in sentences, closers.
#include "tests/generator/composer.hpp"
#include "tests/generator/prose.hpp"

#include <algorithm>
#include <array>

namespace tests::generator {

namespace {

/// Strings for examples that stand in visible text: no marks that a rule of their own would touch.
const text_rule tame{false,
                     {"<", "[", "]", "✿", ">", "Action", "Observation", "functools", "`", "~~~",
                      "\"name\"", "\n\n"}};

bool is_call_anywhere(const dialect& d) {
    return d.where != place::turn;
}

bool is_any(const dialect&) {
    return true;
}

bool needs_tools(const dialect& d) {
    return d.shows != evidence::sentinel && d.name != "pangu";
}

bool needs_a_declared_name(const dialect& d) {
    constexpr std::array<std::string_view, 16> names = {
        "functools",  "toolname-xml",    "glm45-bare",       "bare-json",
        "pythonic",   "react",           "calling-tool",     "functionary32",
        "command-r1", "mistral-residue", "kimi-residue",     "harmony-residue",
        "react-text", "name-paren",      "deepseek-r1-name", "deepseek-r1-list"};
    return std::ranges::find(names, d.name) != names.end();
}

bool has_opener(const dialect& d) {
    return !d.opener.empty() && d.shows != evidence::shaped;
}

bool has_closer(const dialect& d) {
    return !d.closer.empty() && d.shows != evidence::shaped;
}

/// A token's closer goes anywhere, so only a tag's may end a sentence.
bool has_plain_closer(const dialect& d) {
    return has_closer(d) && d.shows == evidence::tagged && d.name != "pangu";
}

} // namespace

void composer::example_in_code() {
    turn_.scenario = "example in code";
    const auto& d = draw(is_any);
    turn_.ctx.tools = chance_.chance(60);
    const auto text = write(d, true).text;
    const bool one_line = text.find_first_of("\r\n") == std::string::npos;
    const bool first = chance_.chance(15);
    if (!first) {
        keep(block(chance_) + "\n\n", true);
        keep(paragraph(chance_));
    }
    const std::size_t roll = chance_.below(3);
    if (roll == 0 && one_line) {
        keep((first ? "" : " ") + inline_code(text) + " " + sentence(chance_));
    } else if (roll == 1 && !first) {
        keep("\n\n" + indented(text, chance_.chance(75) ? "    " : "\t") + "\n");
    } else {
        keep((first ? "" : chance_.chance(50) ? "\n" : "\n\n") + fenced(chance_, text));
    }
    if (first || chance_.chance(60)) {
        keep("\n\n" + paragraph(chance_));
    }
}

void composer::example_and_call() {
    example_in_code();
    turn_.scenario = "example in code and a call";
    turn_.ctx.tools = true;
    const auto& d = draw(is_call_anywhere);
    keep("\n\n" + paragraph(chance_) + (chance_.chance(50) ? "\n" : "\n\n"));
    one_call(d, true);
}

void composer::example_without_tools() {
    turn_.scenario = "example without tools";
    turn_.ctx.tools = false;
    const auto& d = draw(needs_tools);
    keep(paragraph(chance_) + (chance_.chance(50) ? "\n" : "\n\n"));
    keep(d.write(chance_, calls_for(d, tame, true)).text);
    keep("\n\n" + paragraph(chance_), true);
}

void composer::undeclared_name() {
    turn_.scenario = "undeclared name";
    const auto& d = draw(needs_a_declared_name);
    if (d.where != place::turn) {
        lead(d.where, true);
    }
    keep(d.write(chance_, calls_for(d, tame, false)).text);
}

void composer::named_in_a_sentence() {
    turn_.scenario = "named in a sentence";
    turn_.ctx.tools = chance_.chance(60);
    constexpr std::array<std::string_view, 4> behind = {
        " starts a call there.", " is the marker, and JSON follows.", ", says the template.",
        "\" is its first token. So it goes."};
    for (std::size_t i = chance_.between(1, 3); i > 0; --i) {
        const auto& d = draw(has_opener);
        const auto& words = chance_.pick(behind);
        keep(paragraph(chance_) + " The text " + (words.starts_with('"') ? "\"" : "") +
             std::string(d.opener) + std::string(words) + (chance_.chance(50) ? "\n\n" : " "));
    }
    keep(paragraph(chance_));
    if (chance_.chance(30)) {
        keep(" It begins with " + std::string(draw(has_opener).opener));
    } else if (chance_.chance(30)) {
        keep(" It ends with " + std::string(draw(has_plain_closer).closer));
    }
}

void composer::closers_only() {
    turn_.scenario = "closers only";
    const auto& d = draw(has_closer);
    turn_.ctx.tools = d.shows != evidence::sentinel || chance_.chance(70);
    keep(paragraph(chance_, false) + (chance_.chance(50) ? "\n" : ""));
    std::string run(d.closer);
    for (std::size_t i = chance_.below(3); i > 0; --i) {
        run += std::string(maybe_line(chance_)) + std::string(d.closer);
    }
    strip(run);
}

} // namespace tests::generator
