// One non-blocking socket, with TLS or without, and its place in the loop. It says when there is
// something to read and when there is room to write; a wake-up costs its owner one read, one write
// and no other system call: the socket stays registered (edge-triggered), and each read also tells
// whether anything was left behind.
#pragma once

#include "proxy/upstream/byte_sink.hpp"
#include "proxy/upstream/io_loop.hpp"
#include "proxy/upstream/tls_channel.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace proxy::upstream {

/// Who is told. All may destroy the socket.
class ready_handler {
  public:
    /// Bytes, the peer's end or an error can be read; perhaps nothing, after all.
    virtual void on_readable() = 0;

    /// There is room again, or a connect has been decided; called once for each wait_writable().
    virtual void on_writable() = 0;

    /// Memory ran out inside one of the two: what it was for is to be given up.
    virtual void on_no_memory() = 0;

  protected:
    ~ready_handler() = default;
};

/// Sets what every connection needs: no delay of small writes, and reads that say what they left.
/// An accepted socket inherits both from its listener.
void tune_socket(int fd);

class socket final : public byte_sink {
  public:
    /// Takes over `fd`, which must be non-blocking and tuned. Reading starts paused, without a
    /// handler.
    socket(io_loop& loop, int fd);
    ~socket(); ///< closes
    socket(const socket&) = delete;
    socket& operator=(const socket&) = delete;

    int fd() const;

    /// From now on everything that is read and written goes through `channel`, made for fd().
    void secure(std::unique_ptr<tls_channel> channel);

    /// Goes on with the handshake of a secured socket whose reading is not paused; what it waits
    /// for is told to the handler.
    tls_channel::step handshake();

    /// Null without TLS.
    const tls_channel* tls() const;

    /// Must be set while reading is not paused or wait_writable() is under way.
    void set_handler(ready_handler* handler);

    /// From now on on_readable() is called whenever there may be something to read.
    void resume_reading();
    void pause_reading();

    /// As recv(): bytes read, 0 at the peer's end, -1 with errno. One call for each on_readable()
    /// is enough: what is left behind is told again.
    std::ptrdiff_t read(std::span<char> buffer);

    /// To be called with each tick while reading: looks once at a socket that got nothing for more
    /// than so many of them. A reset that came together with the last bytes announces itself only
    /// so.
    void recheck(unsigned char ticks);

    std::ptrdiff_t write(std::span<const iovec> pieces) override;

    void wait_writable();

    /// True if nothing can be read: neither bytes nor the peer's end.
    bool silent() const;

    /// Bytes have come that nobody took from the system yet. Half a TLS record that was taken and
    /// waits for its rest is none of them.
    bool has_unread() const;

    /// The peer has ended or reset the connection, as far as can be known without reading what it
    /// sent before.
    bool peer_left() const;

    /// Nothing more is sent: the peer is told so.
    void finish_sending();

    /// TLS will not say that the end is an orderly one: what was sent must not look whole.
    void end_without_notice();

    /// The close will be a reset, for the same reason.
    void reset_on_close();

  private:
    struct state;
    state* state_; // shared with the operations that are under way
};

} // namespace proxy::upstream
