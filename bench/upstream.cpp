// unscaffold-upstream: a synthetic model server for measurements. One thread, one epoll loop, no
// work but writing: `POST …/chat/completions` streams as the model's name says (script.hpp), in
// step with a clock or as fast as the reader takes it.
#include "bench/script.hpp"
#include "bench/socket.hpp"
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <vector>

namespace bench {

namespace {

constexpr std::size_t request_bytes_max = std::size_t{16} << 20;
constexpr std::uint64_t second_ns = 1'000'000'000;

constexpr std::string_view stream_head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                         "Cache-Control: no-cache\r\n"
                                         "Transfer-Encoding: chunked\r\n\r\n";

struct connection {
    bench::fd socket;
    std::uint64_t serial = 0; // a descriptor's number comes again, this does not
    std::string input;
    std::string output;                   // not yet written
    const event_source* source = nullptr; // null: no stream is running
    bench::pace pace;
    std::size_t event = 0;
    bool wants_write = false;
    bool scheduled = false; // in the ring of streams without a clock
};

struct due_write {
    std::uint64_t time;
    int socket;
    std::uint64_t serial;

    bool operator>(const due_write& other) const { return time > other.time; }
};

std::string plain_answer(std::string_view status, std::string_view body) {
    return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: application/json\r\n" +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// The value behind `name` in a head, case of the usual two spellings ignored.
std::size_t content_length(std::string_view head) {
    for (const auto* name : {"Content-Length: ", "content-length: ", "Content-length: "}) {
        const auto at = head.find(name);
        if (at != std::string_view::npos) {
            auto length = std::size_t{0};
            std::from_chars(head.data() + at + 16, head.data() + head.size(), length);
            return length;
        }
    }
    return 0;
}

std::string_view model_of(std::string_view body) {
    constexpr std::string_view key = R"("model":)";
    const auto at = body.find(key);
    const auto open = at == std::string_view::npos ? at : body.find('"', at + key.size());
    if (open == std::string_view::npos) {
        return {};
    }
    return body.substr(open + 1, body.find('"', open + 1) - open - 1);
}

class server {
  public:
    explicit server(fd listener) : listener_(std::move(listener)), epoll_(::epoll_create1(0)) {
        watch(listener_.get(), EPOLLIN, EPOLL_CTL_ADD);
    }

    void run() {
        auto events = std::array<epoll_event, 256>{};
        while (true) {
            const auto count = wait(events);
            for (auto i = 0; i < count; ++i) {
                handle(events[static_cast<std::size_t>(i)]);
            }
            write_due();
            write_unclocked();
        }
    }

  private:
    int wait(std::array<epoll_event, 256>& events) {
        auto limit = timespec{};
        auto* chosen = &limit; // zero: there is more to write at once
        if (unclocked_.empty()) {
            const auto now = now_ns();
            if (due_.empty()) {
                chosen = nullptr;
            } else if (due_.top().time > now) {
                const auto left = due_.top().time - now;
                limit.tv_sec = static_cast<time_t>(left / second_ns);
                limit.tv_nsec = static_cast<long>(left % second_ns);
            }
        }
        return ::epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()), chosen,
                              nullptr);
    }

    void handle(const epoll_event& event) {
        if (event.data.fd == listener_.get()) {
            accept_all();
            return;
        }
        const auto found = connections_.find(event.data.fd);
        if (found == connections_.end()) {
            return;
        }
        auto& peer = *found->second;
        if ((event.events & EPOLLOUT) != 0) {
            flush(peer);
        }
        if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
            read(peer);
        }
    }

