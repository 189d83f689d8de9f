#include "proxy/upstream/resolver.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/upstream/io_loop_impl.hpp"
#include "proxy/upstream/unix_address.hpp"

#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstring>

namespace proxy::upstream {

namespace {

namespace asio = boost::asio;

using tcp_resolver = asio::ip::basic_resolver<asio::ip::tcp, asio::io_context::executor_type>;

socket_address to_address(const asio::ip::tcp::endpoint& endpoint) {
    socket_address out;
    out.size = static_cast<socklen_t>(endpoint.size());
    std::memcpy(&out.bytes, endpoint.data(), endpoint.size());
    return out;
}

socket_address to_address(const std::string& path) {
    const sockaddr_un place = unix_address(path);
    socket_address out;
    out.size = sizeof place;
    std::memcpy(&out.bytes, &place, sizeof place);
    return out;
}

} // namespace

struct resolver::impl {
    io_loop& loop;
    std::string host;
    std::uint16_t port;
    tcp_resolver names;
    address_list addresses;
    bool numeric = false;
    std::int64_t known_until_ms = 0;
    // Requests that wait for the look-up under way.
    std::vector<std::weak_ptr<pending_lookup>> waiting;

    impl(io_loop& l, std::string h, std::uint16_t p)
        : loop(l), host(std::move(h)), port(p), names(l.internals().context) {
        boost::system::error_code error;
        const auto address = asio::ip::make_address(host, error);
        if (!error) {
            numeric = true;
            addresses.push_back(to_address({address, port}));
        }
    }

    void finish(const boost::system::error_code& error, const tcp_resolver::results_type& found) {
        addresses.clear();
        if (!error) {
            for (const auto& entry : found) {
                addresses.push_back(to_address(entry.endpoint()));
            }
            known_until_ms = loop.clock_ms() + std::int64_t{limits::address_seconds} * 1000;
        }
        // A callback may begin the next look-up, and may look at the addresses meanwhile.
        const auto told = std::exchange(waiting, {});
        const auto result = addresses;
        for (const auto& candidate : told) {
            if (const auto lookup = candidate.lock()) {
                lookup->deliver(result);
            }
        }
    }
};

resolver::resolver(io_loop& loop, std::string host, std::uint16_t port)
    : impl_(std::make_unique<impl>(loop, std::move(host), port)) {}

resolver::resolver(io_loop& loop, const std::string& path)
    : impl_(std::make_unique<impl>(loop, std::string(), std::uint16_t{0})) {
    impl_->numeric = true;
    impl_->addresses.push_back(to_address(path));
}

resolver::~resolver() = default;

const address_list* resolver::known() const {
    const bool fresh = impl_->numeric || impl_->loop.clock_ms() < impl_->known_until_ms;
    return fresh && !impl_->addresses.empty() ? &impl_->addresses : nullptr;
}

std::shared_ptr<pending_lookup> resolver::look_up(std::function<void(const address_list&)> done) {
    auto lookup = std::make_shared<pending_lookup>(std::move(done));
    impl_->waiting.push_back(lookup);
    if (impl_->waiting.size() == 1) {
        // The resolver is destroyed before its loop runs again: cancelled handlers do nothing.
        impl_->names.async_resolve(impl_->host, std::to_string(impl_->port),
                                   tcp_resolver::numeric_service,
                                   [own = impl_.get()](const boost::system::error_code& error,
                                                       const tcp_resolver::results_type& found) {
                                       if (error != asio::error::operation_aborted) {
                                           own->finish(error, found);
                                       }
                                   });
    }
    return lookup;
}

} // namespace proxy::upstream
