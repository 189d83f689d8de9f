// TLS sessions of one upstream and thread, so that a new connection need not begin from nothing.
#pragma once

#include <memory>

struct ssl_ctx_st;     // OpenSSL's SSL_CTX
struct ssl_st;         // SSL
struct ssl_session_st; // SSL_SESSION

namespace proxy::upstream {

/// Holds the newest session that the server gave.
class tls_session_slot {
  public:
    tls_session_slot() = default;
    ~tls_session_slot();
    tls_session_slot(const tls_session_slot&) = delete;
    tls_session_slot& operator=(const tls_session_slot&) = delete;

    /// Offers the session, if there is one, for a connection that begins, and takes what comes.
    /// The slot must outlive the connection.
    void attach(ssl_st* connection);

    /// Takes over one reference.
    void put(ssl_session_st* session);

    bool empty() const { return session_ == nullptr; }

  private:
    ssl_session_st* session_ = nullptr;
};

/// Makes the connections of `context` tell their slots about sessions.
void keep_sessions(ssl_ctx_st* context);

} // namespace proxy::upstream
