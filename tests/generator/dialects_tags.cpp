// Calls whose arguments are tags with plain names.
#include "tests/generator/dialects.hpp"

#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

/// <function=N> with <parameter=K> children; without the closing tag of the function.
void function_tag(draft& out, const call& one, std::string_view gap) {
    out.add("<function=" + one.name + ">").add(gap);
    for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
        out.add("<parameter=" + one.arguments.keys[i] + ">").sure().add(gap);
        out.add(to_raw(one.arguments.items[i])).add(gap).add("</parameter>").add(gap);
    }
}

markup wrapped_functions(dice& chance, const calls& all, std::string_view open,
                         std::string_view close) {
    const auto gap = maybe_line(chance);
    draft out;
    out.add(open).add(gap);
    for (const auto& one : all) {
        function_tag(out, one, gap);
        out.add("</function>").body_end().add(gap);
    }
    return out.add(close);
}

markup qwen3_coder(dice& chance, const calls& all) {
    return wrapped_functions(chance, all, "<tool_call>", "</tool_call>");
}

markup qwen3_coder_bare(dice& chance, const calls& all) {
    const auto gap = maybe_line(chance);
    draft out;
    function_tag(out, all.front(), gap);
    out.add("</function>").body_end();
    return chance.chance(50) ? out.add(gap).add("</tool_call>") : out;
}

markup seed_oss(dice& chance, const calls& all) {
    return wrapped_functions(chance, all, "<seed:tool_call>", "</seed:tool_call>");
}

markup functionary31(dice& chance, const calls& all) {
    draft out;
    out.add("<function=" + all.front().name + ">").add("{").sure();
    const auto arguments = to_json(all.front().arguments, random_json_style(chance));
    return out.add(std::string_view(arguments).substr(1)).body_end().add("</function>");
}

markup minicpm5(dice& chance, const calls& all) {
    const auto gap = maybe_line(chance);
    const auto& one = all.front();
    draft out;
    out.add("<function name=\"" + one.name + "\">").add(gap);
    for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
        const bool cdata = chance.chance(20);
        out.add("<param name=\"" + one.arguments.keys[i] + "\">").sure();
        out.add(cdata ? "<![CDATA[" : "").add(to_raw(one.arguments.items[i]));
        out.add(cdata ? "]]>" : "").add("</param>").add(gap);
    }
    return out.add("</function>").body_end();
}

markup mcp_xml(dice& chance, const calls& all) {
    const auto& one = all.front();
    draft out;
    out.add("<use_mcp_tool>\n<server_name>files</server_name>\n<tool_name>" + one.name);
    out.add("</tool_name>\n<arguments>\n").sure();
    out.add(to_json(one.arguments, random_json_style(chance)));
    return out.add("\n</arguments>\n").body_end().add("</use_mcp_tool>");
}

markup tool_use_xml(dice& chance, const calls& all) {
    const auto& one = all.front();
    draft out;
    out.add("<tool_use>\n<tool_name>" + one.name + "</tool_name>\n<parameters>").sure();
    out.add(to_json(one.arguments, random_json_style(chance)));
    return out.add("</parameters>\n").body_end().add("</tool_use>");
}

/// The tool's name is the tag, its arguments' names are the children.
markup toolname_xml(dice&, const calls& all) {
    const auto& one = all.front();
    draft out;
    out.add("<" + one.name + ">\n");
    for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
        const auto& key = one.arguments.keys[i];
        out.add("<" + key + ">").add(to_raw(one.arguments.items[i])).add("</" + key + ">\n").sure();
    }
    return out.body_end().add("</" + one.name + ">");
}

const std::vector<std::string_view> function_own = {"function", "parameter", "tool_call", "param",
                                                    "]]>"};

} // namespace

std::vector<dialect> tag_dialects() {
    const text_rule functions{false, function_own};
    const text_rule tags{false, {"</", "<", "tool"}};
    return {
        {.name = "qwen3-coder",
         .calls_max = 2,
         .rule = functions,
         .opener = "<tool_call>",
         .closer = "</tool_call>",
         .write = qwen3_coder},
        {.name = "qwen3-coder-bare",
         .arguments_min = 1,
         .rule = functions,
         .opener = "<function=",
         .closer = "</function>",
         .write = qwen3_coder_bare},
        {.name = "seed-oss",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .rule = functions,
         .opener = "<seed:tool_call>",
         .closer = "</seed:tool_call>",
         .write = seed_oss},
        {.name = "functionary31",
         .opener = "<function=",
         .closer = "</function>",
         .write = functionary31},
        {.name = "minicpm5",
         .shows = evidence::shaped,
         .arguments_min = 1,
         .rule = functions,
         .write = minicpm5},
        {.name = "mcp-xml",
         .where = place::line,
         .self_ending = false,
         .opener = "<use_mcp_tool>",
         .closer = "</use_mcp_tool>",
         .write = mcp_xml},
        {.name = "tool-use-xml",
         .where = place::line,
         .self_ending = false,
         .opener = "<tool_use>",
         .closer = "</tool_use>",
         .write = tool_use_xml},
        {.name = "toolname-xml",
         .shows = evidence::shaped,
         .where = place::line,
         .arguments_min = 1,
         .plain_names = true,
         .self_ending = false,
         .rule = tags,
         .write = toolname_xml},
    };
}

} // namespace tests::generator
