#include "proxy/upstream/tls_session.hpp"

#include <openssl/ssl.h>

namespace proxy::upstream {

namespace {

int slot_index() {
    static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

// 1: the reference is ours from now on.
int session_came(SSL* connection, SSL_SESSION* session) {
    auto* slot = static_cast<tls_session_slot*>(SSL_get_ex_data(connection, slot_index()));
    if (slot == nullptr) {
        return 0;
    }
    slot->put(session);
    return 1;
}

} // namespace

tls_session_slot::~tls_session_slot() {
    SSL_SESSION_free(session_);
}

void tls_session_slot::attach(ssl_st* connection) {
    SSL_set_ex_data(connection, slot_index(), this);
    if (session_ != nullptr) {
        SSL_set_session(connection, session_);
    }
}

void tls_session_slot::put(ssl_session_st* session) {
    SSL_SESSION_free(session_);
    session_ = session;
}

void keep_sessions(ssl_ctx_st* context) {
    SSL_CTX_set_session_cache_mode(context,
                                   SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE);
    SSL_CTX_sess_set_new_cb(context, session_came);
}

} // namespace proxy::upstream
