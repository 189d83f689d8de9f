// Rows of the key tables that say who may connect and over what: TLS, unix sockets, client keys.
#pragma once

#include "proxy/config/keys.hpp"

#include <vector>

namespace proxy::config {

/// `tls.*` and `clients.*`.
std::vector<key<settings>> access_keys();

/// `socket` and `tls.*` of an upstream.
std::vector<key<upstream_settings>> upstream_access_keys();

} // namespace proxy::config
