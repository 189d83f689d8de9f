// TLS on one connected, non-blocking socket: handshake, records, the orderly end. It reads and
// writes like recv() and sendmsg(), and never blocks. OpenSSL writes without MSG_NOSIGNAL: the
// process must ignore SIGPIPE.
#pragma once

#include "proxy/upstream/tls_context.hpp"
#include "proxy/upstream/tls_session.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <sys/uio.h>

namespace proxy::upstream {

class tls_channel {
  public:
    enum class step { done, wants_read, wants_write, failed };

    /// The client's side. `sessions` must outlive the channel, `fd` is not closed by it.
    static std::unique_ptr<tls_channel> to_upstream(std::shared_ptr<tls_context> context, int fd,
                                                    tls_session_slot& sessions);

    /// The server's side.
    static std::unique_ptr<tls_channel> from_client(std::shared_ptr<tls_context> context, int fd);

    ~tls_channel();
    tls_channel(const tls_channel&) = delete;
    tls_channel& operator=(const tls_channel&) = delete;

    /// Goes on with the handshake; read() and write() do that as well.
    step handshake();

    /// Behind `failed`: what is wrong, to follow "its TLS handshake failed: ".
    const std::string& reason() const { return reason_; }

    /// As recv(): 0 only at an orderly end (close_notify); a connection that just ends, or breaks
    /// the protocol, is -1 with ECONNRESET or EPROTO; -1 with EAGAIN when more must come.
    std::ptrdiff_t read(std::span<char> buffer);

    /// As sendmsg(): bytes taken of `pieces`, or -1. After EAGAIN the same bytes must be written
    /// again, with more behind them or not.
    std::ptrdiff_t write(std::span<const iovec> pieces);

    /// The last EAGAIN of read() waits for room to write.
    bool wants_write() const { return wants_write_; }

    /// Bytes that were received and not given yet.
    bool has_pending() const;

    bool is_established() const;

    /// The handshake took a session of an earlier connection.
    bool is_resumed() const;

    /// Tells the peer that the end is an orderly one, if that can be written at once.
    void close_notify();

  private:
    tls_channel() = default;
    step step_for(int result);
    std::string what_failed() const;

    struct state;
    std::unique_ptr<state> state_;
    std::string reason_;
    bool wants_write_ = false;
};

} // namespace proxy::upstream
