// Which surface a request is for, and under which target the upstream gets it. Matching looks at
// the decoded path; what is sent on are the client's own bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::front {

enum class surface : std::uint8_t {
    chat,        ///< POST .../chat/completions
    completions, ///< POST .../completions
    other,       ///< everything else passes byte for byte
    refused,     ///< the path holds dot segments, also percent-encoded ones
};

/// Sorts a request by method and target (its query is ignored). Percent-decoded, slashes collapsed,
/// a trailing slash ignored, by the path's tail.
surface find_surface(std::string_view method, std::string_view target);

/// The target for an upstream whose base URL has the path `base` (no trailing slash, may be empty):
/// `/v1/X` and `/X` become `base/X`, `base/X` stays; a target without a path (`?X`, RFC 9112 3.2.1)
/// gets the path `/`. All other bytes are the client's.
std::string upstream_target(std::string_view target, std::string_view base);

} // namespace proxy::front
