// The address of a unix socket.
#pragma once

#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"

#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>

namespace proxy::upstream {

static_assert(limits::socket_path_bytes_max < sizeof(sockaddr_un::sun_path));

/// `path` must be at most limits::socket_path_bytes_max long.
inline sockaddr_un unix_address(const std::string& path) {
    PROXY_ENSURE(path.size() <= limits::socket_path_bytes_max);
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    std::memcpy(place.sun_path, path.c_str(), path.size() + 1);
    return place;
}

} // namespace proxy::upstream
