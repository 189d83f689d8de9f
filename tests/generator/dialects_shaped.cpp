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
        out.add(i == 0 ? "" : ",\n").add("    {\n        \"tool_name\": " + quoted(all[i].name));
        out.add(",\n        \"parameters\": ").add(to_json(all[i].arguments, style)).add("\n    }");
    }
    return out.add("\n]\n```");
}

markup rwkv(dice& chance, const calls& all) {
    const auto object = plain_json_call(chance, all.front(), "name", "arguments");
    return draft().add("**Tool Call:**\n```json\n" + object.text + "\n```");
}

markup mistral_residue(dice& chance, const calls& all) {
    return draft().add(all.front().name +
                       to_json(all.front().arguments, random_json_style(chance)));
}

markup kimi_residue(dice& chance, const calls& all) {
    return draft().add("functions." + all.front().name + ":0" +
                       to_json(all.front().arguments, random_json_style(chance)));
}

markup harmony_residue(dice& chance, const calls& all) {
    return draft().add("commentary to=functions." + all.front().name + " json" +
                       to_json(all.front().arguments, random_json_style(chance)));
}

} // namespace

std::vector<dialect> shaped_dialects() {
    constexpr auto shaped = evidence::shaped;
    constexpr auto turn = place::turn;
    return {
        {"bare-json", shaped, turn, 3, 0, false, true, {}, "", "", bare_json},
        {"pythonic", shaped, turn, 3, 0, true, true, {}, "", "", pythonic},
        {"json-fence", shaped, turn, 1, 0, false, true, {}, "", "", json_fence},
        {"info-fence", shaped, turn, 1, 0, true, true, {}, "", "", code_fence},
        {"react", shaped, place::line, 1, 0, false, true, {}, "", "", react},
        {"calling-tool", shaped, place::line, 1, 0, false, true, {}, "", "", calling_tool},
        {"bracket-block",
         evidence::tagged,
         place::line,
         1,
         0,
         false,
         true,
         {},
         "[TOOL_CALL]",
         "[/TOOL_CALL]",
         bracket_block},
        {"functionary32", shaped, turn, 2, 0, false, true, {}, "", "", functionary32},
        {"command-r1", shaped, turn, 2, 0, false, true, {}, "", "", command_r},
        {"rwkv", shaped, place::line, 1, 0, false, true, {}, "", "", rwkv},
        {"mistral-residue", shaped, turn, 1, 1, false, true, {}, "", "", mistral_residue},
        {"kimi-residue", shaped, turn, 1, 0, false, true, {}, "", "", kimi_residue},
        {"harmony-residue", shaped, turn, 1, 0, false, true, {}, "", "", harmony_residue},
    };
}

} // namespace tests::generator
