#include "proxy/front/admin_listener.hpp"

#include "proxy/base/limits.hpp"

#include <chrono>
#include <unistd.h>
#include <utility>

namespace proxy::front {

namespace {

bool is_closed(const admin_session& session) {
    return session.closed();
}

} // namespace

admin_listener::admin_listener(const config::address& address, admin_source from)
    : from_(std::move(from)), incoming_(loop_, [this](int fd) { accept(fd); }) {
    incoming_.open(address);
    port_ = incoming_.port();
    loop_.every(std::chrono::milliseconds(limits::sweep_ms), [this] { sweep(); });
    incoming_.start();
    thread_ = std::thread([this] { loop_.run(); });
}

admin_listener::~admin_listener() {
    loop_.stop();
    thread_.join();
    incoming_.close();
}

// Past the bound a connection is closed at once: who asks is our own monitoring, not the public.
void admin_listener::accept(int fd) {
    sessions_.remove_if(is_closed);
    if (sessions_.size() == limits::admin_connections_max) {
        ::close(fd);
        return;
    }
    sessions_.emplace_back(loop_, fd, from_);
}

void admin_listener::sweep() {
    for (auto& session : sessions_) {
        session.sweep();
    }
    sessions_.remove_if(is_closed);
}

} // namespace proxy::front
