#include "tests/generator/values.hpp"

#include <algorithm>
#include <array>

namespace tests::generator {

namespace {

constexpr std::array<std::string_view, 18> verbs = {
    "get", "fetch", "search", "read", "write", "list", "send", "create", "lookup",
    "run", "open",  "close",  "find", "move",  "plan", "book", "check",  "update"};
constexpr std::array<std::string_view, 16> nouns = {
    "weather", "file", "page",  "order",  "event", "mail", "ticket", "route",
    "stock",   "user", "image", "record", "task",  "note", "index",  "job"};

constexpr std::array<std::string_view, 44> words = {
    "alpha", "Oslo",  "the",     "42",        "naïve",
    "Größe", "東京",  "привет",  "🎉",         "emoji 👩‍👩‍👧",
    "a b",   "x=1",   "C:\\dir", "/srv/a",    "%s",
    "$HOME", "it's",  "O'Neil",  "\"quote\"", "#tag",
    "@me",   "a,b;c", "(x)",     "[0]",       "{a: 1}",
    "}}",    "{{",    "]",       "}",         "{",
    "\\",    "\\n",   "\t",      "\r\n",      "\n",
    "\n\n",  "`",     "``",      "```\n",     "```json\n",
    "~~~\n", "'''",   "\"\"\"",  "\u200B"};

constexpr std::array<std::string_view, 58> marks = {"<tool_call>",
                                                    "</tool_call>",
                                                    "<tool_calls>",
                                                    "</tool_calls>",
                                                    "<function=f>",
                                                    "</function>",
                                                    "<parameter=k>",
                                                    "</parameter>",
                                                    "<function_calls>",
                                                    "</function_calls>",
                                                    "<invoke name=\"f\">",
                                                    "</invoke>",
                                                    "<function_call>",
                                                    "</function_call>",
                                                    "<tools>",
                                                    "</tools>",
                                                    "[TOOL_CALLS]",
                                                    "[ARGS]",
                                                    "[TOOL_CALL]",
                                                    "[/TOOL_CALL]",
                                                    "<|tool_call|>",
                                                    "<|/tool_call|>",
                                                    "<|python_tag|>",
                                                    "<|eom_id|>",
                                                    "<|im_end|>",
                                                    "<|channel|>",
                                                    "<|message|>",
                                                    "<|call|>",
                                                    "<|start|>",
                                                    "<|end|>",
                                                    "<|tool_call>",
                                                    "<tool_call|>",
                                                    "<arg_key>",
                                                    "</arg_value>",
                                                    "<｜tool▁call▁begin｜>",
                                                    "<｜tool▁calls▁end｜>",
                                                    "<｜DSML｜invoke>",
                                                    "</｜DSML｜invoke>",
                                                    "]<]minimax[>[",
                                                    "<|tool_call_begin|>",
                                                    "<|tool_call_end|>",
                                                    "✿FUNCTION✿:",
                                                    "✿RESULT✿",
                                                    "Action: f",
                                                    "Observation:",
                                                    ">>>f",
                                                    "</s>",
                                                    "<s>",
                                                    "<think>",
                                                    "</think>",
                                                    "<b>bold</b>",
                                                    "</div>",
                                                    "<!-- c -->",
                                                    "&lt;",
                                                    "a < b",
                                                    "<",
                                                    "{\"name\": \"f\"}",
                                                    "functools["};

bool carries(std::string_view piece, const text_rule& rule) {
    return std::ranges::none_of(
        rule.own, [&](std::string_view own) { return piece.find(own) != std::string_view::npos; });
}

value random_value(dice& chance, const text_rule& rule, std::size_t depth);

value random_list(dice& chance, const text_rule& rule, std::size_t depth) {
    value list{value::kind::list, {}, {}, {}};
    for (std::size_t i = chance.below(4); i > 0; --i) {
        list.items.push_back(random_value(chance, rule, depth + 1));
    }
    return list;
}

value random_map(dice& chance, const text_rule& rule, std::size_t depth, std::size_t least) {
    value map{value::kind::map, {}, {}, {}};
    for (std::size_t i = chance.between(least, 4); i > 0; --i) {
        const auto key = random_key(chance);
        if (std::ranges::find(map.keys, key) == map.keys.end()) {
            map.keys.push_back(key);
            map.items.push_back(random_value(chance, rule, depth + 1));
        }
    }
    return map;
}

std::string random_number(dice& chance) {
    constexpr std::array<std::string_view, 7> odd = {
        "0", "-1", "3.25", "1e6", "-0.5", "2E-3", "9007199254740993"};
    return chance.chance(40) ? std::string(chance.pick(odd)) : std::to_string(chance.below(10000));
}

value random_value(dice& chance, const text_rule& rule, std::size_t depth) {
    using kind = value::kind;
    const std::size_t roll = chance.below(depth > 3 ? 80 : 100);
    if (roll < 55) {
        return {kind::text, random_text(chance, rule), {}, {}};
    }
    if (roll < 70) {
        return {kind::number, random_number(chance), {}, {}};
    }
    if (roll < 77) {
        return {kind::boolean, chance.chance(50) ? "true" : "false", {}, {}};
    }
    if (roll < 80) {
        return {kind::null_value, {}, {}, {}};
    }
    return roll < 90 ? random_list(chance, rule, depth) : random_map(chance, rule, depth, 0);
}

} // namespace

std::string random_name(dice& chance, bool plain) {
    const std::string base =
        std::string(chance.pick(verbs)) + "_" + std::string(chance.pick(nouns));
    const auto number = std::to_string(chance.below(30));
    switch (plain ? chance.below(2) : chance.below(6)) {
    case 0:
        return base;
    case 1:
        return base + number;
    case 2:
        return "mcp__" + std::string(chance.pick(nouns)) + "__" + base;
    case 3:
        return std::string(chance.pick(nouns)) + "." + base;
    case 4:
        return std::string(chance.pick(verbs)) + "-" + std::string(chance.pick(nouns));
    default:
        return "Do" + base + "V" + number;
    }
}

std::string random_key(dice& chance) {
    constexpr std::array<std::string_view, 14> keys = {
        "city",   "query", "path", "content", "limit", "unit", "start_line",
        "dryRun", "to",    "body", "X_Id",    "flag",  "meta", "k"};
    return std::string(chance.pick(keys));
}

std::string random_text(dice& chance, const text_rule& rule) {
    std::string text;
    for (std::size_t i = chance.below(chance.chance(10) ? 40 : 7); i > 0; --i) {
        const auto piece = chance.chance(70) ? chance.pick(words) : chance.pick(marks);
        if (!carries(piece, rule)) {
            continue;
        }
        const auto before = text.size();
        text += piece;
        text += chance.chance(60) ? " " : "";
        if (!carries(text, rule)) { // two pieces made a mark together
            text.resize(before);
        }
    }
    return text;
}

value random_arguments(dice& chance, const text_rule& rule, std::size_t least) {
    auto arguments = random_map(chance, rule, 0, std::max<std::size_t>(least, 1));
    if (least == 0 && chance.chance(15)) {
        arguments = {value::kind::map, {}, {}, {}};
    }
    return arguments;
}

} // namespace tests::generator
