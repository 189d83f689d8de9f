// The keys that let clients in (`clients.keys`): compared as hashes and in constant time, so that
// an answer's time tells nothing about a key.
#pragma once

#include "proxy/upstream/fields.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::front {

class client_keys {
  public:
    /// No keys: everybody is let in.
    client_keys() = default;
    explicit client_keys(const std::vector<std::string>& keys);

    bool empty() const { return hashes_.empty(); }

    /// True if there are no keys, or if the one `Authorization: Bearer` field (RFC 6750 2.1) holds
    /// one of them.
    bool admits(const upstream::field_list& fields) const;

  private:
    using hash = std::array<std::uint8_t, 32>; // SHA-256

    static hash hash_of(std::string_view key);

    std::vector<hash> hashes_;
};

} // namespace proxy::front
