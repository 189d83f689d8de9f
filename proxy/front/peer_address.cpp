#include "proxy/front/peer_address.hpp"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <string_view>
#include <sys/socket.h>

namespace proxy::front {

std::string peer_address(int fd) {
    sockaddr_in6 of{}; // larger than IPv4's, which has its family at the same place
    socklen_t size = sizeof of;
    void* const place = &of;
    if (::getpeername(fd, static_cast<sockaddr*>(place), &size) != 0) {
        return {};
    }
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* address = &of.sin6_addr;
    if (of.sin6_family == AF_INET) {
        address = &static_cast<sockaddr_in*>(place)->sin_addr;
    } else if (of.sin6_family != AF_INET6) {
        return {};
    }
    ::inet_ntop(of.sin6_family, address, text.data(), text.size());
    const std::string_view found(text.data());
    constexpr std::string_view mapped = "::ffff:";
    const bool is_mapped = found.starts_with(mapped) && found.find('.') != std::string_view::npos;
    return std::string(is_mapped ? found.substr(mapped.size()) : found);
}

} // namespace proxy::front
