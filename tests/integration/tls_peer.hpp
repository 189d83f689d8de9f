// The far side of TLS connections in tests: OpenSSL used plainly, blocking, with nothing of the
// proxy's own TLS in it.
#pragma once

#include "tests/integration/sockets.hpp"
#include "tests/support/certificates.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace proxy::tests {

class tls_peer {
  public:
    /// A server that speaks the protocols of `alpn` ("h2", "http/1.1", empty: none), TLS `most` at
    /// most (0x0303 is 1.2).
    static std::unique_ptr<tls_peer> server(const ::tests::certificate_files& files,
                                            const std::string& alpn = "http/1.1", int most = 0);

    /// A client that trusts `authority` and asks for `alpn`.
    static std::unique_ptr<tls_peer> client(const std::string& authority,
                                            const std::string& alpn = "http/1.1", int most = 0);

    ~tls_peer();

    /// Does the handshake over `socket`, which must outlive what follows. False if it fails.
    bool begin(const wire& socket, const std::string& name = "localhost");

    bool send(std::string_view bytes);

    /// What comes next; empty at the end.
    std::string read_some();

    /// Reads until `text` was seen or the end; gives all of it.
    std::string read_until(std::string_view text);

    std::string read_to_end() { return read_until({"\0\0none", 6}); }

    /// Sends close_notify.
    void finish();

    bool ended_orderly() const; ///< the peer sent close_notify
    bool resumed() const;
    std::string asked_name() const; ///< SNI, as a server sees it
    std::string protocol() const;   ///< ALPN
    std::string version() const;    ///< "TLSv1.3"

  private:
    struct state;
    explicit tls_peer(std::unique_ptr<state> made);
    std::unique_ptr<state> state_;
};

} // namespace proxy::tests
