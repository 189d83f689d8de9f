#include "bench/load_client.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/epoll.h>
#include <unistd.h>

namespace bench {

namespace {

constexpr std::size_t read_bytes = std::size_t{256} << 10;
constexpr std::size_t text_bytes_max = std::size_t{64} << 20;
constexpr std::uint64_t failures_max = 1000;

} // namespace

void expected_text::fix(std::string text) {
    text_ = std::move(text);
    fixed_ = true;
}

bool expected_text::matches(std::size_t offset, std::string_view piece) {
    const auto known = std::min(piece.size(), text_.size() - std::min(offset, text_.size()));
    if (std::memcmp(text_.data() + offset, piece.data(), known) != 0) {
        return false;
    }
    if (known < piece.size()) {
        if (fixed_ || end_ != 0 || offset > text_.size() || text_.size() > text_bytes_max) {
            return false;
        }
        text_.append(piece.substr(known));
    }
    return true;
}

bool expected_text::ends_at(std::size_t offset) {
    if (end_ == 0 && !(fixed_ && offset != text_.size())) {
        end_ = offset;
    }
    return end_ == offset && offset == text_.size();
}

class load_client::stream : public stream_sink {
  public:
    explicit stream(load_client& owner) : owner_(owner), reader(*this) {}

    void on_text(std::string_view raw, std::uint64_t sent_ns) override {
        auto& figures = owner_.figures_;
        ++figures.events;
        if (text_bytes == 0) {
            figures.first_text_ns.add(read_at - asked_at);
        }
        if (sent_ns != 0 && sent_ns < read_at) {
            figures.delay_ns.add(read_at - sent_ns);
        }
        if (same_text && !owner_.expected_.matches(text_bytes, raw)) {
            mismatch(raw);
        }
        text_bytes += raw.size();
    }

    void on_error(std::string_view data) override {
        ++owner_.figures_.error_events;
        note(std::string(data));
    }

    void mismatch(std::string_view raw) {
        same_text = false;
        ++owner_.figures_.mismatches;
        note("text differs at byte " + std::to_string(text_bytes) +
             ", which is: " + std::string(raw.substr(0, 80)));
    }

    void note(const std::string& what) {
        if (owner_.figures_.first_error.empty()) {
            owner_.figures_.first_error = what.substr(0, 300);
        }
    }

  private:
    load_client& owner_;

  public:
    fd socket;
    stream_reader reader;
    std::size_t index = 0;
    bool connecting = false;
    bool running = false; // asked and not yet answered
    bool same_text = true;
    std::size_t text_bytes = 0;
    std::uint64_t asked_at = 0;
    std::uint64_t read_at = 0;
};

load_client::load_client(const load_options& options, std::string model)
    : url_(parse_base_url(options.url)), peer_(resolve(url_.host, url_.port)),
      request_(make_request(url_, options, model)), epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      buffer_(read_bytes) {
    for (std::size_t i = 0; i < options.streams; ++i) {
        streams_.push_back(std::make_unique<stream>(*this));
        streams_.back()->index = i;
    }
}

load_client::~load_client() = default;

void load_client::start() {
    for (auto& peer : streams_) {
        open(*peer);
    }
}

void load_client::open(stream& peer) {
    peer.socket = start_connect(peer_);
    peer.connecting = true;
    peer.running = true;
    ++running_;
    watch(peer, EPOLLOUT, EPOLL_CTL_ADD);
}

void load_client::run(double seconds) {
    const auto end = now_ns() + static_cast<std::uint64_t>(seconds * 1e9);
    auto events = std::array<epoll_event, 256>{};
    while (running_ > 0 && figures_.failed < failures_max) {
        const auto now = now_ns();
        if (now >= end) {
            return;
        }
        const auto left_ms = static_cast<int>((end - now) / 1'000'000 + 1);
        const auto count =
            ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), left_ms);
        for (auto i = 0; i < count; ++i) {
            const auto& event = events[static_cast<std::size_t>(i)];
            handle(*streams_[event.data.u64], event.events);
        }
    }
}

void load_client::handle(stream& peer, std::uint32_t events) {
    if (!peer.connecting) {
        read(peer);
        return;
    }
    auto error = 0;
    auto length = socklen_t{sizeof error};
    ::getsockopt(peer.socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0 || (events & EPOLLOUT) == 0) {
        failed(peer, std::string("connect: ") + std::strerror(error));
        return;
    }
    peer.connecting = false;
    watch(peer, EPOLLIN, EPOLL_CTL_MOD);
    send_request(peer);
}

void load_client::send_request(stream& peer) {
    peer.reader.next();
    peer.same_text = true;
    peer.text_bytes = 0;
    peer.asked_at = now_ns();
    ++figures_.streams_begun;
    // A few hundred bytes into an empty socket buffer: written whole or not at all.
    const auto sent = ::send(peer.socket.get(), request_.data(), request_.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(request_.size())) {
        failed(peer, std::string("send: ") + std::strerror(errno));
    }
}

