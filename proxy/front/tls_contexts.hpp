// The TLS contexts that a configuration asks for, made once for all threads.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/upstream/tls_context.hpp"

#include <memory>
#include <vector>

namespace proxy::front {

struct tls_contexts {
    std::shared_ptr<upstream::tls_context> clients;                ///< null: plain HTTP
    std::vector<std::shared_ptr<upstream::tls_context>> upstreams; ///< in their order, null: http

    /// Reads the files. Throws std::runtime_error, which names the key, its value and the reason,
    /// for one that can't be used.
    static tls_contexts make(const config::settings& settings);
};

} // namespace proxy::front
