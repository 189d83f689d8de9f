// The one question about errno that every non-blocking call asks.
#pragma once

#include <cerrno>

namespace proxy::upstream {

/// True if the call may simply be tried again later. (On Linux EWOULDBLOCK is EAGAIN.)
inline bool would_block(int error) {
    return error == EAGAIN || error == EINTR;
}

} // namespace proxy::upstream
