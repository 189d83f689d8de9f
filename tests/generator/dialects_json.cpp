// Calls as JSON in a tag or behind a token.
#include "tests/generator/dialects.hpp"

#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

markup in_tags(dice& chance, const call& from, std::string_view open, std::string_view close) {
    const auto object = random_json_call(chance, from);
    const auto gap = maybe_line(chance);
    draft out;
    out.add(open).add(gap).add(std::string_view(object.text).substr(0, object.sure)).sure();
    return out.add(std::string_view(object.text).substr(object.sure))
        .body_end()
        .add(gap)
        .add(close);
}

markup hermes(dice& chance, const calls& all) {
    return in_tags(chance, all.front(), "<tool_call>", "</tool_call>");
}

markup hermes_list(dice& chance, const calls& all) {
    return list_in(chance, all, "<tool_call>", "</tool_call>");
}

markup alias(dice& chance, const calls& all) {
    constexpr std::array<std::string_view, 5> names = {"function_call", "tool", "toolcall",
                                                       "tool-call", "functioncall"};
    const auto name = std::string(chance.pick(names));
    return in_tags(chance, all.front(), "<" + name + ">", "</" + name + ">");
}

/// Tags that real documents use too: only with the plain object.
markup common_tag(dice& chance, const calls& all) {
    constexpr std::array<std::string_view, 4> names = {"tools", "response", "json", "xml"};
    const auto name = std::string(chance.pick(names));
    const auto object = plain_json_call(chance, all.front(), "name", "arguments");
    const auto gap = maybe_line(chance);
    return draft()
        .add("<" + name + ">")
        .add(gap)
        .add(object.text)
        .body_end()
        .add(gap)
        .add("</" + name + ">");
}

markup granite20(dice& chance, const calls& all) {
    const auto object = random_json_call(chance, all.front());
    draft out;
    out.add("<function_call>").add(chance.chance(50) ? " " : "");
    out.add(std::string_view(object.text).substr(0, object.sure)).sure();
    return out.add(std::string_view(object.text).substr(object.sure)).body_end();
}

markup jamba(dice& chance, const calls& all) {
    return list_in(chance, all, "<tool_calls>", "</tool_calls>");
}

markup hunyuan_a13b(dice& chance, const calls& all) {
    return list_in(chance, all, "助手：" + std::string(maybe_line(chance)) + "<tool_calls>",
                   "</tool_calls>");
}

markup minimax_m1(dice& chance, const calls& all) {
    draft out;
    out.add("<tool_calls>\n");
    for (const auto& one : all) {
        const auto object = plain_json_call(chance, one, "name", "arguments");
        out.add(object.text).sure().body_end().add("\n");
    }
    return out.add("</tool_calls>");
}

markup functools(dice& chance, const calls& all) {
    auto list = list_in(chance, all, "", "");
    return draft()
        .add("functools")
        .add(std::string_view(list.text).substr(list.text.find('[')))
        .body_end();
}

markup nemotron(dice& chance, const calls& all) {
    return list_in(chance, all, "<TOOLCALL>", "</TOOLCALL>");
}

} // namespace

std::vector<dialect> json_dialects() {
    return {
        {.name = "hermes", .opener = "<tool_call>", .closer = "</tool_call>", .write = hermes},
        {.name = "hermes-list",
         .calls_max = 3,
         .opener = "<tool_call>",
         .closer = "</tool_call>",
         .write = hermes_list},
        {.name = "hermes-alias", .opener = "<function_call>", .write = alias},
        {.name = "hermes-common-tag",
         .shows = evidence::shaped,
         .arguments_min = 1,
         .opener = "<tools>",
         .write = common_tag},
        {.name = "granite20b-fc", .opener = "<function_call>", .write = granite20},
        {.name = "hunyuan-a13b",
         .where = place::line,
         .calls_max = 3,
         .opener = "助手：<tool_calls>",
         .closer = "</tool_calls>",
         .write = hunyuan_a13b},
        {.name = "jamba",
         .calls_max = 3,
         .opener = "<tool_calls>",
         .closer = "</tool_calls>",
         .write = jamba},
        {.name = "minimax-m1",
         .calls_max = 3,
         .opener = "<tool_calls>",
         .closer = "</tool_calls>",
         .write = minimax_m1},
        {.name = "functools",
         .shows = evidence::shaped,
         .where = place::line,
         .calls_max = 2,
         .opener = "functools[",
         .write = functools},
        {.name = "nemotron-toolcall",
         .calls_max = 3,
         .opener = "<TOOLCALL>",
         .closer = "</TOOLCALL>",
         .write = nemotron},
    };
}

} // namespace tests::generator
