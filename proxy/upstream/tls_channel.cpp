#include "proxy/upstream/tls_channel.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/upstream/tls_state.hpp"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>

namespace proxy::upstream {

namespace {

struct free_ssl {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
};

bool is_ip_literal(const std::string& name) {
    std::array<unsigned char, sizeof(in6_addr)> address{};
    return ::inet_pton(AF_INET, name.c_str(), address.data()) == 1 ||
           ::inet_pton(AF_INET6, name.c_str(), address.data()) == 1;
}

// SNI carries host names only (RFC 6066 3); an address is checked, not named.
bool expect_name(SSL* ssl, const std::string& name) {
    if (is_ip_literal(name)) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name.c_str()) == 1;
    }
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // SSL_set_tlsext_host_name() without its old-style cast; the name is copied.
    return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                    const_cast<char*>(name.c_str())) == 1 &&
           SSL_set1_host(ssl, name.c_str()) == 1;
}

// As much of `pieces` behind `skip` as one record holds.
std::size_t gather(std::span<const iovec> pieces, std::size_t skip, std::span<char> record) {
    std::size_t filled = 0;
    for (const auto& piece : pieces) {
        if (skip >= piece.iov_len) {
            skip -= piece.iov_len;
            continue;
        }
        const auto length = std::min(piece.iov_len - skip, record.size() - filled);
        std::memcpy(record.data() + filled, static_cast<const char*>(piece.iov_base) + skip,
                    length);
        filled += length;
        skip = 0;
        if (filled == record.size()) {
            break;
        }
    }
    return filled;
}

} // namespace

struct tls_channel::state {
    std::shared_ptr<tls_context> context;
    std::unique_ptr<SSL, free_ssl> ssl;
    bool broken = false; // nothing may be written any more (SSL_shutdown(3))

    state(std::shared_ptr<tls_context> c, int fd)
        : context(std::move(c)), ssl(SSL_new(context->internals().context.get())) {
        PROXY_ENSURE(ssl != nullptr && SSL_set_fd(ssl.get(), fd) == 1);
    }
};

std::unique_ptr<tls_channel> tls_channel::to_upstream(std::shared_ptr<tls_context> context, int fd,
                                                      tls_session_slot& sessions) {
    std::unique_ptr<tls_channel> made(new tls_channel);
    made->state_ = std::make_unique<state>(std::move(context), fd);
    SSL* ssl = made->state_->ssl.get();
    SSL_set_connect_state(ssl);
    PROXY_ENSURE(expect_name(ssl, made->state_->context->internals().trust.server_name));
    sessions.attach(ssl);
    return made;
}

std::unique_ptr<tls_channel> tls_channel::from_client(std::shared_ptr<tls_context> context,
                                                      int fd) {
    std::unique_ptr<tls_channel> made(new tls_channel);
    made->state_ = std::make_unique<state>(std::move(context), fd);
    SSL_set_accept_state(made->state_->ssl.get());
    return made;
}

tls_channel::~tls_channel() = default;

tls_channel::step tls_channel::step_for(int result) {
    wants_write_ = false;
    switch (SSL_get_error(state_->ssl.get(), result)) {
    case SSL_ERROR_NONE:
        return step::done;
    case SSL_ERROR_WANT_READ:
        return step::wants_read;
    case SSL_ERROR_WANT_WRITE:
        wants_write_ = true;
        return step::wants_write;
    default:
        state_->broken = true;
        reason_ = what_failed();
        return step::failed;
    }
}

std::string tls_channel::what_failed() const {
    const auto verdict = SSL_get_verify_result(state_->ssl.get());
    if (verdict != X509_V_OK) {
        ERR_clear_error();
        return std::string("its certificate is not accepted: ") +
               X509_verify_cert_error_string(verdict);
    }
    if (ERR_peek_last_error() == 0) {
        return "the connection was closed";
    }
    return tls_reason();
}

tls_channel::step tls_channel::handshake() {
    ERR_clear_error();
    return step_for(SSL_do_handshake(state_->ssl.get()));
}

std::ptrdiff_t tls_channel::read(std::span<char> buffer) {
    SSL* ssl = state_->ssl.get();
    ERR_clear_error();
    std::size_t got = 0;
    const int result = SSL_read_ex(ssl, buffer.data(), buffer.size(), &got);
    if (result == 1) {
        wants_write_ = false;
        return static_cast<std::ptrdiff_t>(got);
    }
    if (SSL_get_error(ssl, result) == SSL_ERROR_ZERO_RETURN) {
        return 0;
    }
    const bool broken = step_for(result) == step::failed;
    errno = broken ? ECONNRESET : EAGAIN;
    return -1;
}

std::ptrdiff_t tls_channel::write(std::span<const iovec> pieces) {
    thread_local std::array<char, limits::tls_record_bytes> record;
    std::size_t written = 0;
    while (const auto filled = gather(pieces, written, record)) {
        ERR_clear_error();
        std::size_t took = 0;
        const int result = SSL_write_ex(state_->ssl.get(), record.data(), filled, &took);
        if (result != 1) {
            const bool broken = step_for(result) == step::failed;
            errno = broken ? EPIPE : EAGAIN;
            return written > 0 && !broken ? static_cast<std::ptrdiff_t>(written) : -1;
        }
        written += took;
    }
    return static_cast<std::ptrdiff_t>(written);
}

bool tls_channel::has_pending() const {
    return SSL_has_pending(state_->ssl.get()) == 1;
}

bool tls_channel::is_established() const {
    return SSL_is_init_finished(state_->ssl.get()) == 1;
}

bool tls_channel::is_resumed() const {
    return SSL_session_reused(state_->ssl.get()) == 1;
}

void tls_channel::close_notify() {
    if (!state_->broken && is_established()) {
        ERR_clear_error();
        SSL_shutdown(state_->ssl.get());
    }
}

} // namespace proxy::upstream
