// The one error form that every client shows: {"error":{"message","type","param","code"}}.
#pragma once

#include <string>
#include <string_view>

namespace proxy::chat {

struct error_info {
    std::string message;
    std::string_view type;
    std::string_view code;
};

/// The object as one line of JSON, `param` null.
std::string error_json(const error_info& error);

inline constexpr std::string_view malformed_message =
    "The model returned a malformed reply — please try again.";
inline constexpr std::string_view empty_message =
    "The model returned an empty reply — please try again.";

/// The old form {"object":"error","message":…} as the nested one; all members are kept inside.
std::string nested_error(std::string_view old_form_object);

/// The `message` of an error body or event, decoded, at most 300 bytes; empty when there is none.
std::string error_message(std::string_view body);

} // namespace proxy::chat
