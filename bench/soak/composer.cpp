#include "bench/soak/composer.hpp"

#include "bench/script.hpp"
#include "bench/soak/nonce.hpp"
#include <algorithm>
#include <array>
#include <utility>

namespace bench::soak {

namespace {

constexpr std::array<std::string_view, 20> words = {
    "tide",    "harbour", "water", "evening", "the",   "of",   "rises", "slowly", "naïve", "quay",
    "because", "seven",   "ships", "wait",    "until", "it’s", "turns", "again",  "and",   "calm"};

// The arguments stand where ARGS is.
constexpr std::array<std::string_view, 6> dialects = {
    "<tool_call>\n{\"name\": \"lookup_tide\", \"arguments\": ARGS}\n</tool_call>",
    "[TOOL_CALLS] [{\"name\": \"lookup_tide\", \"arguments\": ARGS}]",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>lookup_tide<｜tool▁sep｜>ARGS"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.lookup_tide:0"
    "<|tool_call_argument_begin|>ARGS<|tool_call_end|><|tool_calls_section_end|>",
    "<|python_tag|>{\"name\": \"lookup_tide\", \"parameters\": ARGS}<|eom_id|>",
    "<tool_call>\n<function=lookup_tide>\n<parameter=port>\nARGS\n</parameter>\n</function>\n"
    "</tool_call>"};

constexpr std::string_view tool =
    R"("tools":[{"type":"function","function":{"name":"lookup_tide","parameters":)"
    R"({"type":"object","properties":{"port":{"type":"string"}}}}}],)";

std::string with_arguments(std::string_view dialect, std::string_view arguments) {
    auto text = std::string(dialect);
    return text.replace(text.find("ARGS"), 4, arguments);
}

} // namespace

script& script::write(std::string bytes) {
    steps.push_back({act::write, std::move(bytes), 0});
    return *this;
}

script& script::pause(unsigned ms) {
    steps.push_back({act::pause, {}, ms});
    return *this;
}

script& script::then(act last) {
    steps.push_back({last, {}, 0});
    return *this;
}

std::size_t composer::number(std::size_t low, std::size_t high) {
    return low + random_() % (high - low + 1);
}

std::string composer::prose(std::size_t sentences) {
    auto text = std::string{};
    for (; sentences > 0; --sentences) {
        text += text.empty() ? "" : number(0, 5) == 0 ? "\n\n" : " ";
        text += nonce_;
        for (auto left = number(4, 14); left > 0; --left) {
            text.append(" ").append(words[number(0, words.size() - 1)]);
        }
        text += ".";
    }
    return text;
}

std::string composer::markup() {
    auto arguments = R"({"port": "Brest", "note": ")" + nonce_;
    if (number(0, 3) == 0) {
        arguments.append(" sk-").append(planted_secret).append("-").append(nonce_);
    }
    return leaked_.emplace_back(
        with_arguments(dialects[number(0, dialects.size() - 1)], arguments + "\"}"));
}

std::string composer::sentinel_markup() {
    return leaked_.emplace_back(with_arguments(dialects[number(2, 3)], R"({"port": "Brest"})"));
}

std::string composer::request(std::string_view method, std::string_view target,
                              std::string_view body) {
    auto out = std::string(method).append(" ").append(target).append(" HTTP/1.1\r\n");
    out.append("Host: proxy.test\r\nX-Request-Id: ").append(nonce_);
    out.append("\r\nAuthorization: Bearer sk-").append(planted_secret).append("-").append(nonce_);
    out.append("\r\nx-api-key: ").append(planted_secret).append("-key-").append(nonce_);
    out.append("\r\nCookie: session=").append(planted_secret).append("\r\n");
    if (!body.empty()) {
        out.append("Content-Type: application/json\r\nContent-Length: ");
        out.append(std::to_string(body.size())).append("\r\n");
    }
    return out.append("\r\n").append(body);
}

std::string composer::chat_request(bool stream, bool tools, std::string_view more) {
    auto body = std::string(R"({"model":"soak",)") + (stream ? R"("stream":true,)" : "");
    body.append(tools ? tool : "")
        .append(more)
        .append(R"("messages":[{"role":"system","content":)");
    body.append(R"("Be brief."},{"role":"user","content":")").append(escaped(prose(number(1, 6))));
    body.append(R"( When is high water at Brest?"}],"user":")").append(nonce_).append("\"}");
    return request("POST", "/v1/chat/completions", body);
}

