// How the scripted model's connection sends: heads, writes with their pace, and the faulty ends.
#include "proxy/demo/connection.hpp"
#include "proxy/demo/response_head.hpp"

#include <algorithm>

namespace proxy::demo {

using std::chrono::steady_clock;

namespace {

/// Puts writes `begin` to `end` into `parts`, neighbours in memory as one part.
void gather(const playlist& list, std::size_t begin, std::size_t end,
            std::vector<std::string_view>& parts) {
    parts.clear();
    for (std::size_t i = begin; i < end; ++i) {
        const auto event = list.at(i);
        if (!parts.empty() && parts.back().data() + parts.back().size() == event.data()) {
            parts.back() = {parts.back().data(), parts.back().size() + event.size()};
        } else {
            parts.push_back(event);
        }
    }
}

/// Makes `parts` one chunk; `size_line` holds its size and must stay until it is sent.
void make_chunk(std::vector<std::string_view>& parts, std::string& size_line) {
    std::size_t bytes = 0;
    for (const auto part : parts) {
        bytes += part.size();
    }
    size_line = chunk_size_line(bytes);
    parts.insert(parts.begin(), size_line);
    parts.emplace_back("\r\n");
}

} // namespace

boost::asio::awaitable<void> connection::send_whole(const answer& told) {
    now_.status = told.status;
    const std::string packed = now_.gzip ? gzip(told.body) : std::string();
    const std::string_view body = now_.gzip ? packed : told.body;
    const head_facts facts{"application/json", framing::length, body.size(),
                           now_.number,        now_.keep_alive, now_.gzip};
    const auto head = response_head(told, facts);
    if (told.first_byte_delay.count() > 0) {
        co_await peer_->pause(steady_clock::now() + told.first_byte_delay);
    }
    std::vector<std::string_view> parts = {head, body};
    co_await peer_->send(std::move(parts));
}

boost::asio::awaitable<void> connection::stream(const answer& told, const playlist& list,
                                                const model_query& query) {
    now_.status = told.status;
    const auto how = framing_for(query.framing.value_or(told.framing));
    const std::size_t length = how == framing::length ? list.bytes() : 0;
    const head_facts facts{
        "text/event-stream; charset=utf-8", how, length, now_.number, now_.keep_alive, now_.gzip};
    const auto head = told.raw_head.empty() ? response_head(told, facts) : told.raw_head;
    if (told.first_byte_delay.count() > 0) {
        co_await peer_->pause(steady_clock::now() + told.first_byte_delay);
    }
    std::vector<std::string_view> parts = {head};
    co_await peer_->send(std::move(parts));
    const auto coder = now_.gzip ? std::make_unique<gzip_writer>() : nullptr;
    const pacing pace{query.pace.value_or(told.pace.value_or(stage_.pace)), query.per_write,
                      how == framing::chunked && told.raw_head.empty(), coder.get()};
    co_await send_writes(list, pace);
    const framing ended = told.raw_head.empty() ? how : framing::close;
    const auto tail = coder != nullptr ? coder->end() : std::string();
    co_await send_end(told, ended, tail);
}

framing connection::framing_for(framing wanted) const {
    if (wanted == framing::length && now_.gzip) {
        wanted = framing::chunked; // the length would have to be known first
    }
    return wanted == framing::chunked && now_.http_10 ? framing::close : wanted;
}

boost::asio::awaitable<void> connection::send_writes(const playlist& list, const pacing& how) {
    auto due = steady_clock::now();
    std::vector<std::string_view> parts;
    std::string packed;
    std::string size_line;
    for (std::size_t i = 0; i < list.size() && !peer_->gone();) {
        const auto end = std::min(i + how.per_write, list.size());
        gather(list, i, end, parts);
        i = end;
        if (how.coder != nullptr) {
            packed = how.coder->write(parts);
            parts.assign(1, packed);
        }
        if (how.chunked) {
            make_chunk(parts, size_line);
        }
        auto gathered = parts;
        co_await peer_->send(std::move(gathered));
        now_.writes = end;
        due += how.pace;
        if (how.pace.count() > 0 && end < list.size()) {
            co_await peer_->pause(due);
        }
    }
}

boost::asio::awaitable<void> connection::send_end(const answer& told, framing how,
                                                  std::string_view tail) {
    switch (told.end) {
    case ending::whole:
        break;
    case ending::cut:
        peer_->close();
        co_return;
    case ending::reset:
        peer_->reset();
        co_return;
    case ending::stall:
        co_await peer_->pause(steady_clock::time_point::max());
        co_return;
    }
    std::vector<std::string_view> parts;
    std::string size_line;
    if (!tail.empty()) {
        parts = {tail};
    }
    if (how == framing::chunked) {
        if (!tail.empty()) {
            make_chunk(parts, size_line);
        }
        parts.emplace_back("0\r\n\r\n");
    } else if (how == framing::close) {
        now_.keep_alive = false;
    }
    if (!parts.empty()) {
        co_await peer_->send(std::move(parts));
    }
}

} // namespace proxy::demo
