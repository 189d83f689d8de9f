// What an upstream's answer is, as far as its head tells.
#pragma once

#include "proxy/upstream/response_head.hpp"

#include <cstdint>

namespace proxy::front {

enum class media : std::uint8_t { stream, json, missing, other };

/// The answer's media type; parameters and case don't matter.
media media_of(const upstream::response_head& head);

/// A status from 200 to 299.
bool is_success(unsigned status);

} // namespace proxy::front
