// Everything an operator can set, as immutable values. One member for each key of the YAML file;
// the same names with flags and environment variables (see config/load.hpp).
#pragma once

#include "proxy/base/limits.hpp"
#include "proxy/config/network.hpp"
#include "proxy/turn/sanitizer.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace proxy::config {

/// A listening or connecting address. The loader gives a listener's host as an IP literal.
struct address {
    std::string host = "127.0.0.1"; ///< without brackets
    std::uint16_t port = 0;
    std::string path{}; ///< of a unix socket; host and port mean nothing then

    std::string str() const; ///< "127.0.0.1:8484", "[::1]:8484", "unix:/run/x.sock"

    bool operator==(const address&) const = default;
};

/// shadow: identical bytes, and the log tells what would have been done.
enum class upstream_mode { enforce, shadow, off };

/// How an `https` upstream is trusted.
struct upstream_tls {
    bool verify = true;
    std::string ca_file;     ///< PEM; empty: the system's authorities
    std::string server_name; ///< empty: the host of base_url

    bool operator==(const upstream_tls&) const = default;
};

struct upstream_settings {
    std::string name = "main";
    std::string base_url; ///< as configured
    std::string host;     ///< from base_url, without brackets
    std::uint16_t port = 80;
    bool secure = false; ///< https
    std::string socket;  ///< path of a unix socket to connect to instead of host and port
    upstream_tls tls;
    std::string authority; ///< what goes into Host: host, and the port unless it is the default
    std::string path;      ///< path of base_url without a trailing slash; may be empty
    std::string api_key;   ///< sent as a bearer token when the client sends none
    bool auth_override = false; ///< `auth: override`: sent always
    upstream_mode mode = upstream_mode::enforce;
    bool preserve_host = false;        ///< the client's Host goes on in place of ours
    bool forwarded = false;            ///< X-Forwarded-* and Via are written
    bool flatten_tool_history = false; ///< in corrections, for upstreams that refuse it
    std::chrono::milliseconds connect_timeout{5'000};
    std::chrono::milliseconds first_byte_timeout{600'000};
    std::chrono::milliseconds idle_timeout{300'000};
    std::chrono::milliseconds pool_idle_timeout{4'000};

    bool operator==(const upstream_settings&) const = default;
};

struct recovery_settings {
    bool enabled = true;
    turn::empty_mode empty = turn::empty_mode::off;
    double budget_ratio = 0.5; ///< share of the last turns that failed corrections may be
    std::string upstream;      ///< name of the one that corrections go to; empty: the first's
    std::string model;         ///< of the correction; empty: the client's
    std::uint64_t max_tokens = 0;
    std::chrono::milliseconds keepalive{10'000}; ///< 0: off

    bool operator==(const recovery_settings&) const = default;
};

struct limit_settings {
    std::size_t body = limits::body_bytes_max;
    std::size_t response = limits::response_bytes_max; ///< a JSON answer
    std::size_t head = limits::head_bytes_max;
    std::size_t header_lines = limits::header_lines_max;
    std::size_t target = limits::target_bytes_max;
    std::size_t event = limits::event_bytes_max;
    std::size_t streams = 10'000;
    std::size_t memory = limits::kept_bodies_bytes_max; ///< of all bodies kept at a time

    bool operator==(const limit_settings&) const = default;
};

struct timeout_settings {
    std::chrono::milliseconds client_head{10'000};
    std::chrono::milliseconds client_body{30'000};
    std::chrono::milliseconds client_write{60'000};
    std::chrono::milliseconds client_idle{75'000};
    std::chrono::milliseconds drain{30'000};

    bool operator==(const timeout_settings&) const = default;
};

/// What clients connect with; both empty: plain HTTP.
struct tls_settings {
    std::string certificate; ///< PEM file, the whole chain
    std::string key;         ///< PEM file

    bool on() const { return !certificate.empty(); }

    bool operator==(const tls_settings&) const = default;
};

struct client_settings {
    std::vector<std::string> keys; ///< bearer tokens that may enter; empty: everybody
    bool open = false;             ///< everybody may spend an upstream's api_key
    std::vector<network> trusted;  ///< whose X-Forwarded-* fields are believed

    bool operator==(const client_settings&) const = default;
};

/// The listener for metrics and probes.
struct admin_settings {
    std::optional<address> listen; ///< none: off

    bool operator==(const admin_settings&) const = default;
};

enum class log_format { text, json };

struct log_settings {
    std::string level = "info"; ///< trace, debug, info, warn, error, off
    log_format format = log_format::text;
    bool spans = true;

    bool operator==(const log_settings&) const = default;
};

struct settings {
    address listen{"127.0.0.1", 8484};
    unsigned threads = 0; ///< 0: one per core
    std::vector<upstream_settings> upstreams;
    tls_settings tls;
    client_settings clients;
    admin_settings admin;
    turn::reasoning_mode reasoning = turn::reasoning_mode::detect;
    bool mode_header = true; ///< a request may choose its mode with `x-unscaffold`
    std::vector<std::string> formats_disable;
    recovery_settings recovery;
    limit_settings limits;
    timeout_settings timeouts;
    log_settings log;

    bool operator==(const settings&) const = default;
};

} // namespace proxy::config