std::string composer::completion_request(bool stream) {
    const auto body = std::string(R"({"model":"soak",)") + (stream ? R"("stream":true,)" : "") +
                      R"("prompt":"High water","user":")" + nonce_ + "\"}";
    return request("POST", "/v1/completions", body);
}

std::string composer::frame(bool chunk, std::string_view choices) const {
    const auto second = attempt_ == 2;
    auto out = std::string(R"({"id":")") + (legacy_ ? "cmpl-" : "chatcmpl-") + nonce_;
    out.append(second ? "-second" : "").append(R"(","object":")");
    out.append(legacy_ ? "text_completion" : chunk ? "chat.completion.chunk" : "chat.completion");
    out.append(R"(","created":)").append(second ? "1767225707" : "1767225600");
    out.append(R"(,"model":")").append(second ? "soak-second" : "soak").append(R"(","choices":[)");
    return out.append(choices).append("]");
}

std::string composer::event(std::string_view delta, std::string_view finish,
                            std::size_t choice) const {
    auto inside = R"({"index":)" + std::to_string(choice) + ",";
    if (legacy_) {
        inside.append(delta.empty() ? R"("text":"")" : delta);
    } else {
        inside.append(R"("delta":{)").append(delta).append("}");
    }
    inside.append(R"(,"finish_reason":)").append(finish).append("}");
    return "data: " + frame(true, inside) + "}\n\n";
}

std::string composer::text_event(std::string_view text, std::size_t choice) const {
    return event((legacy_ ? R"("text":")" : R"("content":")") + escaped(text) + '"', "null",
                 choice);
}

std::string composer::finish_event(std::string_view reason, std::size_t choice) const {
    return event("", '"' + std::string(reason) + '"', choice);
}

std::vector<std::string> composer::text_events(std::string_view text, std::size_t choice) const {
    auto events = std::vector<std::string>{};
    for (const auto token : tokens_of(text)) {
        events.push_back(text_event(token, choice));
    }
    return events;
}

std::string composer::body(std::string_view text, std::string_view finish) const {
    auto inside = std::string(R"({"index":0,)");
    inside.append(legacy_ ? R"("text":")" : R"("message":{"role":"assistant","content":")");
    inside.append(escaped(text)).append(legacy_ ? "\"" : "\"}");
    inside.append(R"(,"finish_reason":")").append(finish).append("\"}");
    return frame(false, inside) +
           R"(,"usage":{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16}})";
}

std::vector<std::string> composer::answer_events(std::string_view text,
                                                 std::string_view finish) const {
    auto events = std::vector<std::string>{};
    if (!legacy_) {
        events.push_back(event(R"("role":"assistant","content":"")"));
    }
    for (auto& each : text_events(text)) {
        events.push_back(std::move(each));
    }
    events.push_back(finish_event(finish));
    events.emplace_back(done_event);
    return events;
}

script composer::stream(const std::vector<std::string>& events, bool ended) {
    auto out = script{};
    out.write(stream_head());
    const auto per_write = number(1, 12);
    // No stream takes so long that a drain of the proxy may cut it.
    constexpr std::size_t most_ms = 6'000;
    const auto slowest = std::min<std::size_t>(12, most_ms * per_write / (events.size() + 1));
    const auto pace = static_cast<unsigned>(number(0, 3) == 0 ? 0 : number(0, slowest));
    auto bytes = std::string{};
    for (std::size_t i = 0; i < events.size(); ++i) {
        bytes += chunk_of(events[i]);
        const bool last = i + 1 == events.size();
        if (last || (i + 1) % per_write == 0) {
            bytes.append(last && ended ? last_chunk : "");
            out.write(std::exchange(bytes, {}));
            if (pace > 0 && !last) {
                out.pause(pace);
            }
        }
    }
    return out;
}

std::string answer_with(std::string_view status_line, std::string_view type, std::string_view bytes,
                        std::string_view fields) {
    return std::string("HTTP/1.1 ")
        .append(status_line)
        .append("\r\ncontent-type: ")
        .append(type)
        .append("\r\ncontent-length: ")
        .append(std::to_string(bytes.size()))
        .append("\r\n")
        .append(fields)
        .append("\r\n")
        .append(bytes);
}

std::string chunk_of(std::string_view bytes) {
    auto out = std::string{};
    append_chunk(out, bytes);
    return out;
}

std::string stream_head(std::string_view fields) {
    return "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n" +
           std::string(fields) + "\r\n";
}

} // namespace bench::soak
