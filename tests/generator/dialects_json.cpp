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

/// Several calls as an array or one per line between two marks.
markup list_in(dice& chance, const calls& all, std::string_view open, std::string_view close,
               std::string_view name_key = "name", std::string_view arguments_key = "arguments") {
    const auto gap = maybe_line(chance);
    draft out;
    out.add(open).add(gap).add("[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto object = plain_json_call(chance, all[i], name_key, arguments_key);
        out.add(i == 0 ? "" : ", ").add(std::string_view(object.text).substr(0, object.sure));
        out.sure().add(std::string_view(object.text).substr(object.sure));
    }
    return out.add("]").body_end().add(close);
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

markup minimax_m1(dice& chance, const calls& all) {
    draft out;
    out.add("<tool_calls>\n");
    for (const auto& one : all) {
        const auto object = plain_json_call(chance, one, "name", "arguments");
        out.add(object.text).sure().body_end().add("\n");
    }
    return out.add("</tool_calls>");
}

markup granite3(dice& chance, const calls& all) {
    return list_in(chance, all, "<|tool_call|>", "");
}

markup phi4(dice& chance, const calls& all) {
    return list_in(chance, all, "<|tool_call|>", "<|/tool_call|>");
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

markup apertus(dice& chance, const calls& all) {
    const auto style = random_json_style(chance);
    draft out;
    out.add("<|tools_prefix|>[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "{" : ", {").add(quoted(all[i].name)).add(": {").sure();
        out.add(std::string_view(to_json(all[i].arguments, style, 1)).substr(1)).add("}");
    }
    return out.add("]").body_end().add("<|tools_suffix|>");
}

markup internlm(dice& chance, const calls& all) {
    const auto object = plain_json_call(chance, all.front(), "name",
                                        chance.chance(50) ? "parameters" : "arguments");
    draft out;
    out.add("<|action_start|><|plugin|>").add(maybe_line(chance));
    out.add(std::string_view(object.text).substr(0, object.sure)).sure();
    out.add(std::string_view(object.text).substr(object.sure)).body_end();
    return out.add(maybe_line(chance)).add("<|action_end|>");
}

markup command_r7b(dice& chance, const calls& all) {
    const auto style = random_json_style(chance);
    draft out;
    out.add("<|START_ACTION|>[\n    ");
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : ",\n    ").add("{\"tool_call_id\": \"" + std::to_string(i) + "\", ");
        out.add("\"tool_name\": " + quoted(all[i].name)).sure().add(", \"parameters\": ");
        out.add(to_json(all[i].arguments, style, 1)).add("}");
    }
    return out.add("\n]").body_end().add("<|END_ACTION|>");
}

markup cofl(dice& chance, const calls& all) {
    draft out;
    out.add("<cofl:tool_calls>").add(maybe_line(chance));
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add("<cofl:tool_call id=\"" + std::to_string(i) + "\" name=\"" + all[i].name + "\">");
        out.add(to_json(all[i].arguments, random_json_style(chance))).add("</cofl:tool_call>");
    }
    return out.body_end().add("</cofl:tool_calls>");
}

markup gigachat3(dice& chance, const calls& all) {
    const auto object = plain_json_call(chance, all.front(), "name", "arguments");
    draft out;
    out.add(chance.chance(50) ? "<|function_call|>"
                              : "<|message_sep|>\n\nfunction call<|role_sep|>\n");
    out.add(std::string_view(object.text).substr(0, object.sure)).sure();
    return out.add(std::string_view(object.text).substr(object.sure)).body_end();
}

markup sarashina(dice&, const calls& all) {
    draft out;
    out.add("<|tool_calls|>[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : ", ").add("{'name': '" + all[i].name + "'").sure();
        out.add(", 'arguments': ").add(to_python(all[i].arguments, '\'')).add("}");
    }
    return out.add("]").body_end();
}

markup pangu(dice& chance, const calls& all) {
    return list_in(chance, all, "[unused11]", "[unused12]");
}

markup pangu2(dice& chance, const calls& all) {
    return list_in(chance, all, "<|tool_call_start|>", "<|tool_call_end|>");
}

} // namespace

std::vector<dialect> json_dialects() {
    constexpr auto sentinel = evidence::sentinel;
    constexpr auto tagged = evidence::tagged;
    constexpr auto shaped = evidence::shaped;
    constexpr auto anywhere = place::anywhere;
    return {
        {"hermes", tagged, anywhere, 1, 0, false, true, {}, "<tool_call>", "</tool_call>", hermes},
        {"hermes-list",
         tagged,
         anywhere,
         3,
         0,
         false,
         true,
         {},
         "<tool_call>",
         "</tool_call>",
         hermes_list},
        {"hermes-alias", tagged, anywhere, 1, 0, false, true, {}, "<function_call>", "", alias},
        {"hermes-common-tag", shaped, anywhere, 1, 1, false, true, {}, "<tools>", "", common_tag},
        {"granite20b-fc",
         tagged,
         anywhere,
         1,
         0,
         false,
         true,
         {},
         "<function_call>",
         "",
         granite20},
        {"jamba", tagged, anywhere, 3, 0, false, true, {}, "<tool_calls>", "</tool_calls>", jamba},
        {"minimax-m1",
         tagged,
         anywhere,
         3,
         0,
         false,
         true,
         {},
         "<tool_calls>",
         "</tool_calls>",
         minimax_m1},
        {"granite3", sentinel, anywhere, 3, 0, false, true, {}, "<|tool_call|>", "", granite3},
        {"phi4-mini",
         sentinel,
         anywhere,
         3,
         0,
         false,
         true,
         {},
         "<|tool_call|>",
         "<|/tool_call|>",
         phi4},
        {"functools", shaped, place::line, 2, 0, false, true, {}, "functools[", "", functools},
        {"nemotron-toolcall",
         tagged,
         anywhere,
         3,
         0,
         false,
         true,
         {},
         "<TOOLCALL>",
         "</TOOLCALL>",
         nemotron},
        {"apertus",
         sentinel,
         anywhere,
         3,
         0,
         false,
         true,
         {},
         "<|tools_prefix|>",
         "<|tools_suffix|>",
         apertus},
        {"internlm2",
         sentinel,
         anywhere,
         1,
         0,
         false,
         true,
         {},
         "<|action_start|>",
         "<|action_end|>",
         internlm},
        {"command-r7b",
         sentinel,
         anywhere,
         3,
         0,
         false,
         true,
         {},
         "<|START_ACTION|>",
         "<|END_ACTION|>",
         command_r7b},
        {"cofl",
         sentinel,
         anywhere,
         2,
         0,
         false,
         true,
         {},
         "<cofl:tool_calls>",
         "</cofl:tool_calls>",
         cofl},
        {"gigachat3",
         sentinel,
         anywhere,
         1,
         0,
         false,
         true,
         {},
         "<|function_call|>",
         "",
         gigachat3},
        {"sarashina", sentinel, anywhere, 2, 0, false, true, {}, "<|tool_calls|>", "", sarashina},
        {"pangu", tagged, anywhere, 2, 0, false, true, {}, "[unused11]", "[unused12]", pangu},
        {"pangu2",
         sentinel,
         anywhere,
         2,
         0,
         false,
         true,
         {},
         "<|tool_call_start|>",
         "<|tool_call_end|>",
         pangu2},
    };
}

} // namespace tests::generator
