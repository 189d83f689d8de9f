// What TLS connections of one kind share: certificates, trust, protocol rules. OpenSSL stays in the
// .cpp files of tls_context and tls_channel. TLS 1.2 and up, ALPN http/1.1.
#pragma once

#include <memory>
#include <string>

namespace proxy::upstream {

/// How an upstream is trusted.
struct tls_trust {
    bool verify = true;  ///< false: any certificate, for tests only
    std::string ca_file; ///< PEM; empty: the system's authorities
    std::string
        server_name; ///< the name that is asked for and must be in the certificate, or an IP
};

class tls_context {
  public:
    /// For connections to an upstream. Throws std::runtime_error with the reason if the authorities
    /// can't be read.
    static std::shared_ptr<tls_context> for_upstream(tls_trust trust);

    /// For connections from clients: a PEM chain and its key. Throws std::runtime_error with the
    /// reason if they can't be read or don't belong together.
    static std::shared_ptr<tls_context> for_clients(const std::string& certificate_file,
                                                    const std::string& key_file);

    ~tls_context();
    tls_context(const tls_context&) = delete;
    tls_context& operator=(const tls_context&) = delete;

    /// May be used from all threads.
    struct state;

    state& internals() { return *state_; }

  private:
    tls_context();

    std::unique_ptr<state> state_;
};

} // namespace proxy::upstream
