// Calls whose input is text, and the forms that models and relays make of others: maps with arrows,
// calls behind a closer of reasoning, blocks whose tag lost its marks, channels without tokens.
#include "tests/generator/dialects.hpp"
#include "tests/generator/prose.hpp"

#include <algorithm>
#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

/// The first argument as text that begins like a sentence.
std::string text_of(const call& one) {
    return "to " + to_raw(one.arguments.items.front());
}

std::string line_of(const call& one) {
    auto text = text_of(one);
    std::ranges::replace(text, '\n', ' ');
    std::ranges::replace(text, '\r', ' ');
    return text;
}

std::string json_of(dice& chance, const call& one) {
    return to_json(one.arguments, random_json_style(chance));
}

markup react_text(dice& chance, const calls& all) {
    draft out;
    out.add("Action: " + all.front().name + "\nAction Input:").sure().add(" ");
    out.add(line_of(all.front())).body_end();
    if (chance.chance(40)) { // and what the model takes for the result
        out.add("\nObservation:").add(chance.chance(50) ? " " + sentence(chance, false) : "");
    }
    return out;
}

markup name_paren(dice& chance, const calls& all) {
    return draft().add("Action: " + python_call(chance, all.front()));
}

markup inkling_text(dice&, const calls& all) {
    draft out;
    out.add("<|message_model|>" + all.front().name + "<|content_invoke_tool_text|>").sure();
    return out.add(text_of(all.front())).body_end().add("<|end_message|>");
}

/// Behind a header that the server took.
markup inkling_alone(dice&, const calls& all) {
    draft out;
    out.add("<|content_invoke_tool_text|>t").sure();
    return out.add(text_of(all.front())).body_end().add("<|end_message|>");
}

markup function_call_code(dice& chance, const calls& all) {
    const auto gap = maybe_line(chance);
    draft out;
    out.add("<FunctionCall>").add(gap).add(all.front().name).add(gap).add("<code>").sure();
    out.add("path>" + text_of(all.front())).body_end();
    return out.add("</code></FunctionCall>");
}

/// `{tool => "n", args => {…}}` with pairs, flags or JSON in it.
markup bracket_arrows(dice& chance, const calls& all) {
    const auto& one = all.front();
    const auto gap = maybe_line(chance);
    const auto style = random_json_style(chance);
    draft out;
    out.add("[TOOL_CALL]").add(gap).add("{tool => \"" + one.name + "\"").sure().add(", args => ");
    const bool flags = chance.chance(40);
    if (chance.chance(30)) {
        out.add(json_of(chance, one));
    } else {
        out.add("{");
        for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
            out.add(i == 0 ? "" : flags ? "\n" : ", ").add(flags ? "--" : "");
            out.add(one.arguments.keys[i] + (flags ? " " : " => "));
            out.add(to_json(one.arguments.items[i], style));
        }
        out.add("}");
    }
    return out.add("}").body_end().add(gap).add("[/TOOL_CALL]");
}

markup r1_think(dice& chance, const calls& all) {
    draft out;
    out.add("<tool_call>function</think>").sure().add(all.front().name + "\n```json\n");
    out.add(json_of(chance, all.front())).add("\n```").body_end();
    return out.add(maybe_line(chance)).add("</tool_call>");
}

markup r1_name(dice& chance, const calls& all) {
    return draft().add("function<" + all.front().name + ">\n```json\n" +
                       json_of(chance, all.front()) + "\n```");
}

markup r1_list(dice& chance, const calls& all) {
    draft out;
    out.add(chance.chance(50) ? "function\n```json\n{\"tools\": ["
                              : "function ```json {\"tools\": [");
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : ", ");
        out.add(plain_json_call(chance, all[i], "name", "arguments").text);
    }
    return out.add("]}\n```");
}

/// A block of DSML whose tags stand apart from their marks.
markup dsml_split(dice& chance, const calls& all) {
    constexpr std::array<std::string_view, 4> gaps = {"", "", " ", "\n"};
    const auto gap = std::string(chance.pick(gaps));
    const auto bars =
        gap + "|" + (gap == " " ? " " : "") + "DSML" + (gap == " " ? " " : "") + "|" + gap;
    const auto tag = [&](std::string_view rest) { return "<" + bars + std::string(rest); };
    const auto end = [&](std::string_view word) { return "</" + bars + std::string(word) + ">"; };
    draft out;
    out.add("< calls>\n");
    for (const auto& one : all) {
        out.add(tag("invoke name=\"" + one.name + "\">\n")).sure();
        for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
            out.add(tag("parameter name=\"" + one.arguments.keys[i] + "\" string=\"true\">"));
            out.add(to_raw(one.arguments.items[i])).add(end("parameter")).add("\n");
        }
        out.add(end("invoke")).body_end().add("\n");
    }
    return out.add(chance.chance(50) ? "</ calls>" : end("calls"));
}

