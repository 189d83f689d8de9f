// Calls in a notation of their own between tokens: Python, Gemma's maps, Kimi K3's attributes.
#include "tests/generator/dialects.hpp"

#include <array>

namespace tests::generator {

namespace {

using calls = std::vector<call>;

markup python_list(dice& chance, const calls& all, std::string_view open, std::string_view close) {
    draft out;
    out.add(open).add("[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto one = python_call(chance, all[i]);
        out.add(i == 0 ? "" : ", ").add(one).sure();
    }
    return out.add("]").body_end().add(close);
}

markup lfm2(dice& chance, const calls& all) {
    return python_list(chance, all, "<|tool_call_start|>", "<|tool_call_end|>");
}

markup llama4(dice& chance, const calls& all) {
    return python_list(chance, all, "<|python_start|>", "<|python_end|>");
}

/// A name behind a line feed may be a call or a word, and so may what its bracket opens: sure only
/// behind the last call's first keyword.
markup olmo3(dice& chance, const calls& all) {
    draft out;
    out.add("<function_calls>").add(maybe_line(chance));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto one = python_call(chance, all[i]);
        const auto head = std::string_view(one).substr(0, one.find_first_of("=)") + 1);
        out.add(i == 0 ? "" : "\n").add(head);
        if (i + 1 == all.size()) {
            out.sure();
        }
        out.add(std::string_view(one).substr(head.size()));
    }
    return out.body_end().add(maybe_line(chance)).add("</function_calls>");
}

markup python_tag(dice& chance, const calls& all) {
    const auto& one = all.front();
    draft out;
    out.add("<|python_tag|>");
    if (chance.chance(60)) {
        out.add(plain_json_call(chance, one, "name", "parameters").text).sure();
    } else {
        call dotted = one;
        dotted.name += ".call";
        out.add(python_call(chance, dotted)).sure();
    }
    return chance.chance(50) ? out.add("<|eom_id|>") : out;
}

std::string gemma_value(const value& from, std::string_view quote);

std::string gemma_map(const value& from, std::string_view quote) {
    std::string out = "{";
    for (std::size_t i = 0; i < from.items.size(); ++i) {
        out += (i == 0 ? "" : ",") + from.keys[i] + ":" + gemma_value(from.items[i], quote);
    }
    return out + "}";
}

std::string gemma_value(const value& from, std::string_view quote) {
    switch (from.is) {
    case value::kind::text:
        return std::string(quote) + from.text + std::string(quote);
    case value::kind::map:
        return gemma_map(from, quote);
    case value::kind::list:
        break;
    default:
        return to_json(from, {});
    }
    std::string out = "[";
    for (std::size_t i = 0; i < from.items.size(); ++i) {
        out += (i == 0 ? "" : ",") + gemma_value(from.items[i], quote);
    }
    return out + "]";
}

markup gemma4(dice&, const calls& all) {
    draft out;
    for (const auto& one : all) {
        out.add("<|tool_call>call:" + one.name + "{").sure();
        out.add(std::string_view(gemma_map(one.arguments, "<|\"|>")).substr(1)).body_end();
        out.add("<tool_call|>");
    }
    return out;
}

markup functiongemma(dice&, const calls& all) {
    draft out;
    out.add("<start_function_call>call:" + all.front().name + "{").sure();
    out.add(std::string_view(gemma_map(all.front().arguments, "<escape>")).substr(1)).body_end();
    return out.add("<end_function_call>");
}

markup kimi_k3(dice&, const calls& all) {
    draft out;
    out.add("<|open|>tools<|sep|>");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& one = all[i];
        out.add("<|open|>call tool=\"" + one.name + "\" index=\"" + std::to_string(i + 1) + "\"");
        out.add("<|sep|>").sure();
        for (std::size_t k = 0; k < one.arguments.items.size(); ++k) {
            const auto& item = one.arguments.items[k];
            out.add("<|open|>argument key=\"" + one.arguments.keys[k] + "\" type=\"");
            out.add(item.is == value::kind::text ? "string" : "object").add("\"<|sep|>");
            out.add(to_raw(item)).add("<|close|>argument<|sep|>");
        }
        out.add("<|close|>call<|sep|>");
    }
    return out.body_end().add("<|close|>tools<|sep|>");
}

} // namespace

std::vector<dialect> token_dialects() {
    return {
        {.name = "lfm2",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .plain_names = true,
         .opener = "<|tool_call_start|>",
         .closer = "<|tool_call_end|>",
         .write = lfm2},
        {.name = "llama4-pythonic",
         .shows = evidence::sentinel,
         .calls_max = 3,
         .plain_names = true,
         .opener = "<|python_start|>",
         .closer = "<|python_end|>",
         .write = llama4},
        {.name = "olmo3",
         .calls_max = 3,
         .plain_names = true,
         .self_ending = false,
         .opener = "<function_calls>",
         .closer = "</function_calls>",
         .write = olmo3},
        {.name = "llama-python-tag",
         .shows = evidence::sentinel,
         .where = place::last,
         .plain_names = true,
         .opener = "<|python_tag|>",
         .write = python_tag},
        {.name = "gemma4",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .rule = {false, {"<|\"|>", "<|"}},
         .opener = "<|tool_call>",
         .closer = "<tool_call|>",
         .write = gemma4},
        {.name = "functiongemma",
         .shows = evidence::sentinel,
         .rule = {false, {"<escape>"}},
         .opener = "<start_function_call>",
         .closer = "<end_function_call>",
         .write = functiongemma},
        {.name = "kimi-k3",
         .shows = evidence::sentinel,
         .calls_max = 2,
         .self_ending = false,
         .rule = {false, {"<|"}},
         .opener = "<|open|>tools<|sep|>",
         .closer = "<|close|>tools<|sep|>",
         .write = kimi_k3},
    };
}

} // namespace tests::generator
