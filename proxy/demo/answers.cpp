#include "proxy/demo/answers.hpp"

#include "proxy/chat/error_object.hpp"

#include <algorithm>

namespace proxy::demo {

namespace {

constexpr std::size_t prompt_tokens = 20;

std::string finish_of(const reply& said) {
    if (!said.finish.empty()) {
        return said.finish;
    }
    return said.calls.empty() ? "stop" : "tool_calls";
}

void add_calls(std::vector<std::string>& writes, const chunk_writer& chunks, const reply& said) {
    for (std::size_t i = 0; i < said.calls.size(); ++i) {
        writes.push_back(chunks.call_start(i, said.calls[i]));
        for (const auto piece : split_text(said.calls[i].arguments, said.token_chars)) {
            writes.push_back(chunks.call_arguments(i, piece));
        }
    }
}

} // namespace

answer make_answer(std::string_view model, const reply& said, unsigned attempt) {
    const auto id = "chatcmpl-" + std::string(model) + "-" + std::to_string(attempt);
    const chunk_writer chunks(id, model);
    answer out;
    out.writes.push_back(chunks.role());
    for (const auto piece : split_text(said.reasoning, said.token_chars)) {
        out.writes.push_back(chunks.reasoning(piece));
    }
    const auto tokens = split_text(said.text, said.token_chars);
    for (const auto piece : tokens) {
        out.writes.push_back(chunks.content(piece));
    }
    add_calls(out.writes, chunks, said);
    out.writes.push_back(chunks.finish(finish_of(said)));
    out.writes.emplace_back(done_event);
    out.usage_event = chunks.usage(prompt_tokens, tokens.size());
    out.body = chunks.body(said.text, said.calls, finish_of(said), prompt_tokens, tokens.size());
    return out;
}

answer make_error(unsigned status, std::string_view type, std::string_view message) {
    answer out;
    out.status = status;
    out.body = chat::error_json({std::string(message), type, type});
    return out;
}

} // namespace proxy::demo
