// Who is at the other end of a socket.
#pragma once

#include <string>

namespace proxy::front {

/// The IP address that `fd` is connected to, an IPv4 one as such also where the socket is of IPv6;
/// empty for a unix socket and where it can't be told any more.
std::string peer_address(int fd);

} // namespace proxy::front
