// What one thread knows of one upstream: its settings, its addresses, its idle connections.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/upstream/pool.hpp"
#include "proxy/upstream/resolver.hpp"

namespace proxy::upstream {

struct endpoint {
    const config::upstream_settings& settings; ///< must outlive the endpoint
    pool connections;
    resolver names;

    endpoint(io_loop& loop, const config::upstream_settings& s)
        : settings(s), connections(loop, s.pool_idle_timeout), names(loop, s.host, s.port) {}
};

} // namespace proxy::upstream