    void accept_all() {
        while (true) {
            auto socket =
                fd{::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
            if (socket.get() < 0) {
                return;
            }
            set_no_delay(socket.get());
            const auto number = socket.get();
            auto peer = std::make_unique<connection>();
            peer->socket = std::move(socket);
            peer->serial = ++serials_;
            connections_[number] = std::move(peer);
            watch(number, EPOLLIN, EPOLL_CTL_ADD);
        }
    }

    void read(connection& peer) {
        const auto got = ::recv(peer.socket.get(), buffer_.data(), buffer_.size(), 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (got <= 0 || peer.input.size() > request_bytes_max) {
            connections_.erase(peer.socket.get());
            return;
        }
        peer.input.append(buffer_.data(), static_cast<std::size_t>(got));
        if (peer.source == nullptr) {
            take_request(peer);
        }
    }

    void take_request(connection& peer) {
        const auto end = peer.input.find("\r\n\r\n");
        if (end == std::string::npos) {
            return;
        }
        const auto head = std::string_view(peer.input).substr(0, end + 2);
        const auto length = content_length(head);
        if (peer.input.size() < end + 4 + length) {
            return;
        }
        const auto target = head.substr(0, head.find("\r\n"));
        if (target.find("/chat/completions ") != std::string_view::npos) {
            begin(peer, std::string_view(peer.input).substr(end + 4, length));
        } else if (target.find("/models ") != std::string_view::npos) {
            peer.output += plain_answer(
                "200 OK",
                R"({"object":"list","data":[{"id":"bench-w1-r50-n500","object":"model"}]})");
        } else {
            peer.output += plain_answer("404 Not Found", R"({"error":{"message":"no such path"}})");
        }
        peer.input.erase(0, end + 4 + length);
        flush(peer);
    }

    void begin(connection& peer, std::string_view body) {
        const auto model = std::string(model_of(body));
        const auto pace = parse_pace(model);
        if (!pace) {
            peer.output +=
                plain_answer("404 Not Found", R"({"error":{"message":"no such model"}})");
            return;
        }
        auto& source = sources_[model];
        if (!source) {
            source = std::make_unique<event_source>(model);
        }
        peer.source = source.get();
        peer.pace = *pace;
        peer.event = 0;
        peer.output += stream_head;
        peer.source->append_role(peer.output);
        add_events(peer);
        schedule(peer);
    }

    // The next write's events; with the last one also the end.
    void add_events(connection& peer) {
        const auto now = now_ns();
        for (std::size_t i = 0; i < peer.pace.events_per_write && peer.event < peer.pace.events;
             ++i) {
            peer.source->append_text(peer.output, peer.event++, now);
        }
        if (peer.event == peer.pace.events) {
            peer.source->append_end(peer.output);
            peer.source = nullptr;
        }
    }

    void schedule(connection& peer) {
        if (peer.source == nullptr) {
            return;
        }
        if (peer.pace.writes_per_second == 0) {
            if (!peer.scheduled && peer.output.empty()) {
                peer.scheduled = true;
                unclocked_.push_back({0, peer.socket.get(), peer.serial});
            }
            return;
        }
        // The first wait differs from stream to stream (multiples of the golden ratio), so that
        // streams that began together do not write together.
        const auto period = second_ns / peer.pace.writes_per_second;
        const auto share = static_cast<double>((peer.serial * 618'034) % 1'000'000) / 1e6;
        const auto phase = static_cast<std::uint64_t>(share * static_cast<double>(period));
        due_.push({now_ns() + period + phase, peer.socket.get(), peer.serial});
    }

    connection* find(const due_write& item) {
        const auto found = connections_.find(item.socket);
        const auto same = found != connections_.end() && found->second->serial == item.serial &&
                          found->second->source != nullptr;
        return same ? found->second.get() : nullptr;
    }

    void write_due() {
        while (!due_.empty() && due_.top().time <= now_ns()) {
            auto item = due_.top();
            due_.pop();
            auto* const peer = find(item);
            if (peer == nullptr) {
                continue;
            }
            add_events(*peer);
            flush(*peer);
            if (find(item) != nullptr) {
                item.time += second_ns / peer->pace.writes_per_second;
                due_.push(item);
            }
        }
    }

    // One write for each stream in turn, so that all get on alike.
    void write_unclocked() {
        for (auto left = unclocked_.size(); left > 0; --left) {
            const auto item = unclocked_.front();
            unclocked_.pop_front();
            auto* const peer = find(item);
            if (peer == nullptr) {
                continue;
            }
            peer->scheduled = false;
            add_events(*peer);
            flush(*peer);
        }
    }

    void flush(connection& peer) {
        const auto number = peer.socket.get();
        if (!peer.output.empty()) {
            const auto sent = ::send(number, peer.output.data(), peer.output.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno != EAGAIN) {
                connections_.erase(number);
                return;
            }
            peer.output.erase(0, sent < 0 ? 0 : static_cast<std::size_t>(sent));
        }
        const auto wants_write = !peer.output.empty();
        if (wants_write != peer.wants_write) {
            peer.wants_write = wants_write;
            watch(number, wants_write ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
        }
        if (peer.pace.writes_per_second == 0) {
            schedule(peer);
        }
    }

    void watch(int number, std::uint32_t events, int operation) {
        auto event = epoll_event{};
        event.events = events;
        event.data.fd = number;
        ::epoll_ctl(epoll_.get(), operation, number, &event);
    }

    fd listener_;
    fd epoll_;
    std::uint64_t serials_ = 0;
    std::map<int, std::unique_ptr<connection>> connections_;
    std::map<std::string, std::unique_ptr<event_source>> sources_;
    std::priority_queue<due_write, std::vector<due_write>, std::greater<>> due_;
    std::deque<due_write> unclocked_;
    std::array<char, std::size_t{64} << 10> buffer_{};
};

} // namespace

} // namespace bench

int main(int argc, char** argv) {
    const auto address = std::string(argc > 1 ? argv[1] : "127.0.0.1:0");
    if (argc > 2 || address.find(':') == std::string::npos) {
        std::fputs(
            "usage: unscaffold-upstream [ADDRESS:PORT]\n"
            "A model name says how its stream runs: bench-w16-r50-n1000 is 16 events a write,\n"
            "50 writes a second (r0: as fast as it is read), 1000 events.\n",
            stderr);
        return 2;
    }
    try {
        ::prctl(PR_SET_TIMERSLACK, 1UL);
        bench::raise_file_limit();
        auto listener = bench::listen_on(address);
        std::printf("listening on port %u\n", static_cast<unsigned>(bench::local_port(listener)));
        std::fflush(stdout);
        auto server = std::make_unique<bench::server>(std::move(listener));
        server->run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "unscaffold-upstream: %s\n", error.what());
        return 1;
    }
}
