#include "proxy/front/tls_contexts.hpp"

#include <stdexcept>

namespace proxy::front {

namespace {

upstream::tls_trust trust_of(const config::upstream_settings& settings) {
    upstream::tls_trust trust;
    trust.verify = settings.tls.verify;
    trust.ca_file = settings.tls.ca_file;
    trust.server_name = settings.tls.server_name.empty() ? settings.host : settings.tls.server_name;
    return trust;
}

// `place` and the file go in front of the reason.
template <class Make>
std::shared_ptr<upstream::tls_context> named(const std::string& place, const Make& make) {
    try {
        return make();
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(place + ": " + error.what());
    }
}

} // namespace

tls_contexts tls_contexts::make(const config::settings& settings) {
    tls_contexts made;
    if (settings.tls.on()) {
        made.clients = named(
            "tls.certificate " + settings.tls.certificate + ", tls.key " + settings.tls.key, [&] {
                return upstream::tls_context::for_clients(settings.tls.certificate,
                                                          settings.tls.key);
            });
    }
    for (const auto& each : settings.upstreams) {
        made.upstreams.push_back(
            !each.secure
                ? nullptr
                : named("upstream " + each.name + ": tls.ca_file " + each.tls.ca_file,
                        [&] { return upstream::tls_context::for_upstream(trust_of(each)); }));
    }
    return made;
}

} // namespace proxy::front
