#include "proxy/demo/chunks.hpp"

#include "proxy/json/escape.hpp"

namespace proxy::demo {

namespace {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    json::append_escaped(out, text);
    out += '"';
    return out;
}

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string usage_object(std::size_t prompt_tokens, std::size_t completion_tokens) {
    return R"({"prompt_tokens":)" + std::to_string(prompt_tokens) + R"(,"completion_tokens":)" +
           std::to_string(completion_tokens) + R"(,"total_tokens":)" +
           std::to_string(prompt_tokens + completion_tokens) + "}";
}

} // namespace

std::vector<std::string_view> split_text(std::string_view text, std::size_t chars) {
    std::vector<std::string_view> pieces;
    std::size_t begin = 0;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (continues_character(text[i])) {
            continue;
        }
        if (seen == chars) {
            pieces.push_back(text.substr(begin, i - begin));
            begin = i;
            seen = 0;
        }
        ++seen;
    }
    if (begin < text.size()) {
        pieces.push_back(text.substr(begin));
    }
    return pieces;
}

chunk_writer::chunk_writer(std::string_view id, std::string_view model) : id_(id), model_(model) {}

std::string chunk_writer::head(std::string_view object) const {
    return R"({"id":)" + quoted(id_) + R"(,"object":)" + quoted(object) +
           R"(,"created":1700000000,"model":)" + quoted(model_) +
           R"(,"system_fingerprint":"fp_scripted_44709d6fcb_prod_fp8_kv",)";
}

std::string chunk_writer::event(std::string_view delta, std::string_view finish) const {
    std::string out = "data: " + head("chat.completion.chunk");
    out += R"("choices":[{"index":0,"delta":{)";
    out += delta;
    out += R"(},"logprobs":null,"finish_reason":)";
    out += finish;
    out += "}]}\n\n";
    return out;
}

std::string chunk_writer::role() const {
    return event(R"("role":"assistant","content":"")", "null");
}

std::string chunk_writer::content(std::string_view text) const {
    return event(R"("content":)" + quoted(text), "null");
}

std::string chunk_writer::reasoning(std::string_view text) const {
    return event(R"("reasoning_content":)" + quoted(text), "null");
}

std::string chunk_writer::call_start(std::size_t index, const call& value) const {
    return event(R"("tool_calls":[{"index":)" + std::to_string(index) + R"(,"id":)" +
                     quoted(value.id) + R"(,"type":"function","function":{"name":)" +
                     quoted(value.name) + R"(,"arguments":""}}])",
                 "null");
}

std::string chunk_writer::call_arguments(std::size_t index, std::string_view piece) const {
    return event(R"("tool_calls":[{"index":)" + std::to_string(index) +
                     R"(,"function":{"arguments":)" + quoted(piece) + "}}]",
                 "null");
}

std::string chunk_writer::finish(std::string_view reason) const {
    return event("", quoted(reason));
}

std::string chunk_writer::usage(std::size_t prompt_tokens, std::size_t completion_tokens) const {
    return "data: " + head("chat.completion.chunk") + R"("choices":[],"usage":)" +
           usage_object(prompt_tokens, completion_tokens) + "}\n\n";
}

std::string chunk_writer::body(std::string_view text, const std::vector<call>& calls,
                               std::string_view finish_reason, std::size_t prompt_tokens,
                               std::size_t completion_tokens) const {
    std::string out = head("chat.completion");
    out += R"("choices":[{"index":0,"message":{"role":"assistant","content":)" + quoted(text);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        out += i == 0 ? R"(,"tool_calls":[)" : ",";
        out += R"({"id":)" + quoted(calls[i].id) + R"(,"type":"function","function":{"name":)" +
               quoted(calls[i].name) + R"(,"arguments":)" + quoted(calls[i].arguments) + "}}";
    }
    out += calls.empty() ? "" : "]";
    out += R"(},"logprobs":null,"finish_reason":)" + quoted(finish_reason);
    out += R"(}],"usage":)" + usage_object(prompt_tokens, completion_tokens) + "}";
    return out;
}

} // namespace proxy::demo
