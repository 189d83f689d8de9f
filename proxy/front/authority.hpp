// The syntax of `host[:port]` as a Host field carries it (RFC 3986 3.2, without user information).
#pragma once

#include <string_view>

namespace proxy::front {

/// A registered name, IPv4 address or bracketed IPv6 address, with a decimal port or none.
bool is_authority(std::string_view text);

} // namespace proxy::front
