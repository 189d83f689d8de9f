// What one thread knows of one upstream: its settings, its addresses, its idle connections.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/upstream/pool.hpp"
#include "proxy/upstream/resolver.hpp"
#include "proxy/upstream/tls_context.hpp"
#include "proxy/upstream/tls_session.hpp"

#include <memory>
#include <utility>

namespace proxy::upstream {

struct endpoint {
    const config::upstream_settings& settings; ///< must outlive the endpoint
    std::shared_ptr<tls_context> tls;          ///< null: without TLS
    tls_session_slot sessions;
    pool connections;
    resolver names;

    endpoint(io_loop& loop, const config::upstream_settings& s,
             std::shared_ptr<tls_context> context = nullptr)
        : settings(s), tls(std::move(context)), connections(loop, s.pool_idle_timeout),
          names(s.socket.empty() ? resolver(loop, s.host, s.port) : resolver(loop, s.socket)) {}
};

} // namespace proxy::upstream
