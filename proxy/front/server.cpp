#include "proxy/front/server.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/front/listener.hpp"
#include "proxy/front/session.hpp"
#include "proxy/front/worker.hpp"

#include <algorithm>
#include <thread>

namespace proxy::front {

namespace {

// One thread of the server.
struct lane {
    worker own;
    listener incoming;
    std::thread thread;

    explicit lane(shared_state& shared)
        : own(shared), incoming(own.loop(), [this](int fd) { own.accept(fd); }) {}
};

} // namespace

struct server::impl {
    shared_state shared;
    std::vector<std::unique_ptr<lane>> lanes;
    std::uint16_t port = 0;

    impl(config::settings settings, const scaffold::catalog& formats, turn_sink sink)
        : shared{std::move(settings), formats, std::move(sink)} {}

    // Runs `job` on every thread.
    void everywhere(void (*job)(lane&)) {
        for (auto& each : lanes) {
            each->own.loop().post([target = each.get(), job] { job(*target); });
        }
    }
};

server::server(config::settings settings, const scaffold::catalog& formats, turn_sink sink)
    : impl_(std::make_unique<impl>(std::move(settings), formats, std::move(sink))) {
    PROXY_ENSURE(!impl_->shared.settings.upstreams.empty());
}

server::~server() {
    stop();
    join();
}

void server::start() {
    const auto& settings = impl_->shared.settings;
    const auto wanted =
        settings.threads > 0 ? settings.threads : std::max(1U, std::thread::hardware_concurrency());
    auto address = settings.listen;
    for (unsigned i = 0; i < wanted; ++i) {
        auto next = std::make_unique<lane>(impl_->shared);
        if (i > 0 && !address.path.empty()) {
            next->incoming.share(impl_->lanes.front()->incoming);
        } else {
            next->incoming.open(address);
            address.port = next->incoming.port();
        }
        impl_->lanes.push_back(std::move(next));
    }
    impl_->port = address.port;
    for (auto& each : impl_->lanes) {
        each->incoming.start();
        each->thread = std::thread([target = each.get()] { target->own.loop().run(); });
    }
}

std::uint16_t server::port() const {
    return impl_->port;
}

void server::drain() {
    impl_->everywhere([](lane& each) {
        each.incoming.close();
        each.own.drain();
    });
}

void server::stop() {
    impl_->everywhere([](lane& each) {
        each.incoming.close();
        each.own.end_all();
        each.own.loop().stop();
    });
}

void server::join() {
    for (auto& each : impl_->lanes) {
        if (each->thread.joinable()) {
            each->thread.join();
        }
    }
}

} // namespace proxy::front
