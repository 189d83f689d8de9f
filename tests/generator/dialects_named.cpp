// Calls as a name, a separator and JSON.
#include "tests/generator/dialects.hpp"

#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

void arguments(draft& out, dice& chance, const call& one) {
    const auto text = to_json(one.arguments, random_json_style(chance));
    out.add(std::string_view(text).substr(0, 1)).sure();
    out.add(std::string_view(text).substr(1)).body_end();
}

markup mistral_v3(dice& chance, const calls& all) {
    draft out;
    out.add("[TOOL_CALLS]").add(chance.chance(50) ? " " : "").add("[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto object = plain_json_call(chance, all[i], "name", "arguments");
        out.add(i == 0 ? "" : ", ").add(std::string_view(object.text).substr(0, object.sure));
        out.sure().add(std::string_view(object.text).substr(object.sure));
    }
    return out.add("]").body_end();
}

markup mistral_v11(dice& chance, const calls& all) {
    draft out;
    for (const auto& one : all) {
        out.add("[TOOL_CALLS]" + one.name);
        out.add(chance.chance(30) ? "[CALL_ID]a1b2c3d4e" : "").add("[ARGS]");
        arguments(out, chance, one);
    }
    return out;
}

markup mistral_v11_old(dice& chance, const calls& all) {
    draft out;
    out.add("[TOOL_CALLS]" + all.front().name);
    arguments(out, chance, all.front());
    return out;
}

/// A DeepSeek marker in one of the spellings that models and relays make of it.
std::string deepseek_mark(std::string_view words, bool odd, dice& chance) {
    constexpr std::array<std::string_view, 3> bars = {"｜", "|", "｜"};
    constexpr std::array<std::string_view, 3> lines = {"_", " ", "▁"};
    const std::string bar(odd ? chance.pick(bars) : "｜");
    const std::string line(odd ? chance.pick(lines) : "▁");
    std::string out = "<" + bar;
    for (const char c : words) {
        out += c == ' ' ? line : std::string(1, c);
    }
    return out + bar + ">";
}

markup deepseek(dice& chance, const calls& all, bool fenced, bool odd) {
    draft out;
    out.add(deepseek_mark("tool calls begin", odd, chance));
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add(i > 0 && fenced ? "\n" : "").add(deepseek_mark("tool call begin", odd, chance));
        if (fenced) {
            out.add("function").add(deepseek_mark("tool sep", odd, chance)).add(all[i].name);
            out.add("\n```json\n");
        } else {
            out.add(all[i].name).add(deepseek_mark("tool sep", odd, chance));
        }
        arguments(out, chance, all[i]);
        out.add(fenced ? "\n```" : "").body_end().add(deepseek_mark("tool call end", odd, chance));
        out.body_end();
    }
    return out.add(deepseek_mark("tool calls end", odd, chance));
}

markup deepseek_v3(dice& chance, const calls& all) {
    return deepseek(chance, all, true, false);
}

markup deepseek_v31(dice& chance, const calls& all) {
    return deepseek(chance, all, false, false);
}

markup deepseek_typos(dice& chance, const calls& all) {
    return deepseek(chance, all, chance.chance(60), true);
}

markup kimi(dice& chance, const calls& all) {
    const bool one_word = chance.chance(20);
    const std::string_view gap = chance.chance(15) ? " " : "";
    draft out;
    out.add(one_word ? "<|tool_call_section_begin|>" : "<|tool_calls_section_begin|>").add(gap);
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.add("<|tool_call_begin|>").add(gap).add(chance.chance(85) ? "functions." : "");
        out.add(all[i].name + ":" + std::to_string(i)).add(gap).add("<|tool_call_argument_begin|>");
        out.add(gap);
        arguments(out, chance, all[i]);
        out.add(gap).add("<|tool_call_end|>").body_end().add(gap);
    }
    return out.add(one_word ? "<|tool_call_section_end|>" : "<|tool_calls_section_end|>");
}

markup kimi_bare(dice& chance, const calls& all) {
    draft out;
    out.add("<|tool_call_begin|>functions." + all.front().name + ":0<|tool_call_argument_begin|>");
    arguments(out, chance, all.front());
    return out.add("<|tool_call_end|>");
}

markup functionary2(dice& chance, const calls& all) {
    draft out;
    out.add("<|recipient|>" + all.front().name + "\n<|content|>");
    arguments(out, chance, all.front());
    return chance.chance(60) ? out.add("<|stop|>") : out;
}

markup qwen_agent(dice& chance, const calls& all) {
    draft out;
    out.add("✿FUNCTION✿: " + all.front().name + "\n✿ARGS✿: ");
    arguments(out, chance, all.front());
    return chance.chance(60) ? out.add("\n✿RESULT✿") : out;
}

markup inkling(dice& chance, const calls& all) {
    const auto& one = all.front();
    draft out;
    out.add("<|message_model|>" + one.name + "<|content_invoke_tool_json|>").sure();
    out.add(plain_json_call(chance, one, "name", "args").text).body_end();
    return out.add("<|end_message|>");
}

} // namespace

std::vector<dialect> named_dialects() {
    return {
        {.name = "mistral-v3", .calls_max = 3, .opener = "[TOOL_CALLS]", .write = mistral_v3},
        {.name = "mistral-v11", .calls_max = 3, .opener = "[TOOL_CALLS]", .write = mistral_v11},
        {.name = "mistral-v11-old", .opener = "[TOOL_CALLS]", .write = mistral_v11_old},
        {.name = "deepseek-v3",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .opener = "<｜tool▁calls▁begin｜>",
         .closer = "<｜tool▁calls▁end｜>",
         .write = deepseek_v3},
        {.name = "deepseek-v31",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .opener = "<｜tool▁calls▁begin｜>",
         .closer = "<｜tool▁calls▁end｜>",
         .write = deepseek_v31},
        {.name = "deepseek-typos",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .opener = "<|tool_calls_begin|>",
         .closer = "<|tool_calls_end|>",
         .write = deepseek_typos},
        {.name = "kimi-k2",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .opener = "<|tool_calls_section_begin|>",
         .closer = "<|tool_calls_section_end|>",
         .write = kimi},
        {.name = "kimi-k2-bare",
         .shows = evidence::sentinel,
         .opener = "<|tool_call_begin|>",
         .closer = "<|tool_call_end|>",
         .write = kimi_bare},
        {.name = "functionary2",
         .shows = evidence::sentinel,
         .where = place::last,
         .opener = "<|recipient|>",
         .write = functionary2},
        {.name = "qwen-agent",
         .shows = evidence::sentinel,
         .where = place::last,
         .opener = "✿FUNCTION✿:",
         .closer = "✿RESULT✿",
         .write = qwen_agent},
        {.name = "inkling",
         .shows = evidence::sentinel,
         .opener = "<|message_model|>",
         .closer = "<|end_message|>",
         .write = inkling},
    };
}

} // namespace tests::generator
