// Calls as invoke and parameter tags under some prefix, and MiniMax's marked tags.
#include "tests/generator/dialects.hpp"

#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

/// What stands in front of the tag names: "<｜DSML｜" + "invoke"; `typed` adds string="true|false".
struct prefix {
    std::string open = "<";
    std::string close = "</";
    bool typed = false;
};

prefix prefix_of(std::string_view name, bool typed = false) {
    return {"<" + std::string(name), "</" + std::string(name), typed};
}

void invoke_tag(draft& out, const call& one, const prefix& tag, std::string_view gap) {
    out.add(tag.open + "invoke name=\"" + one.name + "\">").add(gap);
    for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
        const auto& item = one.arguments.items[i];
        out.add(tag.open + "parameter name=\"" + one.arguments.keys[i] + "\"");
        if (tag.typed) {
            out.add(item.is == value::kind::text ? " string=\"true\"" : " string=\"false\"");
        }
        out.add(">").sure().add(to_raw(item)).add(tag.close + "parameter>").add(gap);
    }
    out.add(tag.close + "invoke>").body_end();
}

markup invokes(dice& chance, const calls& all, const prefix& tag, std::string_view open,
               std::string_view close) {
    const auto gap = maybe_line(chance);
    draft out;
    out.add(open).add(open.empty() ? "" : gap);
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : gap);
        invoke_tag(out, all[i], tag, gap);
    }
    return out.add(close.empty() ? "" : gap).add(close);
}

markup blocks(dice& chance, const calls& all, const prefix& tag, std::string_view block) {
    return invokes(chance, all, tag, tag.open + std::string(block) + ">",
                   tag.close + std::string(block) + ">");
}

const std::string ns = "ant"
                       "ml:";

markup invoke_block(dice& chance, const calls& all) {
    return blocks(chance, all, prefix{}, "function_calls");
}

markup invoke_bare(dice& chance, const calls& all) {
    return invokes(chance, all, prefix{}, "", "");
}

markup invoke_namespaced(dice& chance, const calls& all) {
    return blocks(chance, all, prefix_of(ns), "function_calls");
}

markup minimax_m2(dice& chance, const calls& all) {
    return invokes(chance, all, prefix{}, "<minimax:tool_call>", "</minimax:tool_call>");
}

markup dots(dice& chance, const calls& all) {
    if (chance.chance(50)) {
        return invokes(chance, all, prefix{}, "<dots_function_call>", "</dots_function_call>");
    }
    const auto object = plain_json_call(chance, all.front(), "name", "arguments");
    return draft()
        .add("<dots_function_call>")
        .add(object.text)
        .sure()
        .body_end()
        .add("</dots_function_call>");
}

markup step3(dice& chance, const calls& all) {
    draft out;
    out.add("<｜tool_calls_begin｜>");
    for (const auto& one : all) {
        out.add("<｜tool_call_begin｜>function<｜tool_sep｜>");
        invoke_tag(out, one, prefix_of("steptml:"), maybe_line(chance));
        out.add("<｜tool_call_end｜>");
    }
    return out.add("<｜tool_calls_end｜>");
}

markup gigachat35(dice& chance, const calls& all) {
    return blocks(chance, all, prefix_of("｜GCML｜", true), "tool_calls");
}

markup dsml_v32(dice& chance, const calls& all) {
    return blocks(chance, all, prefix_of("｜DSML｜", true), "function_calls");
}

markup dsml_v4(dice& chance, const calls& all) {
    return blocks(chance, all, prefix_of("｜DSML｜", true), "tool_calls");
}

/// Bars that relays and quantised models change, and the block that they leave out.
markup dsml_variant(dice& chance, const calls& all) {
    constexpr std::array<std::string_view, 5> bars = {"|DSML|", "｜｜DSML｜｜", "‖DSML‖",
                                                      "｜DSML｜", "||DSML||"};
    const auto tag = prefix_of(chance.pick(bars), chance.chance(70));
    constexpr std::array<std::string_view, 4> names = {"", "tool_calls", "function_calls",
                                                       "tool_call"};
    const auto block = chance.pick(names);
    return block.empty() ? invokes(chance, all, tag, "", "") : blocks(chance, all, tag, block);
}

markup muse(dice& chance, const calls& all) {
    return blocks(chance, all, prefix_of("atem:"), "function_calls");
}

markup minimax_m3(dice& chance, const calls& all) {
    const std::string mark = "]<]minimax[>[";
    draft out;
    out.add(mark + "<tool_call>").add("\n");
    for (const auto& one : all) {
        out.add(mark + "<invoke name=\"" + one.name + "\">");
        for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
            const auto& key = one.arguments.keys[i];
            out.add(mark + "<" + key + ">").sure().add(to_raw(one.arguments.items[i]));
            out.add(mark + "</" + key + ">");
        }
        out.add(mark + "</invoke>").body_end().add(chance.chance(50) ? "\n" : "");
    }
    return out.add(mark + "</tool_call>");
}

const std::string ns_opener = "<" + ns + "function_calls>";
const std::string ns_closer = "</" + ns + "function_calls>";

} // namespace

std::vector<dialect> prefixed_tag_dialects() {
    const text_rule tags{false, {"invoke", "parameter", "function_call", "tool_call", "minimax"}};
    const text_rule barred{false, {"DSML", "GCML", "tool_call", "function_call", "｜", "‖"}};
    return {
        {.name = "invoke-xml",
         .shows = evidence::shaped,
         .calls_max = 3,
         .rule = tags,
         .opener = "<function_calls>",
         .closer = "</function_calls>",
         .write = invoke_block},
        {.name = "invoke-bare",
         .shows = evidence::shaped,
         .arguments_min = 1,
         .rule = tags,
         .closer = "</invoke>",
         .write = invoke_bare},
        {.name = "invoke-namespaced",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .rule = tags,
         .opener = ns_opener,
         .closer = ns_closer,
         .write = invoke_namespaced},
        {.name = "minimax-m2",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .rule = tags,
         .opener = "<minimax:tool_call>",
         .closer = "</minimax:tool_call>",
         .write = minimax_m2},
        {.name = "minimax-m3",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .rule = tags,
         .opener = "]<]minimax[>[<tool_call>",
         .closer = "]<]minimax[>[</tool_call>",
         .write = minimax_m3},
        {.name = "dots",
         .rule = tags,
         .opener = "<dots_function_call>",
         .closer = "</dots_function_call>",
         .write = dots},
        {.name = "step3",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .rule = barred,
         .opener = "<｜tool_calls_begin｜>",
         .closer = "<｜tool_calls_end｜>",
         .write = step3},
        {.name = "gigachat35",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .rule = barred,
         .opener = "<｜GCML｜tool_calls>",
         .closer = "</｜GCML｜tool_calls>",
         .write = gigachat35},
        {.name = "dsml-v32",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .rule = barred,
         .opener = "<｜DSML｜function_calls>",
         .closer = "</｜DSML｜function_calls>",
         .write = dsml_v32},
        {.name = "dsml-v4",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .rule = barred,
         .opener = "<｜DSML｜tool_calls>",
         .closer = "</｜DSML｜tool_calls>",
         .write = dsml_v4},
        {.name = "dsml-variants",
         .shows = evidence::sentinel,
         .arguments_min = 1,
         .rule = barred,
         .opener = "<|DSML|tool_calls>",
         .closer = "</|DSML|tool_calls>",
         .write = dsml_variant},
        {.name = "muse",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .rule = tags,
         .opener = "<atem:function_calls>",
         .closer = "</atem:function_calls>",
         .write = muse},
    };
}

} // namespace tests::generator