markup channels(dice& chance, const calls& all) {
    return draft().add("analysis" + sentence(chance, false) + std::string(maybe_line(chance)) +
                       "assistantcommentary to=functions." + all.front().name + " json" +
                       json_of(chance, all.front()));
}

markup dsml_named(dice& chance, const calls& all) {
    const auto object = json_of(chance, all.front());
    const auto key = std::min(object.find(':'), object.size() - 1) + 1; // the name may be anything
    draft out;
    out.add("<｜DSML｜toolcall>" + all.front().name + "\n```json\n" + object.substr(0, key)).sure();
    out.add(object.substr(key)).add("\n```").body_end();
    return out.add("\n</｜DSML｜toolcall>");
}

markup calling_tool_id(dice& chance, const calls& all) {
    return draft().add("[TOOL_CALL:call_" + std::to_string(chance.below(100)) + "] " +
                       python_call(chance, all.front()));
}

/// The first header's token stands in the prompt.
markup muse_header(dice& chance, const calls& all) {
    const auto& one = all.front();
    const auto gap = maybe_line(chance);
    draft out;
    out.add("to=" + one.name + "<|message|><atem:function_calls>").add(gap);
    out.add("<atem:invoke name=\"" + one.name + "\">");
    for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
        out.add("<atem:parameter name=\"" + one.arguments.keys[i] + "\">");
        out.add(to_raw(one.arguments.items[i])).add("</atem:parameter>");
    }
    out.add("</atem:invoke>").add(gap).add("</atem:function_calls>");
    return chance.chance(70) ? out.add("<|eom|>") : out;
}

} // namespace

std::vector<dialect> text_dialects() {
    const text_rule barred{false, {"DSML", "calls", "invoke", "parameter", "｜", "‖"}};
    return {
        {.name = "react-text",
         .shows = evidence::shaped,
         .where = place::line,
         .arguments_min = 1,
         .write = react_text},
        {.name = "name-paren",
         .shows = evidence::shaped,
         .where = place::line,
         .plain_names = true,
         .write = name_paren},
        {.name = "inkling-text",
         .shows = evidence::sentinel,
         .where = place::line,
         .arguments_min = 1,
         .self_ending = false,
         .rule = {false, {"message", "<|"}},
         .opener = "<|message_model|>",
         .closer = "<|end_message|>",
         .write = inkling_text},
        {.name = "inkling-text-alone",
         .shows = evidence::sentinel,
         .where = place::line,
         .arguments_min = 1,
         .self_ending = false,
         .rule = {false, {"message", "<|"}},
         .opener = "<|content_invoke_tool_text|>",
         .closer = "<|end_message|>",
         .write = inkling_alone},
        {.name = "function-call-code",
         .shows = evidence::shaped,
         .arguments_min = 1,
         .self_ending = false,
         .rule = {false, {"code", "Function", "function"}},
         .closer = "</FunctionCall>",
         .write = function_call_code},
        {.name = "bracket-arrows",
         .where = place::line,
         .opener = "[TOOL_CALL]",
         .closer = "[/TOOL_CALL]",
         .write = bracket_arrows},
        {.name = "deepseek-r1-think",
         .opener = "<tool_call>",
         .closer = "</tool_call>",
         .write = r1_think},
        {.name = "deepseek-r1-name",
         .shows = evidence::shaped,
         .where = place::line,
         .write = r1_name},
        {.name = "deepseek-r1-list",
         .shows = evidence::shaped,
         .where = place::line,
         .calls_max = 3,
         .write = r1_list},
        {.name = "dsml-split",
         .shows = evidence::sentinel,
         .where = place::line,
         .calls_max = 2,
         .rule = barred,
         .opener = "< calls>",
         .closer = "</|DSML|calls>",
         .write = dsml_split},
        {.name = "dsml-named",
         .shows = evidence::sentinel,
         .opener = "<｜DSML｜toolcall>",
         .closer = "</｜DSML｜toolcall>",
         .write = dsml_named},
        {.name = "calling-tool-id",
         .shows = evidence::shaped,
         .where = place::line,
         .plain_names = true,
         .write = calling_tool_id},
        {.name = "muse-header",
         .shows = evidence::sentinel,
         .where = place::turn,
         .rule = {false, {"<|", "atem"}},
         .write = muse_header},
        {.name = "harmony-channels",
         .shows = evidence::shaped,
         .where = place::turn,
         .write = channels},
    };
}

} // namespace tests::generator
