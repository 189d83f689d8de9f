#include "proxy/config/network.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>

namespace proxy::config {

namespace {

constexpr std::size_t mapped_bytes = 12; // in front of an IPv4 address

std::uint8_t mask_of(unsigned bits, std::size_t byte) {
    const auto in_byte = std::clamp(static_cast<int>(bits) - static_cast<int>(byte) * 8, 0, 8);
    return static_cast<std::uint8_t>(0xff00U >> static_cast<unsigned>(in_byte));
}

} // namespace

std::optional<ip_bytes> parse_ip(std::string_view text) {
    const std::string terminated(text);
    ip_bytes out{};
    if (terminated.find('\0') != std::string::npos) { // C would read on to it only
        return std::nullopt;
    }
    if (::inet_pton(AF_INET6, terminated.c_str(), out.data()) == 1) {
        return out;
    }
    out[10] = out[11] = 0xff;
    if (::inet_pton(AF_INET, terminated.c_str(), out.data() + mapped_bytes) == 1) {
        return out;
    }
    return std::nullopt;
}

bool network::holds(const ip_bytes& address) const {
    for (std::size_t i = 0; i < address.size(); ++i) {
        if (((address[i] ^ first[i]) & mask_of(bits, i)) != 0) {
            return false;
        }
    }
    return true;
}

std::optional<network> parse_network(std::string_view text) {
    const auto slash = text.find('/');
    const auto address = parse_ip(text.substr(0, slash));
    if (!address) {
        return std::nullopt;
    }
    const unsigned mapped = text.substr(0, slash).find(':') == std::string_view::npos ? 96 : 0;
    network out{std::string(text), *address, 128};
    if (slash != std::string_view::npos) {
        const auto count = text.substr(slash + 1);
        unsigned bits = 0;
        const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), bits);
        if (error != std::errc() || end != count.data() + count.size() || bits > 128 - mapped) {
            return std::nullopt;
        }
        out.bits = bits + mapped;
    }
    for (std::size_t i = 0; i < out.first.size(); ++i) {
        if ((out.first[i] & ~mask_of(out.bits, i) & 0xff) != 0) {
            return std::nullopt;
        }
    }
    return out;
}

} // namespace proxy::config
