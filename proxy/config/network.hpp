// A range of IP addresses, such as 10.0.0.0/8 or fd00::/8, and whether an address lies in it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::config {

/// An IPv6 address, or an IPv4 one in its mapped form (RFC 4291 2.5.5.2).
using ip_bytes = std::array<std::uint8_t, 16>;

/// Nothing when `text` is no address, IPv4 or IPv6 without brackets.
std::optional<ip_bytes> parse_ip(std::string_view text);

struct network {
    std::string text; ///< as it was written
    ip_bytes first{};
    unsigned bits = 0; ///< of the 128 that count

    bool holds(const ip_bytes& address) const;

    bool operator==(const network&) const = default;
};

/// ADDRESS or ADDRESS/BITS. Nothing for other text, too many bits, and bits that are set behind
/// those that count.
std::optional<network> parse_network(std::string_view text);

} // namespace proxy::config
