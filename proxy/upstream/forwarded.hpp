// What an upstream is told of the client behind a request, and of us (`forwarded: true`):
// X-Forwarded-For, -Proto and -Host, Forwarded (RFC 7239) and Via (RFC 9110 7.6.3).
#pragma once

#include "proxy/upstream/fields.hpp"

#include <string>
#include <string_view>

namespace proxy::upstream {

struct forwarded_parts {
    std::string client;     ///< its IP address; empty: it came over a unix socket
    bool encrypted = false; ///< it speaks TLS
    bool trusted = false;   ///< what it says of the clients behind it is believed, and passed on
    bool http_1_0 = false;  ///< its version, for Via
};

/// Fields that append_forwarded() writes in place of the client's.
bool is_forwarded(std::string_view name);

/// Writes them; `fields` are the client's. Of one that is not trusted only Via goes on.
void append_forwarded(std::string& out, const forwarded_parts& of, const field_list& fields);

} // namespace proxy::upstream
