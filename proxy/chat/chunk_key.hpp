// The members of a chunk that are looked at, by name. Internal to proxy/chat.
#pragma once

#include "proxy/json/escape.hpp"

#include <string_view>

namespace proxy::chat {

enum class chunk_key {
    other,
    audio,
    choices,
    content,
    created,
    delta,
    error,
    finish_reason,
    function_call,
    id,
    index,
    logprobs,
    message,
    model,
    object,
    reasoning,
    reasoning_content,
    refusal,
    role,
    system_fingerprint,
    text,
    token_ids,
    tool_calls,
    usage,
};

/// The key with the decoded name `name`.
inline chunk_key find_chunk_key(std::string_view name) {
    const auto is = [name](std::string_view other) { return name == other; };
    switch (name.size()) {
    case 2:
        return is("id") ? chunk_key::id : chunk_key::other;
    case 4:
        return is("role") ? chunk_key::role : is("text") ? chunk_key::text : chunk_key::other;
    case 5:
        return is("index")   ? chunk_key::index
               : is("delta") ? chunk_key::delta
               : is("model") ? chunk_key::model
               : is("usage") ? chunk_key::usage
               : is("error") ? chunk_key::error
               : is("audio") ? chunk_key::audio
                             : chunk_key::other;
    case 6:
        return is("object") ? chunk_key::object : chunk_key::other;
    case 7:
        return is("content")   ? chunk_key::content
               : is("choices") ? chunk_key::choices
               : is("created") ? chunk_key::created
               : is("message") ? chunk_key::message
               : is("refusal") ? chunk_key::refusal
                               : chunk_key::other;
    case 8:
        return is("logprobs") ? chunk_key::logprobs : chunk_key::other;
    case 9:
        return is("reasoning")   ? chunk_key::reasoning
               : is("token_ids") ? chunk_key::token_ids
                                 : chunk_key::other;
    case 10:
        return is("tool_calls") ? chunk_key::tool_calls : chunk_key::other;
    case 13:
        return is("finish_reason")   ? chunk_key::finish_reason
               : is("function_call") ? chunk_key::function_call
                                     : chunk_key::other;
    case 17:
        return is("reasoning_content") ? chunk_key::reasoning_content : chunk_key::other;
    case 18:
        return is("system_fingerprint") ? chunk_key::system_fingerprint : chunk_key::other;
    default:
        return chunk_key::other;
    }
}

/// Likewise for the inside of a key's quotes, with escapes.
inline chunk_key read_chunk_key(std::string_view raw) {
    const chunk_key key = find_chunk_key(raw);
    if (key != chunk_key::other || raw.find('\\') == std::string_view::npos) {
        return key;
    }
    return find_chunk_key(json::unescape(raw));
}

} // namespace proxy::chat
