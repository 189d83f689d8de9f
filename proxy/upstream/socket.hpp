// One non-blocking TCP socket and its place in the loop. It says when there is something to read
// and when there is room to write; a wake-up costs its owner one read, one write and no other
// system call: the socket stays registered (edge-triggered), and each read also tells whether
// anything was left behind.
#pragma once

#include "proxy/upstream/io_loop.hpp"

#include <cstddef>
#include <span>

namespace proxy::upstream {

/// Who is told. Both may destroy the socket.
class ready_handler {
  public:
    /// Bytes, the peer's end or an error can be read; perhaps nothing, after all.
    virtual void on_readable() = 0;

    /// There is room again, or a connect has been decided; called once for each wait_writable().
    virtual void on_writable() = 0;

  protected:
    ~ready_handler() = default;
};

/// Sets what every connection needs: no delay of small writes, and reads that say what they left.
/// An accepted socket inherits both from its listener.
void tune_socket(int fd);

class socket {
  public:
    /// Takes over `fd`, which must be non-blocking and tuned. Reading starts paused, without a
    /// handler.
    socket(io_loop& loop, int fd);
    ~socket(); ///< closes
    socket(const socket&) = delete;
    socket& operator=(const socket&) = delete;

    int fd() const;

    /// Must be set while reading is not paused or wait_writable() is under way.
    void set_handler(ready_handler* handler);

    /// From now on on_readable() is called whenever there may be something to read.
    void resume_reading();
    void pause_reading();

    /// As recv(): bytes read, 0 at the peer's end, -1 with errno. One call for each on_readable()
    /// is enough: what is left behind is told again.
    std::ptrdiff_t read(std::span<char> buffer);

    /// To be called with each tick while reading: looks once at a socket that has fallen silent. A
    /// reset that came together with the last bytes announces itself only so.
    void recheck();

    void wait_writable();

    /// The next close() is a reset: what was sent must not look whole.
    void reset_on_close();

  private:
    struct state;
    state* state_; // shared with the operations that are under way
};

} // namespace proxy::upstream
