#include "proxy/demo/answers.hpp"
#include "proxy/demo/scripts.hpp"

#include <iterator>

namespace proxy::demo {

namespace {

constexpr std::string_view clean_text =
    "The harbour opens at six. Boats under 10 m (if a < b, the smaller one first) tie up on the "
    "north pier [see map], larger ones wait outside until the tide turns.";

constexpr std::string_view prose_text =
    "Hermes models wrap each call in `<tool_call>` and `</tool_call>` tags:\n\n"
    "```xml\n<tool_call>\n{\"name\": \"lookup_tide\", \"arguments\": {\"port\": \"Brest\"}}\n"
    "</tool_call>\n```\n\n"
    "The opening marker is <tool_call>, Mistral's is [TOOL_CALLS], Llama's <|python_tag|>. "
    "In C++ you write `std::vector<std::string>` and #include <functional>.";

constexpr std::string_view unicode_text =
    "Zürich — 東京の天気は晴れ。항구는 아침 여섯 시에 열립니다! Привет "
    "👋🏽, "
    "👩‍🚀 "
    "and "
    "\"quotes\", back\\slashes, tab\t, U+2028 \xE2\x80\xA8 and full-width bars ｜▁.";

script plain(std::string name, std::string summary, reply said) {
    auto first = make_answer(name, said);
    return {std::move(name), std::move(summary), {std::move(first)}};
}

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Every write again, ended in front of each byte that continues a character.
std::vector<std::string> cut_inside_characters(const std::vector<std::string>& writes) {
    std::vector<std::string> cut;
    for (const auto& write : writes) {
        std::size_t begin = 0;
        for (std::size_t i = 1; i < write.size(); ++i) {
            if (continues_character(write[i])) {
                cut.push_back(write.substr(begin, i - begin));
                begin = i;
            }
        }
        cut.push_back(write.substr(begin));
    }
    return cut;
}

script unicode_cut_script() {
    auto out = plain("unicode-cut", "the same in writes that end inside its characters",
                     {std::string(unicode_text), 1, {}, "", ""});
    out.answers.front().writes = cut_inside_characters(out.answers.front().writes);
    return out;
}

/// Exactly 5,000 chunks of text, some with the first characters of markup.
script long_script() {
    constexpr std::string_view words[] = {"wave",  " and", " tide", " <",
                                          " a[i]", ",",    " pier", "."};
    const chunk_writer chunks("chatcmpl-long-1", "long");
    answer told;
    std::string text;
    told.writes.push_back(chunks.role());
    for (std::size_t i = 0; i < 5000; ++i) {
        const auto word = words[i % std::size(words)];
        told.writes.push_back(chunks.content(word));
        text += word;
    }
    told.writes.push_back(chunks.finish("stop"));
    told.writes.emplace_back(done_event);
    told.usage_event = chunks.usage(20, 5000);
    told.body = chunks.body(text, {}, "stop", 20, 5000);
    return {"long", "5,000 chunks", {std::move(told)}};
}

script usage_script() {
    script out{"usage", "usage sent although nobody asked", {}};
    auto first = make_answer(out.name, {"Five words are in here.", 4, {}, "", ""});
    first.writes.insert(first.writes.end() - 1, first.usage_event);
    first.usage_event.clear();
    out.answers.push_back(std::move(first));
    return out;
}

} // namespace

std::vector<script> ordinary_scripts() {
    const std::vector<call> calls = {
        {"call_tide1", "lookup_tide", R"({"port": "Brest"})"},
        {"call_shell2", "run_shell", R"({"command": "echo '<tool_call>' [TOOL_CALLS]"})"}};
    return {
        plain("clean", "an answer without markup", {std::string(clean_text), 4, {}, "", ""}),
        plain("prose", "an answer about markup: it must come through",
              {std::string(prose_text), 5, {}, "", ""}),
        plain("unicode", "many scripts, emoji, escapes",
              {std::string(unicode_text), 1, {}, "", ""}),
        unicode_cut_script(),
        plain("tools", "two structured calls behind a text", {"Let me look.", 4, calls, "", ""}),
        plain("finish-without-call", "the finish says tool_calls, but no call came",
              {"High water is at noon.", 4, {}, "", "tool_calls"}),
        plain("reasoning", "reasoning_content, then the answer",
              {"At 06:10.", 4, {}, "The user wants the tide at Brest.", ""}),
        long_script(),
        usage_script(),
    };
}

std::vector<script> built_in_scripts() {
    std::vector<script> all;
    for (auto part : {ordinary_scripts(), leak_scripts(), fault_scripts()}) {
        for (auto& one : part) {
            all.push_back(std::move(one));
        }
    }
    return all;
}

} // namespace proxy::demo
