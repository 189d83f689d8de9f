// A chat completion request as positions in its body: what the filter must know, and what the
// correction request changes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::chat {

enum class content_kind { string, parts, null_or_absent, other };

/// The system or developer message that the correction line is added to.
struct message_slot {
    std::string_view whole; ///< the message object
    content_kind content = content_kind::null_or_absent;
    std::string_view content_raw; ///< the raw value; empty when absent
};

/// Facts of one request body; all views point into it, so it must outlive them.
struct request_view {
    bool is_object = false;   ///< a JSON object; nothing below is set otherwise
    bool correctable = false; ///< is_object, `messages` an array, no doubled messages/stream/n
    bool stream = false;
    bool include_usage = false; ///< stream_options.include_usage is true
    bool echo = false;
    std::string_view model;              ///< raw inside of the string; empty when absent
    std::vector<std::string> tool_names; ///< declared in tools and functions, called in the history
    bool declares_tools = false;         ///< tools or functions is a non-empty array
    bool history_has_tools = false;      ///< assistant calls or tool/function messages
    bool json_answer = false; ///< response_format (json kinds), guided_json, grammar, json_schema
    bool last_message_is_tool = false;
    std::string_view messages;          ///< the raw array
    std::optional<message_slot> system; ///< the last leading system or developer message
    std::string_view first_message;     ///< raw, empty when there is none
};

/// Reads `body`. Never fails: what can't be read leaves its defaults. O(body).
request_view read_request(std::string_view body);

/// "Tools in context" of the design: declared, or in the history.
bool tools_in_context(const request_view& request);

} // namespace proxy::chat
