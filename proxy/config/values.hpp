// The scalar values of a configuration: durations, sizes, counts, addresses and base URLs, read
// from and written as text. Nothing here knows which key a value belongs to; a reader gives nothing
// for text of another form and leaves ranges to its caller.
#pragma once

#include "proxy/config/settings.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::config {

/// Decimal digits only, below 10^18.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// A count with one of the units ms, s, m, h ("600ms", "2m"); `0` needs none.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// A count of bytes, or of KiB, MiB, GiB ("64MiB").
std::optional<std::size_t> parse_size(std::string_view text);

/// A decimal share from 0 to 1 ("0.5").
std::optional<double> parse_share(std::string_view text);

/// true, on / false, off.
std::optional<bool> parse_switch(std::string_view text);

/// Visible ASCII without a space, as tokens in header fields are.
bool is_token_text(std::string_view text);

/// An absolute path that a unix socket can have.
bool is_socket_path(std::string_view text);

/// A host name or an IP address, without brackets.
bool is_host_name(std::string_view text);

/// IP:PORT with brackets around an IPv6 address, or unix:/PATH; `localhost` stands for 127.0.0.1.
std::optional<address> parse_address(std::string_view text);

/// Reads http://HOST[:PORT][/PATH], or the same with https, into the members of `upstream` that
/// come from it. Returns what is wrong with it, empty when nothing; `upstream` is changed only
/// then.
std::string read_base_url(std::string_view text, upstream_settings& upstream);

/// True for 127.0.0.0/8, ::1 and localhost.
bool is_loopback(std::string_view host);

/// True for 0.0.0.0 and ::, which listen on every interface.
bool is_wildcard(std::string_view host);

/// The shortest form that parse_duration() reads back: "2m", "1500ms".
std::string print_duration(std::chrono::milliseconds value);

/// The shortest form that parse_share() reads back.
std::string print_share(double value);

/// The shortest form that parse_size() reads back: "64MiB", "1000".
std::string print_size(std::size_t value);

} // namespace proxy::config
