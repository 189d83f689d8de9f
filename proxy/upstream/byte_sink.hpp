// Something that takes bytes as sendmsg() does: a socket, with TLS or without.
#pragma once

#include <cstddef>
#include <span>
#include <sys/uio.h>

namespace proxy::upstream {

class byte_sink {
  public:
    /// Takes as much of `pieces` (at most limits::gather_pieces_max of them count) as there is room
    /// for: bytes taken, or -1 with errno, EAGAIN when there is no room at all. What was not taken
    /// must be offered again first.
    virtual std::ptrdiff_t write(std::span<const iovec> pieces) = 0;

  protected:
    ~byte_sink() = default;
};

} // namespace proxy::upstream
