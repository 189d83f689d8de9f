// How often an OPTIONS request may still be passed on (RFC 9110 7.6.2; TRACE is refused anyway).
#pragma once

#include "proxy/front/framing_check.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::front {

/// The value of Max-Forwards, at most a million; nothing for another method, and where the field is
/// missing, repeated or no number: then it is passed on as it is.
std::optional<std::uint32_t> max_forwards(const request_head& head);

/// The answer of the last recipient of an OPTIONS request, whole.
std::string options_answer(std::string_view request_id, bool close);

} // namespace proxy::front
