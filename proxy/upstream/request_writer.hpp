// Writes the head of an upstream request: the client's fields byte for byte, less what must not
// travel, with our own Host, framing and credentials.
#pragma once

#include "proxy/upstream/fields.hpp"
#include "proxy/upstream/forwarded.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::upstream {

struct request_parts {
    std::string_view method;
    std::string_view target;            ///< as the upstream is to see it, origin form or `*`
    const field_list* fields = nullptr; ///< the client's
    std::string_view authority;         ///< the upstream's own Host
    bool has_body = false;              ///< a Content-Length is written; always written anew
    std::size_t body_bytes = 0;
    bool identity_only = false; ///< the answer will be read: `accept-encoding: identity`
    std::string_view api_key;   ///< empty: none of our own
    bool key_always = false;    ///< `auth: override`: ours in place of the client's
    bool consumed = false;      ///< the client's credential was for us: it never travels
    bool foreign = false;       ///< not the first upstream: never the client's credentials
    bool changed_body = false;  ///< a correction: drop what describes the client's own bytes
    const forwarded_parts* forwarded = nullptr; ///< null: the client's such fields pass unchanged
    std::optional<std::uint32_t> max_forwards;  ///< written in place of the client's
    std::string_view request_id;                ///< written as x-request-id if the client sent none
};

/// The head, its empty line included.
std::string write_request_head(const request_parts& request);

/// Fields by which clients send credentials.
bool is_credential(std::string_view name);

} // namespace proxy::upstream
