#include "bench/soak/model_server.hpp"

#include "bench/soak/nonce.hpp"
#include <algorithm>
#include <poll.h>
#include <sys/socket.h>
#include <vector>

namespace bench::soak {

namespace {

constexpr int tick_ms = 50;
constexpr unsigned stall_ms = 20'000; // past every limit of the proxy

std::int64_t now() {
    return static_cast<std::int64_t>(now_ns());
}

bool is_whole(const std::string& answer) {
    auto reader = http_reader(http_reader::kind::answer);
    return reader.feed(answer) == http_reader::state::complete;
}

} // namespace

model_server::model_server(registry& exchanges)
    : exchanges_(exchanges), listener_(std::make_shared<fd>(listen_on("127.0.0.1:0"))) {
    port_ = local_port(*listener_);
    acceptor_ = std::thread([this] { accept_loop(); });
}

model_server::~model_server() {
    stopping_ = true;
    acceptor_.join();
    reap(true);
}

void model_server::accept_loop() {
    while (!stopping_) {
        auto listener = std::shared_ptr<fd>{};
        {
            const std::lock_guard lock(mutex_);
            listener = listener_;
        }
        auto watched = pollfd{listener ? listener->get() : -1, POLLIN, 0};
        if (::poll(&watched, 1, tick_ms) > 0) {
            accept_one(*listener);
        }
        reap(false);
    }
}

void model_server::accept_one(const fd& listener) {
    while (true) {
        auto socket = fd{::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
        if (socket.get() < 0) {
            return;
        }
        set_no_delay(socket.get());
        const std::lock_guard lock(mutex_);
        auto& made = *peers_.emplace_back(std::make_unique<peer>());
        made.socket = link(std::move(socket));
        made.killed = listener_ == nullptr; // it came while the server was being killed
        made.thread = std::thread([this, &made] {
            serve(made);
            made.ended = true;
        });
    }
}

// Joins the threads that have ended.
void model_server::reap(bool all) {
    auto ended = std::list<std::unique_ptr<peer>>{};
    {
        const std::lock_guard lock(mutex_);
        for (auto at = peers_.begin(); at != peers_.end();) {
            const auto next = std::next(at);
            if (all || (*at)->ended) {
                ended.splice(ended.end(), peers_, at);
            }
            at = next;
        }
    }
    for (const auto& each : ended) {
        each->thread.join();
    }
}

void model_server::kill() {
    const std::lock_guard lock(mutex_);
    listener_.reset();
    for (const auto& each : peers_) {
        each->killed = true;
    }
}

void model_server::revive() {
    auto listener = std::make_shared<fd>(listen_on("127.0.0.1:" + std::to_string(port_)));
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
}

std::size_t model_server::connections() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(peers_, [](const auto& each) { return !each->ended; }));
}

void model_server::serve(peer& with) {
    auto pending = std::string{};
    while (serve_one(with, pending)) {
    }
    with.socket.close();
}

// Reads one request and plays its answer; false when the connection is over.
bool model_server::serve_one(peer& with, std::string& pending) {
    auto reader = http_reader(http_reader::kind::request);
    reader.feed(std::exchange(pending, {}));
    auto buffer = std::vector<char>(65'536);
    auto of = std::shared_ptr<exchange>{};
    auto early = false;
    while (reader.now() != http_reader::state::complete && !early) {
        auto got = std::size_t{0};
        const auto what = with.socket.read(buffer, tick_ms, got);
        if (stopping_ || with.killed || what == io::ended || what == io::reset) {
            return false;
        }
        reader.feed({buffer.data(), got});
        if (of == nullptr && !reader.head().empty()) {
            of = exchanges_.find(first_nonce(reader.head()));
            early = of != nullptr && of->what.answers[0].early;
        }
    }
    of = of != nullptr ? of : exchanges_.find(first_nonce(reader.head()));
    if (of == nullptr) {
        exchanges_.note_stray(reader.head().substr(0, 200));
        return false;
    }
    const auto number = of->begin_attempt();
    auto record = attempt{};
    record.began_ns = now();
    record.request_head = reader.head();
    record.request_body = reader.body();
    pending = reader.rest();
    const auto& answer = of->what.answers[std::min<std::size_t>(number, 2) - 1];
    const bool kept = play(with, answer, record);
    of->end_attempt(std::move(record));
    return kept;
}

bool model_server::play(peer& with, const script& what, attempt& record) {
    record.plain = what.plain;
    record.untrusted = what.untrusted;
    record.opaque = what.opaque;
    record.early = what.early;
    return std::ranges::all_of(what.steps,
                               [&](const step& each) { return do_step(with, each, record); });
}

// Notes how the connection ended and ends it.
bool model_server::end(peer& with, attempt& record, attempt_end how) {
    record.end = with.killed ? attempt_end::killed : how;
    record.closed_ns = now();
    if (record.end == attempt_end::reset) {
        with.socket.reset();
    } else {
        with.socket.close();
    }
    return false;
}

bool model_server::do_step(peer& with, const step& what, attempt& record) {
    switch (what.what) {
    case act::close:
        return end(with, record, attempt_end::closed);
    case act::reset:
        return end(with, record, attempt_end::reset);
    case act::pause:
        return wait(with, what.ms, record);
    case act::stall:
        return wait(with, stall_ms, record) && end(with, record, attempt_end::closed);
    case act::write:
        break;
    }
    auto rest = std::string_view(what.bytes);
    auto done = io::again;
    while (done == io::again && !with.killed && !stopping_) {
        auto wrote = std::size_t{0};
        // The time stands before the write: what is behind it is the proxy's.
        const auto began = now();
        done = with.socket.write(rest, tick_ms, wrote);
        record.last_write_ns = wrote > 0 ? began : record.last_write_ns;
        record.sent.append(rest.substr(0, wrote));
        rest.remove_prefix(wrote);
    }
    return done == io::done || end(with, record, attempt_end::peer_left);
}

// True when the time has passed and the proxy is still there.
bool model_server::wait(peer& with, unsigned ms, attempt& record) {
    const auto until = now() + std::int64_t{ms} * 1'000'000;
    while (!with.killed && !stopping_) {
        const auto left = (until - now()) / 1'000'000;
        if (left <= 0) {
            return true;
        }
        const auto what =
            with.socket.watch(static_cast<int>(std::min<std::int64_t>(left, tick_ms)));
        if (what == io::ended || what == io::reset) {
            return end(with, record, attempt_end::peer_left);
        }
        if (what == io::done && record.early) { // the rest of the request
            auto got = std::size_t{0};
            auto ignored = std::vector<char>(65'536);
            with.socket.read(ignored, 0, got);
        } else if (what == io::done) { // the next request, which will find the connection closed
            if (!is_whole(record.sent)) {
                exchanges_.note_stray("behind " + record.request_head.substr(0, 200));
            }
            return end(with, record, attempt_end::closed);
        }
    }
    return end(with, record, attempt_end::killed);
}

} // namespace bench::soak
