// Checks over several keys at once, after every source has been taken.
#pragma once

#include "proxy/config/messages.hpp"

namespace proxy::config {

/// Throws config_error for: no upstream, doubled names, clients and admin on one address, an
/// upstream that is our own listener, an own key on a listener open to others, bounds that
/// contradict each other, an unknown format, corrections to an upstream that is not there.
void check(const loaded& all);

} // namespace proxy::config
