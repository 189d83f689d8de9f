#include "proxy/config/values.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <limits>

namespace proxy::config {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_alnum(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct unit {
    std::string_view name;
    std::uint64_t factor;
};

constexpr std::array<unit, 4> duration_units{
    {{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::array<unit, 3> size_units{{{"GiB", std::uint64_t{1} << 30},
                                          {"MiB", std::uint64_t{1} << 20},
                                          {"KiB", std::uint64_t{1} << 10}}};

template <std::size_t N>
std::optional<std::uint64_t> parse_with_unit(std::string_view text,
                                             const std::array<unit, N>& units) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
    const auto digits = static_cast<std::size_t>(end - text.begin());
    const auto count = parse_count(text.substr(0, digits));
    const auto* const found = std::find_if(
        units.begin(), units.end(), [&](const unit& u) { return u.name == text.substr(digits); });
    if (!count || found == units.end() ||
        *count >
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / found->factor) {
        return std::nullopt;
    }
    return *count * found->factor;
}

template <std::size_t N>
std::optional<std::string> print_with_unit(std::uint64_t value, const std::array<unit, N>& units) {
    for (const unit& u : units) {
        if (value != 0 && value % u.factor == 0) {
            return std::to_string(value / u.factor) + std::string(u.name);
        }
    }
    return std::nullopt;
}

bool is_ip(const std::string& host) {
    std::array<unsigned char, 16> bytes{};
    return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
    const auto count = parse_count(text);
    if (!count || *count > 65'535 || text.size() > 5) {
        return std::nullopt;
    }
    return static_cast<std::uint16_t>(*count);
}

struct host_port {
    std::string_view host;
    std::string_view port; // empty when there is none
    bool bracketed = false;
};

// Splits HOST[:PORT] or [V6][:PORT]; nothing when it has neither form.
std::optional<host_port> split_authority(std::string_view text) {
    host_port parts;
    std::string_view rest;
    if (text.starts_with('[')) {
        const auto close = text.find(']');
        if (close == std::string_view::npos) {
            return std::nullopt;
        }
        parts.host = text.substr(1, close - 1);
        parts.bracketed = true;
        rest = text.substr(close + 1);
    } else {
        const auto colon = std::min(text.find(':'), text.size());
        parts.host = text.substr(0, colon);
        rest = text.substr(colon);
    }
    if (!rest.empty() && (rest[0] != ':' || rest.size() == 1)) {
        return std::nullopt;
    }
    parts.port = rest.empty() ? rest : rest.substr(1);
    return parts;
}

bool valid_host(const host_port& parts) {
    if (parts.bracketed) {
        return parts.host.find(':') != std::string_view::npos && is_ip(std::string(parts.host));
    }
    const auto allowed = [](char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_'; };
    return !parts.host.empty() && parts.host.size() <= limits::host_bytes_max &&
           std::all_of(parts.host.begin(), parts.host.end(), allowed) && is_alnum(parts.host[0]);
}

// Path characters of RFC 3986; a '{' so never meets the expansion of ${VAR}.
bool valid_path(std::string_view path) {
    constexpr std::string_view marks = "/-._~%!$&'()*+,;=:@";
    return std::all_of(path.begin(), path.end(), [&](char c) {
        return is_alnum(c) || marks.find(c) != std::string_view::npos;
    });
}

bool has_dot_segment(std::string_view path) {
    std::string padded = std::string(path) + "/";
    return padded.find("/./") != std::string::npos || padded.find("/../") != std::string::npos;
}

} // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t value = 0;
    if (text.empty() || text.size() > 18 || !std::all_of(text.begin(), text.end(), is_digit)) {
        return std::nullopt;
    }
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::optional<double> parse_share(std::string_view text) {
    const bool plain = !text.empty() && text.size() <= 18 &&
                       text.find_first_not_of("0123456789.") == std::string_view::npos;
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!plain || read.ec != std::errc{} || read.ptr != text.data() + text.size() || value > 1) {
        return std::nullopt;
    }
    return value;
}

std::string print_share(double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return {digits, end};
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
    const auto value = text == "0" ? std::uint64_t{0} : parse_with_unit(text, duration_units);
    return value ? std::optional(std::chrono::milliseconds(*value)) : std::nullopt;
}

std::optional<std::size_t> parse_size(std::string_view text) {
    const auto plain = parse_count(text);
    return plain ? plain : parse_with_unit(text, size_units);
}

std::optional<bool> parse_switch(std::string_view text) {
    if (text == "true" || text == "on") {
        return true;
    }
    return text == "false" || text == "off" ? std::optional(false) : std::nullopt;
}

bool is_token_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_socket_path(std::string_view text) {
    return text.starts_with('/') && text.size() > 1 &&
           text.size() <= limits::socket_path_bytes_max &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

bool is_host_name(std::string_view text) {
    return is_ip(std::string(text)) || valid_host({text, {}, false});
}

std::optional<address> parse_address(std::string_view text) {
    constexpr std::string_view unix_scheme = "unix:";
    if (text.starts_with(unix_scheme)) {
        address on_disk;
        on_disk.path = text.substr(unix_scheme.size());
        return is_socket_path(on_disk.path) ? std::optional(on_disk) : std::nullopt;
    }
    const auto parts = split_authority(text);
    const auto port = parts ? parse_port(parts->port) : std::nullopt;
    if (!port || !valid_host(*parts)) {
        return std::nullopt;
    }
    address result;
    result.host = parts->host;
    result.port = *port;
    if (result.host == "localhost") {
        result.host = "127.0.0.1";
    }
    return is_ip(result.host) ? std::optional(result) : std::nullopt;
}

std::string read_base_url(std::string_view text, upstream_settings& upstream) {
    const std::string form =
        "allowed http://HOST[:PORT][/PATH] or https://…, as in http://127.0.0.1:8000/v1";
    const bool secure = text.starts_with("https://");
    const std::string_view scheme = secure ? "https://" : "http://";
    const std::uint16_t usual_port = secure ? 443 : 80;
    if (!text.starts_with(scheme)) {
        return form;
    }
    const std::string_view rest = text.substr(scheme.size());
    const auto slash = std::min(rest.find('/'), rest.size());
    std::string_view path = rest.substr(slash);
    if (rest.find_first_of("?#") != std::string_view::npos) {
        return "a query or fragment can't be kept; " + form;
    }
    const auto parts = split_authority(rest.substr(0, slash));
    const auto port = parts && !parts->port.empty() ? parse_port(parts->port) : usual_port;
    if (!parts || !valid_host(*parts) || !port || *port == 0 || !valid_path(path) ||
        has_dot_segment(path)) {
        return form;
    }
    while (path.ends_with('/')) {
        path.remove_suffix(1);
    }
    upstream.base_url = text;
    upstream.host = parts->host;
    upstream.port = *port;
    upstream.secure = secure;
    upstream.authority = parts->bracketed ? "[" + upstream.host + "]" : upstream.host;
    if (*port != usual_port) {
        upstream.authority += ":" + std::to_string(*port);
    }
    upstream.path = path;
    return {};
}

bool is_loopback(std::string_view host) {
    if (host == "localhost") {
        return true;
    }
    const std::string text(host);
    in_addr v4{};
    if (inet_pton(AF_INET, text.c_str(), &v4) == 1) {
        return (ntohl(v4.s_addr) >> 24) == 127;
    }
    in6_addr v6{};
    return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool is_wildcard(std::string_view host) {
    const std::string text(host);
    in_addr v4{};
    if (inet_pton(AF_INET, text.c_str(), &v4) == 1) {
        return v4.s_addr == INADDR_ANY;
    }
    in6_addr v6{};
    return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6);
}

std::string print_duration(std::chrono::milliseconds value) {
    return print_with_unit(static_cast<std::uint64_t>(value.count()), duration_units).value_or("0");
}

std::string print_size(std::size_t value) {
    return print_with_unit(value, size_units).value_or(std::to_string(value));
}

} // namespace proxy::config
