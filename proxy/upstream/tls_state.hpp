// The inside of a TLS context, for tls_context.cpp and tls_channel.cpp only.
#pragma once

#include "proxy/upstream/tls_context.hpp"

#include <openssl/ssl.h>

#include <memory>
#include <string>

namespace proxy::upstream {

struct free_context {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

struct tls_context::state {
    std::unique_ptr<SSL_CTX, free_context> context;
    tls_trust trust; ///< of an upstream
};

/// The oldest error of this thread's queue, which is the cause of the others, as the end of a
/// sentence; empties the queue.
std::string tls_reason();

} // namespace proxy::upstream
