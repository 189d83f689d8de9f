// What a client makes of the bytes it is sent: a small reader of chunked bodies, SSE and chunks
// that shares no code with the proxy, for the expectation side of tests.
#pragma once

#include <boost/json/object.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

struct assembled_call {
    std::string id;
    std::string name;
    std::string arguments;
};

struct assembled_choice {
    std::string content;
    std::string reasoning;
    std::map<std::size_t, assembled_call> calls; ///< by index
    std::vector<std::string> finishes;           ///< every finish reason, in order
    std::size_t role_deltas = 0;
};

struct client_view {
    std::map<std::size_t, assembled_choice> choices;
    std::vector<std::string> ids; ///< different ids, in order
    std::vector<boost::json::object> usages;
    std::vector<boost::json::object> errors; ///< values of `error` members
    std::vector<std::string> events;         ///< data of every event
    std::vector<std::string> call_deltas;    ///< every `tool_calls` member, serialised
    std::size_t dones = 0;
    bool ends_with_done = false; ///< the last event is [DONE]
    bool ends_in_event = false;  ///< bytes behind the last blank line
    std::size_t unreadable = 0;  ///< events that are neither JSON nor [DONE]

    /// Choice 0, or an empty one.
    const assembled_choice& first() const;
};

/// Reads a whole stream. Splits lines at CRLF, LF and CR.
client_view read_stream(std::string_view bytes);

/// Reads a chat.completion body; an unreadable one counts as one unreadable event.
client_view read_body(std::string_view json);

/// The data of a chunked body; nothing if the coding is broken or not at its end.
std::optional<std::string> dechunk(std::string_view body);

/// `text` with runs of white space as one space, and none at the ends.
std::string collapse_space(std::string_view text);

} // namespace tests
