#include "proxy/upstream/tls_context.hpp"

#include "proxy/upstream/tls_session.hpp"
#include "proxy/upstream/tls_state.hpp"

#include <openssl/err.h>

#include <stdexcept>
#include <string_view>
#include <system_error>

namespace proxy::upstream {

namespace {

constexpr std::string_view alpn = "\x08http/1.1"; // RFC 7301: one length byte for each name

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what + ": " + tls_reason());
}

// A client that offers protocols must offer ours (RFC 7301 3.2).
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned offered_size, void*) {
    const auto* ours = reinterpret_cast<const unsigned char*>(alpn.data());
    unsigned char* chosen = nullptr;
    const int result = SSL_select_next_proto(
        &chosen, out_size, ours, static_cast<unsigned>(alpn.size()), offered, offered_size);
    *out = chosen;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

std::unique_ptr<SSL_CTX, free_context> make_context(const SSL_METHOD* method) {
    std::unique_ptr<SSL_CTX, free_context> made(SSL_CTX_new(method));
    SSL_CTX* context = made.get();
    if (context == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
        fail("TLS can't be used");
    }
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE);
    // Idle streams give their buffers back; a write goes on from wherever its bytes then lie.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1); // one read for a record, not two
    return made;
}

} // namespace

std::string tls_reason() {
    const auto code = ERR_peek_error(); // the first of a chain is the cause
    const char* reason = ERR_reason_error_string(code);
    ERR_clear_error();
    if (ERR_SYSTEM_ERROR(code)) {
        return std::generic_category().message(ERR_GET_REASON(code));
    }
    return reason != nullptr ? reason : "no reason given";
}

tls_context::tls_context() : state_(std::make_unique<state>()) {}

tls_context::~tls_context() = default;

std::shared_ptr<tls_context> tls_context::for_upstream(tls_trust trust) {
    std::shared_ptr<tls_context> made(new tls_context);
    auto& inside = *made->state_;
    inside.context = make_context(TLS_client_method());
    SSL_CTX* context = inside.context.get();
    const bool trusted =
        trust.ca_file.empty()
            ? SSL_CTX_set_default_verify_paths(context) == 1
            : SSL_CTX_load_verify_locations(context, trust.ca_file.c_str(), nullptr) == 1;
    if (!trusted) {
        fail("the certificate authorities can't be read");
    }
    SSL_CTX_set_verify(context, trust.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
    // SSL_CTX_set_alpn_protos gives 0 for success.
    if (SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>(alpn.data()),
                                static_cast<unsigned>(alpn.size())) != 0) {
        fail("TLS can't be used");
    }
    keep_sessions(context);
    inside.trust = std::move(trust);
    return made;
}

std::shared_ptr<tls_context> tls_context::for_clients(const std::string& certificate_file,
                                                      const std::string& key_file) {
    std::shared_ptr<tls_context> made(new tls_context);
    auto& inside = *made->state_;
    inside.context = make_context(TLS_server_method());
    SSL_CTX* context = inside.context.get();
    if (SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1) {
        fail("the certificate can't be read");
    }
    if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
        fail("the key can't be read, or is not the certificate's");
    }
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
    // Sessions travel in tickets: nothing is kept here for clients that never come back.
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return made;
}

} // namespace proxy::upstream
