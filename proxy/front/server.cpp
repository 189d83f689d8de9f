#include "proxy/front/server.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/front/admin_listener.hpp"
#include "proxy/front/listener.hpp"
#include "proxy/front/session.hpp"
#include "proxy/front/worker.hpp"
#include "proxy/telemetry/counters.hpp"

#include <algorithm>
#include <atomic>
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

std::vector<std::string> names_of(const scaffold::catalog& formats) {
    std::vector<std::string> names;
    for (const auto& format : formats.formats()) {
        names.push_back(format.name);
    }
    return names;
}

} // namespace

struct server::impl {
    telemetry::counters counts;
    shared_state shared;
    std::vector<std::unique_ptr<lane>> lanes;
    std::uint16_t port = 0;
    std::atomic<service_state> state{service_state::starting};
    std::unique_ptr<admin_listener> admin;

    impl(config::settings settings, const scaffold::catalog& formats, turn_sink sink)
        : counts(names_of(formats)), shared{std::move(settings), formats,
                                            counting(std::move(sink))} {}

    // Counts what goes to `sink`.
    turn_sink counting(turn_sink sink) {
        return [this, next = std::move(sink)](const telemetry::turn_record& record) {
            counts.add(record);
            next(record);
        };
    }

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

void server::open_admin() {
    if (const auto& address = impl_->shared.settings.admin.listen) {
        admin_source from;
        from.state = [own = impl_.get()] { return own->state.load(); };
        from.metrics = [own = impl_.get()] { return own->counts.text(own->shared.streams.load()); };
        impl_->admin = std::make_unique<admin_listener>(*address, std::move(from));
    }
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
    impl_->state = service_state::ready;
}

std::uint16_t server::port() const {
    return impl_->port;
}

std::uint16_t server::admin_port() const {
    return impl_->admin ? impl_->admin->port() : 0;
}

void server::drain() {
    impl_->state = service_state::draining;
    impl_->everywhere([](lane& each) {
        each.incoming.drain();
        each.own.drain();
    });
}

void server::stop() {
    impl_->state = service_state::draining;
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
    impl_->admin.reset();
}

} // namespace proxy::front
