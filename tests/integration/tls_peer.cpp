#include "tests/integration/tls_peer.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/ssl.h>

#include <array>

namespace proxy::tests {

struct tls_peer::state {
    SSL_CTX* context = nullptr;
    SSL* ssl = nullptr;
    std::string alpn; // with its length byte
    bool is_server = false;

    ~state() {
        SSL_free(ssl);
        SSL_CTX_free(context);
    }
};

namespace {

std::string with_length(const std::string& alpn) {
    return alpn.empty() ? alpn : static_cast<char>(alpn.size()) + alpn;
}

int choose(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* offered,
           unsigned offered_size, void* wanted) {
    const auto& ours = *static_cast<std::string*>(wanted);
    unsigned char* chosen = nullptr;
    const int result =
        SSL_select_next_proto(&chosen, size, reinterpret_cast<const unsigned char*>(ours.data()),
                              static_cast<unsigned>(ours.size()), offered, offered_size);
    *out = chosen;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

void bound(SSL_CTX* context, int most) {
    BOOST_REQUIRE(context != nullptr);
    if (most != 0) {
        SSL_CTX_set_max_proto_version(context, most);
        SSL_CTX_set_min_proto_version(context, TLS1_VERSION);
        SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0");
    }
}

} // namespace

tls_peer::tls_peer(std::unique_ptr<state> made) : state_(std::move(made)) {}

tls_peer::~tls_peer() = default;

std::unique_ptr<tls_peer> tls_peer::server(const ::tests::certificate_files& files,
                                           const std::string& alpn, int most) {
    auto made = std::make_unique<state>();
    made->is_server = true;
    made->context = SSL_CTX_new(TLS_server_method());
    bound(made->context, most);
    BOOST_REQUIRE(SSL_CTX_use_certificate_chain_file(made->context, files.certificate.c_str()) ==
                  1);
    BOOST_REQUIRE(SSL_CTX_use_PrivateKey_file(made->context, files.key.c_str(), SSL_FILETYPE_PEM) ==
                  1);
    made->alpn = with_length(alpn);
    if (!alpn.empty()) {
        SSL_CTX_set_alpn_select_cb(made->context, choose, &made->alpn);
    }
    return std::unique_ptr<tls_peer>(new tls_peer(std::move(made)));
}

std::unique_ptr<tls_peer> tls_peer::client(const std::string& authority, const std::string& alpn,
                                           int most) {
    auto made = std::make_unique<state>();
    made->context = SSL_CTX_new(TLS_client_method());
    bound(made->context, most);
    BOOST_REQUIRE(SSL_CTX_load_verify_locations(made->context, authority.c_str(), nullptr) == 1);
    SSL_CTX_set_verify(made->context, SSL_VERIFY_PEER, nullptr);
    made->alpn = with_length(alpn);
    SSL_CTX_set_alpn_protos(made->context,
                            reinterpret_cast<const unsigned char*>(made->alpn.data()),
                            static_cast<unsigned>(made->alpn.size()));
    return std::unique_ptr<tls_peer>(new tls_peer(std::move(made)));
}

bool tls_peer::begin(const wire& socket, const std::string& name) {
    SSL_free(state_->ssl);
    state_->ssl = SSL_new(state_->context);
    SSL_set_fd(state_->ssl, socket.fd());
    if (state_->is_server) {
        return SSL_accept(state_->ssl) == 1;
    }
    SSL_set1_host(state_->ssl, name.c_str());
    return SSL_connect(state_->ssl) == 1;
}

bool tls_peer::send(std::string_view bytes) {
    std::size_t wrote = 0;
    return SSL_write_ex(state_->ssl, bytes.data(), bytes.size(), &wrote) == 1 &&
           wrote == bytes.size();
}

std::string tls_peer::read_some() {
    std::array<char, 16'384> buffer{};
    std::size_t got = 0;
    return SSL_read_ex(state_->ssl, buffer.data(), buffer.size(), &got) == 1
               ? std::string(buffer.data(), got)
               : std::string();
}

std::string tls_peer::read_until(std::string_view text) {
    std::string out;
    while (out.find(text) == std::string::npos) {
        const auto more = read_some();
        if (more.empty()) {
            break;
        }
        out += more;
    }
    return out;
}

void tls_peer::finish() {
    SSL_shutdown(state_->ssl);
}

bool tls_peer::ended_orderly() const {
    return (SSL_get_shutdown(state_->ssl) & SSL_RECEIVED_SHUTDOWN) != 0;
}

bool tls_peer::resumed() const {
    return SSL_session_reused(state_->ssl) == 1;
}

std::string tls_peer::asked_name() const {
    const char* name = SSL_get_servername(state_->ssl, TLSEXT_NAMETYPE_host_name);
    return name == nullptr ? "" : name;
}

std::string tls_peer::protocol() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(state_->ssl, &name, &size);
    return {reinterpret_cast<const char*>(name), size};
}

std::string tls_peer::version() const {
    return SSL_get_version(state_->ssl);
}

} // namespace proxy::tests
