#include "proxy/config/access_keys.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/config/key_rows.hpp"
#include "proxy/config/values.hpp"

#include <algorithm>

namespace proxy::config {

namespace {

bool is_path(std::string_view text) {
    return text.size() <= limits::path_bytes_max &&
           std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

// The path of a PEM file; whether it can be used is said when it is.
template <class Target, class Field>
key<Target> file(std::string name, Field field) {
    return row<Target>(
        std::move(name),
        [field](Target& to, std::string_view text) -> std::string {
            if (!is_path(text)) {
                return "allowed the path of a PEM file";
            }
            field(to) = text;
            return {};
        },
        [field](const Target& from) { return field(from); });
}

std::string set_client_key(settings& to, std::string_view text) {
    if (text.size() < limits::client_key_bytes_min || text.size() > limits::key_bytes_max ||
        !is_token_text(text)) {
        return "allowed 16 to 4096 visible ASCII characters without a space";
    }
    auto& keys = to.clients.keys;
    if (std::find(keys.begin(), keys.end(), text) != keys.end()) {
        return "stands twice";
    }
    if (keys.size() == limits::client_keys_max) {
        return "allowed at most 1000 keys";
    }
    keys.emplace_back(text);
    return {};
}

std::string set_trusted(settings& to, std::string_view text) {
    auto value = parse_network(text);
    if (!value) {
        return "allowed an IP address or a network such as 10.0.0.0/8 or fd00::/8";
    }
    if (to.clients.trusted.size() == limits::trusted_networks_max) {
        return "allowed at most 256 networks";
    }
    to.clients.trusted.push_back(*std::move(value));
    return {};
}

key<settings> trusted_key() {
    key<settings> result;
    result.name = "clients.trusted";
    result.list = true;
    result.set = set_trusted;
    result.get = [](const settings& from) {
        std::vector<std::string> out;
        for (const auto& each : from.clients.trusted) {
            out.push_back(each.text);
        }
        return out;
    };
    return result;
}

key<settings> admin_listen_key() {
    return row<settings>(
        "admin.listen",
        [](settings& to, std::string_view text) -> std::string {
            const auto value = parse_address(text);
            if (!value && !text.empty() && text != "off") {
                return "allowed off, IP:PORT, as in 127.0.0.1:8485, or unix:/PATH";
            }
            to.admin.listen = value;
            return {};
        },
        [](const settings& from) {
            return from.admin.listen ? from.admin.listen->str() : std::string("off");
        });
}

} // namespace

std::vector<key<settings>> access_keys() {
    key<settings> keys;
    keys.name = "clients.keys";
    keys.list = true;
    keys.secret = true;
    keys.set = set_client_key;
    keys.get = [](const settings& from) { return from.clients.keys; };
    return {
        file<settings>(
            "tls.certificate", [](auto& s) -> auto& { return s.tls.certificate; }),
        file<settings>(
            "tls.key", [](auto& s) -> auto& { return s.tls.key; }),
        std::move(keys),
        choice<settings, bool>("clients.open", [](auto& s) -> auto& { return s.clients.open; },
                               {{"false", false}, {"true", true}, {"on", true}, {"off", false}}),
        trusted_key(),
        admin_listen_key(),
    };
}

std::vector<key<upstream_settings>> upstream_access_keys() {
    using upstream = upstream_settings;
    return {
        row<upstream>(
            "socket",
            [](upstream& to, std::string_view text) -> std::string {
                if (!text.empty() && !is_socket_path(text)) {
                    return "allowed the absolute path of a unix socket, at most 107 bytes";
                }
                to.socket = text;
                return {};
            },
            [](const upstream& from) { return from.socket; }),
        choice<upstream, bool>("preserve_host", [](auto& s) -> auto& { return s.preserve_host; },
                               {{"false", false}, {"true", true}, {"on", true}, {"off", false}}),
        choice<upstream, bool>("forwarded", [](auto& s) -> auto& { return s.forwarded; },
                               {{"false", false}, {"true", true}, {"on", true}, {"off", false}}),
        choice<upstream, bool>("tls.verify", [](auto& s) -> auto& { return s.tls.verify; },
                               {{"true", true}, {"false", false}, {"on", true}, {"off", false}}),
        file<upstream>(
            "tls.ca_file", [](auto& s) -> auto& { return s.tls.ca_file; }),
        row<upstream>(
            "tls.server_name",
            [](upstream& to, std::string_view text) -> std::string {
                if (!text.empty() && !is_host_name(text)) {
                    return "allowed a host name or an IP address; empty for the one of base_url";
                }
                to.tls.server_name = text;
                return {};
            },
            [](const upstream& from) { return from.tls.server_name; }),
    };
}

} // namespace proxy::config
