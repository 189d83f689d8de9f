// Calls without a mark of their own: they count only with tools in context and a declared name.
#include "tests/generator/dialects.hpp"

#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

std::string call_object(dice& chance, const call& one) {
    const auto object =
        plain_json_call(chance, one, "name", chance.chance(50) ? "parameters" : "arguments").text;
    switch (chance.below(6)) {
    case 0:
        return "{\"type\": \"function\", " + object.substr(1);
    case 1:
        return "{\"type\": \"function\", \"function\": " + object + "}";
    case 2:
        return "{\"function\": " + object + "}";
    default:
        return object;
    }
}

std::string joined(dice& chance, const calls& all, std::string_view between) {
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        out += i == 0 ? "" : std::string(between);
        out += call_object(chance, all[i]);
    }
    return out;
}

markup bare_json(dice& chance, const calls& all) {
    switch (chance.below(4)) {
    case 0:
        return draft().add("[" + joined(chance, all, ", ") + "]");
    case 1:
        return draft().add("{\"tool_calls\": [" + joined(chance, all, ", ") + "]}");
    case 2:
        return draft().add(joined(chance, all, "\n"));
    default:
        return draft().add(joined(chance, all, "; "));
    }
}

markup pythonic(dice& chance, const calls& all) {
    draft out;
    out.add("[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : ", ").add(python_call(chance, all[i]));
    }
    return out.add("]");
}

markup json_fence(dice& chance, const calls& all) {
    constexpr std::array<std::string_view, 2> infos = {"json", "tool_call"};
    const auto object = plain_json_call(chance, all.front(), "name", "arguments");
    return draft().add("```").add(chance.pick(infos)).add("\n" + object.text + "\n```");
}

markup code_fence(dice& chance, const calls& all) {
    const auto one = python_call(chance, all.front());
    return draft()
        .add("```tool_code\n")
        .add(chance.chance(50) ? "print(" + one + ")" : one)
        .add("\n```");
}

markup react(dice& chance, const calls& all) {
    const auto& one = all.front();
    draft out;
    out.add("Action: " + one.name + "\nAction Input: ");
    out.add(to_json(one.arguments, random_json_style(chance))).body_end();
    return chance.chance(40) ? out.add("\nObservation:") : out;
}

markup calling_tool(dice& chance, const calls& all) {
    const auto& one = all.front();
    return draft().add("[Calling tool: " + one.name + "(" +
                       to_json(one.arguments, random_json_style(chance)) + ")]");
}

markup calling_tool_record(dice& chance, const calls& all) {
    const auto& one = all.front();
    return draft().add("[Previous assistant tool use]\nTool: " + one.name +
                       "\nInput: " + to_json(one.arguments, random_json_style(chance)));
}

markup bracket_block(dice& chance, const calls& all) {
    const auto object = random_json_call(chance, all.front());
    const auto gap = maybe_line(chance);
    draft out;
    out.add("[TOOL_CALL]")
        .add(gap)
        .add(std::string_view(object.text).substr(0, object.sure))
        .sure();
    out.add(std::string_view(object.text).substr(object.sure)).body_end();
    return out.add(gap).add("[/TOOL_CALL]");
}

markup functionary32(dice& chance, const calls& all) {
    draft out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : "\n").add(">>>" + all[i].name + "\n");
        out.add(to_json(all[i].arguments, random_json_style(chance)));
    }
    return out;
}

markup command_r(dice& chance, const calls& all) {
    const auto style = random_json_style(chance);
    draft out;
    out.add("Action:\n```json\n[\n");
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : ",\n")
            .add("    {\n        \"tool_name\": " + json_quoted(all[i].name));
        out.add(",\n        \"parameters\": ").add(to_json(all[i].arguments, style)).add("\n    }");
    }
    return out.add("\n]\n```");
}

markup rwkv(dice& chance, const calls& all) {
    const auto object = plain_json_call(chance, all.front(), "name", "arguments");
    return draft().add("**Tool Call:**\n```json\n" + object.text + "\n```");
}

markup mistral_residue(dice& chance, const calls& all) {
    draft out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 || chance.chance(60) ? "" : "\n").add(all[i].name);
        out.add(to_json(all[i].arguments, random_json_style(chance)));
    }
    return out;
}

markup kimi_residue(dice& chance, const calls& all) {
    draft out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i == 0 ? "" : maybe_line(chance));
        out.add("functions." + all[i].name + ":" + std::to_string(i));
        out.add(to_json(all[i].arguments, random_json_style(chance)));
    }
    return out;
}

markup harmony_residue(dice& chance, const calls& all) {
    return draft().add("commentary to=functions." + all.front().name + " json" +
                       to_json(all.front().arguments, random_json_style(chance)));
}

} // namespace

std::vector<dialect> shaped_dialects() {
    return {
        {.name = "bare-json",
         .shows = evidence::shaped,
         .where = place::turn,
         .calls_max = 3,
         .write = bare_json},
        {.name = "pythonic",
         .shows = evidence::shaped,
         .where = place::turn,
         .calls_max = 3,
         .plain_names = true,
         .write = pythonic},
        {.name = "json-fence",
         .shows = evidence::shaped,
         .where = place::turn,
         .write = json_fence},
        {.name = "info-fence",
         .shows = evidence::shaped,
         .where = place::turn,
         .plain_names = true,
         .write = code_fence},
        {.name = "react", .shows = evidence::shaped, .where = place::line, .write = react},
        {.name = "calling-tool",
         .shows = evidence::shaped,
         .where = place::line,
         .write = calling_tool},
        {.name = "calling-tool-record",
         .shows = evidence::shaped,
         .where = place::line,
         .write = calling_tool_record},
        {.name = "bracket-block",
         .where = place::line,
         .opener = "[TOOL_CALL]",
         .closer = "[/TOOL_CALL]",
         .write = bracket_block},
        {.name = "functionary32",
         .shows = evidence::shaped,
         .where = place::turn,
         .calls_max = 2,
         .write = functionary32},
        {.name = "command-r1",
         .shows = evidence::shaped,
         .where = place::turn,
         .calls_max = 2,
         .write = command_r},
        {.name = "rwkv", .shows = evidence::shaped, .where = place::line, .write = rwkv},
        {.name = "mistral-residue",
         .shows = evidence::shaped,
         .where = place::turn,
         .calls_max = 3,
         .arguments_min = 1,
         .write = mistral_residue},
        {.name = "kimi-residue",
         .shows = evidence::shaped,
         .where = place::turn,
         .calls_max = 3,
         .write = kimi_residue},
        {.name = "harmony-residue",
         .shows = evidence::shaped,
         .where = place::turn,
         .write = harmony_residue},
    };
}

} // namespace tests::generator
