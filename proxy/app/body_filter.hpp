// A whole JSON body without the markup in its texts: only the insides of those strings change.
#pragma once

#include "proxy/app/text_filter.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace proxy::app {

/// `body` with choices[].message.content, .delta.content and .text filtered. Nothing when it is not
/// one JSON object with an array `choices`.
std::optional<std::string> filter_body(std::string_view body, const scaffold::catalog& formats,
                                       const scaffold::context& context, strip_summary& summary);

} // namespace proxy::app
