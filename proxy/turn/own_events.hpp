// The events that the proxy itself writes into a stream, and who the response says it is.
#pragma once

#include "proxy/chat/chunk_view.hpp"
#include "proxy/chat/error_object.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::turn {

/// The first non-empty id, created, model and system_fingerprint of a response, as raw JSON values.
/// They stand for both attempts: one response has one id.
struct identity {
    std::string id, object, created, model, fingerprint;

    /// Takes over what is still missing from `chunk`.
    void learn(const chat::chunk_view& chunk);

    bool complete() const {
        return !id.empty() && !object.empty() && !created.empty() && !model.empty();
    }
};

/// Appends an event with a chunk that brings only text: `raw_text` is the raw inside of its string.
void append_text_event(std::string& out, const identity& who, std::uint32_t index,
                       std::string_view raw_text, bool legacy_completions);

/// Appends an event with `choices: []` and a raw usage object.
void append_usage_event(std::string& out, const identity& who, std::string_view usage);

/// Appends the error event and `[DONE]`: the loud end.
void append_loud_end(std::string& out, const chat::error_info& error);

} // namespace proxy::turn
