// Dialects as their models write them; sources are in conf/formats.yaml.
#include "proxy/demo/answers.hpp"
#include "proxy/demo/scripts.hpp"

namespace proxy::demo {

namespace {

constexpr std::string_view hermes_call =
    "<tool_call>\n{\"name\": \"lookup_tide\", \"arguments\": {\"port\": \"Brest\"}}\n</tool_call>";

struct dialect {
    std::string_view name;
    std::string_view summary;
    std::string_view markup;
};

constexpr dialect dialects[] = {
    {"leak-hermes", "Hermes and Qwen markup between two texts", hermes_call},
    {"leak-qwen3-coder", "Qwen3-Coder function and parameter tags",
     "<tool_call>\n<function=lookup_tide>\n<parameter=port>\nBrest\n</parameter>\n</function>\n"
     "</tool_call>"},
    {"leak-glm", "GLM key and value tags",
     "<tool_call>lookup_tide\n<arg_key>port</arg_key>\n<arg_value>Brest</arg_value>\n</tool_call>"},
    {"leak-deepseek", "DeepSeek V3.1 sentinels",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>lookup_tide<｜tool▁sep｜>{\"port\": \"Brest\"}"
     "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
    {"leak-dsml", "DeepSeek DSML",
     "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"lookup_tide\">\n"
     "<｜DSML｜parameter name=\"port\" string=\"true\">Brest</｜DSML｜parameter>\n"
     "</｜DSML｜invoke>\n</｜DSML｜function_calls>"},
    {"leak-kimi", "Kimi K2 section tokens",
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.lookup_tide:0"
     "<|tool_call_argument_begin|>{\"port\": "
     "\"Brest\"}<|tool_call_end|><|tool_calls_section_end|>"},
    {"leak-mistral", "Mistral call list",
     "[TOOL_CALLS] [{\"name\": \"lookup_tide\", \"arguments\": {\"port\": \"Brest\"}}]"},
    {"leak-llama", "Llama python tag",
     "<|python_tag|>{\"name\": \"lookup_tide\", \"parameters\": {\"port\": \"Brest\"}}<|eom_id|>"},
    {"leak-minimax", "MiniMax M2 invoke tags",
     "<minimax:tool_call>\n<invoke name=\"lookup_tide\">\n<parameter "
     "name=\"port\">Brest</parameter>"
     "\n</invoke>\n</minimax:tool_call>"},
    {"leak-gemma", "Gemma 4 call map",
     "<|tool_call>call:lookup_tide{port:<|\"|>Brest<|\"|>}<tool_call|>"},
};

script leaking(const dialect& row, std::size_t token_chars) {
    script out{std::string(row.name), std::string(row.summary), {}};
    const auto text = std::string(leak_before) + std::string(row.markup) + std::string(leak_after);
    out.answers.push_back(make_answer(out.name, {text, token_chars, {}, "", ""}));
    out.answers.push_back(make_answer(out.name, {std::string(corrected_text), 4, {}, "", ""}, 2));
    return out;
}

/// Harmony wraps the visible text too, so its row is a whole answer.
script harmony_script() {
    script out{"leak-harmony", "gpt-oss channels: analysis, a call, the final text", {}};
    const auto text = "<|channel|>analysis<|message|>The tide tool is needed.<|end|>"
                      "<|start|>assistant<|channel|>commentary to=functions.lookup_tide "
                      "<|constrain|>json<|message|>{\"port\": \"Brest\"}<|call|>"
                      "<|start|>assistant<|channel|>final<|message|>" +
                      std::string(leak_after) + "<|return|>";
    out.answers.push_back(make_answer(out.name, {text, 5, {}, "", ""}));
    return out;
}

script scaffold_script(std::string name, std::string summary, std::string_view second) {
    script out{std::move(name), std::move(summary), {}};
    out.answers.push_back(make_answer(out.name, {std::string(hermes_call), 4, {}, "", ""}));
    out.answers.push_back(make_answer(out.name, {std::string(second), 4, {}, "", ""}, 2));
    return out;
}

} // namespace

std::vector<script> leak_scripts() {
    std::vector<script> all;
    for (const auto& row : dialects) {
        all.push_back(leaking(row, 5));
    }
    all.push_back(
        leaking({"leak-split", "Hermes markup, one character in a chunk", hermes_call}, 1));
    all.push_back(harmony_script());
    all.push_back(scaffold_script("scaffold-only",
                                  "markup is the whole first answer; the "
                                  "correction is answered in plain text",
                                  corrected_text));
    all.push_back(
        scaffold_script("scaffold-twice", "markup is the whole answer, always", hermes_call));
    return all;
}

} // namespace proxy::demo
