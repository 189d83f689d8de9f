#include "bench/soak/client.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace bench::soak {

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t patience_ns = 20'000 * ms; // without a byte: past every limit of the proxy
constexpr int tick_ms = 50;

std::int64_t now() {
    return static_cast<std::int64_t>(now_ns());
}

void sleep_ms(unsigned time) {
    std::this_thread::sleep_for(std::chrono::milliseconds(time));
}

bool is_over(io what) {
    return what == io::ended || what == io::reset;
}

} // namespace

bool client::connect(const plan& what) {
    // As pools of clients do: a kept connection that the proxy has closed is not used again.
    const bool stale = link_.open() && is_over(link_.watch(0));
    if (stale || what.client.fresh) {
        link_.close();
    }
    reused_ = link_.open();
    if (!reused_) {
        pending_.clear();
        // A window below a loopback segment makes the kernel wait, so a deaf client has a larger
        // one.
        const auto deaf = what.client.deaf_ms > 0 ? 131'072 : 0;
        link_ = connect_to(port_, what.client.read_pause_ms > 0 ? 4'096 : deaf);
    }
    return link_.open();
}

bool client::run(std::vector<plan> plans) {
    auto all = std::vector<running>{};
    auto sides = std::vector<client_side>{};
    for (auto& each : plans) {
        auto side = client_side{};
        auto request = http_reader(http_reader::kind::request);
        request.feed(each.request);
        side.request_head = request.head();
        side.request_body = request.body();
        side.slow = each.client.read_pause_ms > 0 || each.client.deaf_ms > 0;
        sides.push_back(std::move(side));
        all.push_back(exchanges_.open(std::move(each)));
    }
    const bool connected = connect(all.front()->what);
    if (connected) {
        send(all, sides);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& side = sides[i];
        side.refused = !connected;
        side.may_be_unserved = reused_ || i > 0;
        if (link_.open()) {
            read_answer(*all[i], side);
        } else if (side.left_ns == 0) {
            side.end_ns = now();
        }
        all[i]->end_client(std::move(side));
    }
    return connected;
}

void client::leave(way how, client_side& side) {
    side.left_ns = now();
    side.end_ns = side.left_ns;
    side.end = client_end::left;
    if (how == way::half_close) {
        link_.half_close();
        auto buffer = std::array<char, 4'096>{};
        auto got = std::size_t{0};
        const auto until = now() + 2'000 * ms; // the proxy takes it for leaving, and closes
        while (now() < until) {
            const auto what = link_.read(buffer, tick_ms, got);
            if (is_over(what)) {
                break;
            }
        }
        link_.close();
    } else if (how == way::reset) {
        link_.reset();
    } else {
        link_.close();
    }
}

void client::send(const std::vector<running>& all, std::vector<client_side>& sides) {
    const auto& what = all.front()->what;
    auto bytes = std::string{};
    for (const auto& each : all) {
        bytes += each->what.request;
    }
    if (what.client.drips) {
        drip(bytes);
        return;
    }
    const auto head = what.request.find("\r\n\r\n");
    if (what.client.when == leaving::in_connect) {
        bytes.clear();
    } else if (what.client.when == leaving::in_head) {
        bytes.resize(head / 2);
    } else if (what.client.when == leaving::in_body) {
        bytes.resize(head + 10);
    }
    auto wrote = std::size_t{0};
    link_.write(bytes, static_cast<int>(client_limit_ms) * 2, wrote); // a refusal may come before
    if (bytes.size() < what.request.size()) {
        leave(what.client.how, sides.front());
    }
}

// Byte by byte until the proxy has had enough.
void client::drip(const std::string& bytes) {
    constexpr unsigned pause_ms = 100;
    for (const auto byte : bytes) {
        auto wrote = std::size_t{0};
        link_.write({&byte, 1}, tick_ms, wrote);
        if (link_.watch(static_cast<int>(pause_ms)) != io::again) {
            return;
        }
    }
}

// Leaves when the model server has got to the phase in which this client does.
bool client::leave_early(const exchange& of, client_side& side) {
    const auto when = of.what.client.when;
    if (when != leaving::in_prefill && when != leaving::in_correction) {
        return false;
    }
    const auto wanted = when == leaving::in_prefill ? 1U : 2U;
    const auto until = now() + 3'000 * ms; // the server may be gone
    while (of.attempts_begun() < wanted && now() < until) {
        if (link_.watch(1) != io::again) {
            sleep_ms(1);
        }
    }
    leave(of.what.client.how, side);
    return true;
}

void client::read_answer(const exchange& of, client_side& side) {
    if (leave_early(of, side)) {
        return;
    }
    const bool to_head = side.request_head.starts_with("HEAD ");
    auto reader =
        http_reader(to_head ? http_reader::kind::answer_to_head : http_reader::kind::answer);
    side.end = read_to_end(of, side, reader);
    side.end_ns = now();
    side.status = reader.status();
    side.head = reader.head();
    side.body = reader.body();
    pending_ = reader.rest();
    if (side.end == client_end::left) {
        leave(of.what.client.how, side);
    } else if (side.end != client_end::whole || !reader.keep_alive() ||
               of.what.surface == surface::malformed || side.slow) {
        link_.close();
    }
}

client_end client::read_to_end(const exchange& of, client_side& side, http_reader& reader) {
    const auto& how = of.what.client;
    auto until = now() + patience_ns;
    auto buffer = std::vector<char>(how.read_bytes);
    auto total = std::size_t{0};
    auto deaf_ms = how.deaf_ms;
    reader.feed(std::exchange(pending_, {}));
    while (reader.now() != http_reader::state::complete) {
        if (now() > until) {
            return client_end::timeout;
        }
        if (how.when == leaving::behind_bytes && total >= how.behind_bytes) {
            return client_end::left;
        }
        sleep_ms(how.read_pause_ms);
        auto got = std::size_t{0};
        const auto what = link_.read(buffer, tick_ms, got);
        if (is_over(what)) {
            const bool whole = what == io::ended && reader.closed() == http_reader::state::complete;
            const auto cut = reader.begun() ? client_end::cut : client_end::unserved;
            return whole ? client_end::whole : cut;
        }
        total += got;
        until = got > 0 ? now() + patience_ns : until;
        if (reader.feed({buffer.data(), got}) == http_reader::state::broken) {
            return client_end::cut;
        }
        if (got > 0) {
            sleep_ms(std::exchange(deaf_ms, 0));
        }
    }
    side.end_ns = now();
    return client_end::whole;
}

} // namespace bench::soak