void load_client::read(stream& peer) {
    const auto got = ::recv(peer.socket.get(), buffer_.data(), buffer_.size(), 0);
    if (got < 0) {
        if (errno != EAGAIN && errno != EINTR) {
            failed(peer, std::string("recv: ") + std::strerror(errno));
        }
        return;
    }
    if (!peer.running) { // between streams: the other side closed a kept connection
        peer.socket.reset();
        return;
    }
    peer.read_at = now_ns();
    auto state = stream_reader::state::head;
    if (got == 0) {
        state = peer.reader.closed();
    } else {
        ++figures_.reads;
        figures_.bytes += static_cast<std::uint64_t>(got);
        state = peer.reader.feed({buffer_.data(), static_cast<std::size_t>(got)});
    }
    if (state == stream_reader::state::broken) {
        failed(peer, got == 0 ? "connection closed inside an answer" : "broken HTTP framing");
    } else if (state == stream_reader::state::complete) {
        finished(peer);
    }
}

void load_client::finished(stream& peer) {
    const auto& reader = peer.reader;
    if (reader.status() != 200) {
        failed(peer, "status " + std::to_string(reader.status()) + " " +
                         std::string(reader.other_body()));
        return;
    }
    if (!reader.saw_done()) {
        ++figures_.cut_short;
        peer.note("the answer ended without [DONE] " + std::string(reader.other_body()));
    } else if (peer.same_text && !expected_.ends_at(peer.text_bytes)) {
        peer.mismatch("(the end)");
    } else {
        ++figures_.streams_complete;
    }
    peer.running = false;
    --running_;
    if (!repeating_) {
        peer.socket.reset();
    } else if (!reader.keep_alive()) {
        open(peer);
    } else {
        peer.running = true;
        ++running_;
        send_request(peer);
    }
}

void load_client::failed(stream& peer, const std::string& what) {
    ++figures_.failed;
    peer.note(what);
    peer.running = false;
    --running_;
    peer.socket.reset();
    if (repeating_ && figures_.failed < failures_max) {
        open(peer);
    }
}

void load_client::watch(stream& peer, std::uint32_t events, int operation) {
    auto event = epoll_event{};
    event.events = events;
    event.data.u64 = peer.index;
    ::epoll_ctl(epoll_.get(), operation, peer.socket.get(), &event);
}

std::string make_request(const base_url& url, const load_options& options, std::string_view model) {
    auto body = std::string(R"({"model":")").append(model);
    body +=
        R"(","stream":true,"messages":[{"role":"system","content":"You are a helpful assistant."},)"
        R"({"role":"user","content":"Explain ring buffers, with code."}])";
    if (options.tools) {
        body +=
            R"(,"tools":[{"type":"function","function":{"name":"get_weather","description":)"
            R"("Weather of a city","parameters":{"type":"object","properties":{"city":)"
            R"({"type":"string"}},"required":["city"]}}},{"type":"function","function":{"name":)"
            R"("search","description":"Search the web","parameters":{"type":"object",)"
            R"("properties":{"query":{"type":"string"}}}}}],"tool_choice":"auto")";
    }
    body += '}';
    auto head = "POST " + url.path + "/chat/completions HTTP/1.1\r\nHost: " + url.authority() +
                "\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n";
    if (!options.key.empty()) {
        head += "Authorization: Bearer " + options.key + "\r\n";
    }
    return head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string first_model(const load_options& options) {
    const auto url = parse_base_url(options.url);
    auto socket = start_connect(resolve(url.host, url.port));
    auto ready = pollfd{socket.get(), POLLOUT, 0};
    ::poll(&ready, 1, 5'000);
    auto request = "GET " + url.path + "/models HTTP/1.1\r\nHost: " + url.authority() +
                   "\r\nConnection: close\r\n";
    if (!options.key.empty()) {
        request += "Authorization: Bearer " + options.key + "\r\n";
    }
    request += "\r\n";
    if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) {
        throw std::runtime_error("can't connect to " + options.url);
    }
    constexpr std::string_view key = R"("id":)";
    auto answer = std::string{};
    auto bytes = std::array<char, 4096>{};
    ready.events = POLLIN;
    while (::poll(&ready, 1, 5'000) > 0) {
        const auto got = ::recv(socket.get(), bytes.data(), bytes.size(), 0);
        if (got <= 0) {
            break;
        }
        answer.append(bytes.data(), static_cast<std::size_t>(got));
        const auto at = answer.find(key);
        const auto open = at == std::string::npos ? at : answer.find('"', at + key.size());
        const auto close = open == std::string::npos ? open : answer.find('"', open + 1);
        if (close != std::string::npos) {
            return answer.substr(open + 1, close - open - 1);
        }
    }
    throw std::runtime_error("GET " + options.url + "/models names no model: use --model");
}

} // namespace bench
