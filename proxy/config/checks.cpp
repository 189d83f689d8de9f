#include "proxy/config/checks.hpp"

#include "proxy/config/formats_file.hpp"
#include "proxy/config/values.hpp"

#include <algorithm>

namespace proxy::config {

namespace {

std::string place(const loaded& all, const std::string& path) {
    const auto found = all.places.find(path);
    return found == all.places.end() ? path : found->second;
}

std::string upstream_key(std::size_t index, const char* member) {
    return "upstreams[" + std::to_string(index) + "]." + member;
}

// A wildcard listener takes every loopback connection of its port as well, and connecting to a
// wildcard address reaches loopback. Other addresses of this machine are not looked up.
bool same_host(const std::string& listen, const std::string& upstream) {
    if (listen == upstream) {
        return true;
    }
    const bool upstream_here = is_loopback(upstream) || is_wildcard(upstream);
    return upstream_here &&
           (is_wildcard(listen) ||
            (is_loopback(listen) && (upstream == "localhost" || is_wildcard(upstream))));
}

std::vector<address> own_addresses(const settings& value) {
    std::vector<address> own{value.listen};
    if (value.admin.listen) {
        own.push_back(*value.admin.listen);
    }
    return own;
}

bool reaches(const upstream_settings& upstream, const address& listen) {
    if (!listen.path.empty() || !upstream.socket.empty()) {
        return !listen.path.empty() && listen.path == upstream.socket;
    }
    return listen.port != 0 && listen.port == upstream.port &&
           same_host(listen.host, upstream.host);
}

void check_upstream(const loaded& all, std::size_t index) {
    const upstream_settings& upstream = all.value.upstreams[index];
    const address& listen = all.value.listen;
    const std::string url_place = place(all, upstream_key(index, "base_url"));
    for (const address& own : own_addresses(all.value)) {
        if (!reaches(upstream, own)) {
            continue;
        }
        if (!own.path.empty()) {
            throw_bad_value(place(all, upstream_key(index, "socket")), upstream.socket, false,
                            "this is our own listen address");
        }
        throw_bad_value(url_place, upstream.base_url, false,
                        "this is our own listen address " + own.str() +
                            "; name the model server, or listen elsewhere (--listen)");
    }
    if (upstream.secure && !upstream.socket.empty()) {
        throw_bad_value(place(all, upstream_key(index, "socket")), upstream.socket, false,
                        "an https upstream is reached over TCP only");
    }
    const bool reached_from_afar = listen.path.empty() && !is_loopback(listen.host);
    const bool anybody = all.value.clients.keys.empty() && !all.value.clients.open;
    if (!upstream.api_key.empty() && reached_from_afar && anybody) {
        throw_bad_value(place(all, upstream_key(index, "api_key")), upstream.api_key, true,
                        "anyone who reaches " + listen.str() +
                            " could spend this key; listen on 127.0.0.1, let in only clients with "
                            "a key of clients.keys, or say clients.open: true");
    }
    for (std::size_t other = 0; other < index; ++other) {
        if (all.value.upstreams[other].name == upstream.name) {
            throw_bad_value(place(all, upstream_key(index, "name")), upstream.name, false,
                            "another upstream has this name");
        }
    }
}

// Both on one port would share its connections by chance.
void check_admin(const loaded& all) {
    const address& listen = all.value.listen;
    if (!all.value.admin.listen) {
        return;
    }
    const address& admin = *all.value.admin.listen;
    const bool same_path = !admin.path.empty() && admin.path == listen.path;
    const bool over_tcp = admin.path.empty() && listen.path.empty();
    const bool overlap =
        admin.host == listen.host || is_wildcard(admin.host) || is_wildcard(listen.host);
    if (same_path || (over_tcp && admin.port != 0 && admin.port == listen.port && overlap)) {
        throw_bad_value(place(all, "admin.listen"), admin.str(), false,
                        "clients have this address already (listen " + listen.str() + ")");
    }
}

void check_correction_upstream(const loaded& all) {
    const std::string& wanted = all.value.recovery.upstream;
    std::vector<std::string> names;
    for (const upstream_settings& upstream : all.value.upstreams) {
        names.push_back(upstream.name);
    }
    if (wanted.empty() || std::find(names.begin(), names.end(), wanted) != names.end()) {
        return;
    }
    const std::string meant = nearest_name(wanted, names);
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : ", ") + name;
    }
    throw_bad_value(place(all, "recovery.upstream"), wanted, false,
                    "no upstream has this name" +
                        (meant.empty() ? std::string() : "; did you mean " + meant + "?") +
                        " (allowed: " + list + ")");
}

void check_formats(const loaded& all) {
    if (all.value.formats_disable.empty()) {
        return;
    }
    std::vector<std::string> names;
    for (const scaffold::format& f : parse_formats(embedded_formats(), "formats.yaml")) {
        names.push_back(f.name);
    }
    for (const std::string& name : all.value.formats_disable) {
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            continue;
        }
        const std::string meant = nearest_name(name, names);
        throw_bad_value(place(all, "sanitize.formats.disable"), name, false,
                        "no format has this name" +
                            (meant.empty() ? std::string() : "; did you mean " + meant + "?") +
                            " (`unscaffold formats` lists them)");
    }
}

} // namespace

void check(const loaded& all) {
    if (all.value.upstreams.empty()) {
        throw config_error("no upstream: name the model server, as in\n"
                           "  unscaffold --upstream http://127.0.0.1:8000/v1\n"
                           "or try `unscaffold demo`, which brings its own");
    }
    for (std::size_t index = 0; index < all.value.upstreams.size(); ++index) {
        check_upstream(all, index);
    }
    check_admin(all);
    const tls_settings& tls = all.value.tls;
    if (tls.certificate.empty() != tls.key.empty()) {
        const bool no_key = tls.key.empty();
        throw_bad_value(place(all, no_key ? "tls.certificate" : "tls.key"),
                        no_key ? tls.certificate : tls.key, false,
                        "tls.certificate and tls.key must stand together");
    }
    const limit_settings& limits = all.value.limits;
    if (limits.target >= limits.head) {
        throw_bad_value(
            place(all, all.places.contains("limits.target") ? "limits.target" : "limits.head"),
            print_size(all.places.contains("limits.target") ? limits.target : limits.head), false,
            "limits.target must be below limits.head (" + print_size(limits.target) + ", " +
                print_size(limits.head) + ")");
    }
    check_correction_upstream(all);
    check_formats(all);
}

} // namespace proxy::config
