// Calls as JSON between or behind tokens.
#include "tests/generator/dialects.hpp"

namespace tests::generator {

namespace {

using calls = std::vector<call>;

markup granite3(dice& chance, const calls& all) {
    return list_in(chance, all, "<|tool_call|>", "");
}

markup phi4(dice& chance, const calls& all) {
    return list_in(chance, all, "<|tool_call|>", "<|/tool_call|>");
}

markup apertus(dice& chance, const calls& all) {
    const auto style = random_json_style(chance);
    draft out;
    out.add("<|tools_prefix|>[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "{" : ", {").add(json_quoted(all[i].name)).add(": {").sure();
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
        out.add("\"tool_name\": " + json_quoted(all[i].name)).sure().add(", \"parameters\": ");
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

std::vector<dialect> json_token_dialects() {
    return {
        {.name = "granite3",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .opener = "<|tool_call|>",
         .write = granite3},
        {.name = "phi4-mini",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .opener = "<|tool_call|>",
         .closer = "<|/tool_call|>",
         .write = phi4},
        {.name = "apertus",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .opener = "<|tools_prefix|>",
         .closer = "<|tools_suffix|>",
         .write = apertus},
        {.name = "internlm2",
         .shows = evidence::sentinel,
         .opener = "<|action_start|>",
         .closer = "<|action_end|>",
         .write = internlm},
        {.name = "command-r7b",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .opener = "<|START_ACTION|>",
         .closer = "<|END_ACTION|>",
         .write = command_r7b},
        {.name = "cofl",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .opener = "<cofl:tool_calls>",
         .closer = "</cofl:tool_calls>",
         .write = cofl},
        {.name = "gigachat3",
         .shows = evidence::sentinel,
         .opener = "<|function_call|>",
         .write = gigachat3},
        {.name = "sarashina",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .opener = "<|tool_calls|>",
         .write = sarashina},
        {.name = "pangu",
         .calls_max = 2,
         .opener = "[unused11]",
         .closer = "[unused12]",
         .write = pangu},
        {.name = "pangu2",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .opener = "<|tool_call_start|>",
         .closer = "<|tool_call_end|>",
         .write = pangu2},
    };
}

} // namespace tests::generator
