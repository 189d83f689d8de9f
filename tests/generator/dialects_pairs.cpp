// Calls as pairs of key and value tags behind a name.
#include "tests/generator/dialects.hpp"

#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

/// The tags of one family: <PREFIXarg_keySUFFIX>.
struct pair_tags {
    std::string prefix;
    std::string suffix;
    bool types = false;

    std::string open(std::string_view tag) const {
        return "<" + prefix + std::string(tag) + suffix + ">";
    }

    std::string close(std::string_view tag) const {
        return "</" + prefix + std::string(tag) + suffix + ">";
    }
};

void pairs(draft& out, const call& one, const pair_tags& tags, std::string_view gap) {
    for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
        const auto& item = one.arguments.items[i];
        out.add(tags.open("arg_key")).sure().add(one.arguments.keys[i]).add(tags.close("arg_key"));
        if (tags.types) {
            out.add(tags.open("arg_type"));
            out.add(item.is == value::kind::text ? "string" : "object").add(tags.close("arg_type"));
        }
        out.add(gap).add(tags.open("arg_value")).add(to_raw(item)).add(tags.close("arg_value"));
        out.add(gap);
    }
}

markup glm(dice& chance, const calls& all) {
    const auto gap = maybe_line(chance);
    draft out;
    out.add("<tool_call>" + all.front().name).add(gap);
    pairs(out, all.front(), {}, gap);
    return out.body_end().add("</tool_call>");
}

/// Without arguments only a declared tool's name tells a call from a word.
markup glm_bare(dice& chance, const calls& all) {
    return draft()
        .add("<tool_call>" + all.front().name)
        .add(maybe_line(chance))
        .body_end()
        .add("</tool_call>");
}

markup longcat(dice& chance, const calls& all) {
    const auto gap = maybe_line(chance);
    draft out;
    if (chance.chance(30)) {
        const auto object = plain_json_call(chance, all.front(), "name", "arguments");
        out.add("<longcat_tool_call>").add(gap).add(object.text).sure().add(gap);
    } else {
        out.add("<longcat_tool_call>" + all.front().name).add(gap);
        pairs(out, all.front(), {"longcat_", "", false}, gap);
    }
    return out.body_end().add("</longcat_tool_call>");
}

markup hunyuan(dice& chance, const calls& all) {
    constexpr std::array<std::string_view, 3> labels = {"", ":opensource", ":6124c78e"};
    const pair_tags tags{"", std::string(chance.pick(labels)), false};
    const auto gap = maybe_line(chance);
    draft out;
    out.add(tags.open("tool_calls")).add(gap);
    for (const auto& one : all) {
        out.add(tags.open("tool_call")).add(one.name).add(tags.open("tool_sep")).sure().add(gap);
        pairs(out, one, tags, gap);
        out.add(tags.close("tool_call")).body_end().add(gap);
    }
    return out.add(tags.close("tool_calls"));
}

markup k2_horizon(dice& chance, const calls& all) {
    const auto gap = maybe_line(chance);
    const pair_tags tags{"ifm|", "", chance.chance(40)};
    const bool json = chance.chance(30);
    draft out;
    out.add("<ifm|tool_calls>").add(gap);
    for (const auto& one : all) {
        out.add("<ifm|tool_call>");
        if (json) {
            out.add(plain_json_call(chance, one, "name", "arguments").text).sure();
        } else {
            out.add(one.name).add("\n");
            pairs(out, one, tags, gap);
        }
        out.add("</ifm|tool_call>").body_end().add(gap);
    }
    return out.add("</ifm|tool_calls>");
}

markup solar(dice&, const calls& all) {
    const auto& one = all.front();
    draft out;
    out.add("<|tool_call:start|>" + one.name + "\n");
    for (std::size_t i = 0; i < one.arguments.items.size(); ++i) {
        out.add("<|tool_arg:start|>").sure().add(one.arguments.keys[i]).add("<|tool_arg:value|>");
        out.add(to_raw(one.arguments.items[i])).add("<|tool_arg:end|>\n");
    }
    return out.body_end().add("<|tool_call:end|>");
}

std::string plamo_mark(std::string_view word) {
    return "<|plamo:" + std::string(word) + ":plamo|>";
}

markup plamo3(dice& chance, const calls& all) {
    draft out;
    out.add(plamo_mark("begin_tool_requests"));
    for (const auto& one : all) {
        out.add(plamo_mark("begin_tool_request")).add(plamo_mark("begin_tool_name")).add(one.name);
        out.add(plamo_mark("end_tool_name")).add(plamo_mark("begin_tool_arguments")).sure();
        out.add(to_json(one.arguments, random_json_style(chance)));
        out.add(plamo_mark("end_tool_arguments")).add(plamo_mark("end_tool_request")).body_end();
    }
    return out.add(plamo_mark("end_tool_requests"));
}

} // namespace

std::vector<dialect> pair_dialects() {
    const text_rule tags{false, {"arg_", "tool_call", "tool_sep"}};
    const text_rule tokens{false, {"tool_arg", "tool_call"}};
    return {
        {.name = "glm45",
         .arguments_min = 1,
         .self_ending = false,
         .rule = tags,
         .opener = "<tool_call>",
         .closer = "</tool_call>",
         .write = glm},
        {.name = "glm45-bare",
         .shows = evidence::shaped,
         .self_ending = false,
         .rule = tags,
         .opener = "<tool_call>",
         .closer = "</tool_call>",
         .write = glm_bare},
        {.name = "longcat",
         .arguments_min = 1,
         .self_ending = false,
         .rule = tags,
         .opener = "<longcat_tool_call>",
         .closer = "</longcat_tool_call>",
         .write = longcat},
        {.name = "hunyuan3",
         .calls_max = 2,
         .self_ending = false,
         .rule = tags,
         .opener = "<tool_calls>",
         .write = hunyuan},
        {.name = "k2-horizon",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .arguments_min = 1,
         .rule = tags,
         .opener = "<ifm|tool_calls>",
         .closer = "</ifm|tool_calls>",
         .write = k2_horizon},
        {.name = "solar-open2",
         .shows = evidence::sentinel,
         .self_ending = false,
         .rule = tokens,
         .opener = "<|tool_call:start|>",
         .closer = "<|tool_call:end|>",
         .write = solar},
        {.name = "plamo3",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .self_ending = false,
         .opener = "<|plamo:begin_tool_requests:plamo|>",
         .closer = "<|plamo:end_tool_requests:plamo|>",
         .write = plamo3},
    };
}

} // namespace tests::generator
