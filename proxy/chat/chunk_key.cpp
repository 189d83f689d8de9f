#include "proxy/chat/chunk_reader.hpp"

namespace proxy::chat {

chunk_key find_chunk_key(std::string_view name) {
    const auto when = [name](std::string_view expected, chunk_key key) {
        return name == expected ? key : chunk_key::other;
    };
    switch (name.size()) {
    case 2:
        return when("id", chunk_key::id);
    case 4:
        if (name == "role") {
            return chunk_key::role;
        }
        return when("text", chunk_key::text);
    case 5:
        if (name == "audio") {
            return chunk_key::audio;
        }
        if (name == "delta") {
            return chunk_key::delta;
        }
        if (name == "error") {
            return chunk_key::error;
        }
        if (name == "index") {
            return chunk_key::index;
        }
        if (name == "model") {
            return chunk_key::model;
        }
        return when("usage", chunk_key::usage);
    case 6:
        return when("object", chunk_key::object);
    case 7:
        if (name == "choices") {
            return chunk_key::choices;
        }
        if (name == "content") {
            return chunk_key::content;
        }
        if (name == "created") {
            return chunk_key::created;
        }
        if (name == "message") {
            return chunk_key::message;
        }
        return when("refusal", chunk_key::refusal);
    case 8:
        return when("logprobs", chunk_key::logprobs);
    case 9:
        if (name == "reasoning") {
            return chunk_key::reasoning;
        }
        return when("token_ids", chunk_key::token_ids);
    case 10:
        return when("tool_calls", chunk_key::tool_calls);
    case 13:
        if (name == "finish_reason") {
            return chunk_key::finish_reason;
        }
        return when("function_call", chunk_key::function_call);
    case 17:
        return when("reasoning_content", chunk_key::reasoning_content);
    case 18:
        return when("system_fingerprint", chunk_key::system_fingerprint);
    default:
        return chunk_key::other;
    }
}

chunk_key read_chunk_key(std::string_view raw) {
    const chunk_key key = find_chunk_key(raw);
    if (key != chunk_key::other || raw.find('\\') == std::string_view::npos) {
        return key;
    }
    return find_chunk_key(json::unescape(raw));
}

} // namespace proxy::chat
