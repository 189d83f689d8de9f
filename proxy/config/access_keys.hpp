// Rows of the key tables that say who may connect and over what: TLS, unix sockets, client keys,
// the admin listener.
#pragma once

#include "proxy/config/keys.hpp"

#include <vector>

namespace proxy::config {

/// `tls.*`, `clients.*` and `admin.*`.
std::vector<key<settings>> access_keys();

/// `socket` and `tls.*` of an upstream.
std::vector<key<upstream_settings>> upstream_access_keys();

} // namespace proxy::config
