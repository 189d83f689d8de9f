// How the scripted model's connection sends: heads, writes with their pace, and the faulty ends.
#include "proxy/demo/connection.hpp"
#include "proxy/demo/response_head.hpp"

#include <algorithm>

namespace proxy::demo {

using std::chrono::steady_clock;

boost::asio::awaitable<void> connection::send_whole(const answer& told) {
    now_.status = told.status;
    const head_facts facts{"application/json", framing::length, told.body.size(), now_.number,
                           now_.keep_alive};
    const auto head = response_head(told, facts);
    if (told.first_byte_delay.count() > 0) {
        co_await peer_->pause(steady_clock::now() + told.first_byte_delay);
    }
    std::vector<std::string_view> parts = {head, told.body};
    co_await peer_->send(std::move(parts));
}

boost::asio::awaitable<void> connection::stream(const answer& told, const playlist& list,
                                                const model_query& query) {
    now_.status = told.status;
    auto how = query.framing.value_or(told.framing);
    if (how == framing::chunked && now_.http_10) {
        how = framing::close;
    }
    const std::size_t length = how == framing::length ? list.bytes() : 0;
    const head_facts facts{"text/event-stream; charset=utf-8", how, length, now_.number,
                           now_.keep_alive};
    const auto head = told.raw_head.empty() ? response_head(told, facts) : told.raw_head;
    if (told.first_byte_delay.count() > 0) {
        co_await peer_->pause(steady_clock::now() + told.first_byte_delay);
    }
    std::vector<std::string_view> parts = {head};
    co_await peer_->send(std::move(parts));
    const auto pace = query.pace.value_or(told.pace.value_or(stage_.pace));
    const bool chunked = how == framing::chunked && told.raw_head.empty();
    co_await send_writes(list, chunked, pace, query.per_write);
    const framing ended = told.raw_head.empty() ? how : framing::close;
    co_await send_end(told, ended);
}

boost::asio::awaitable<void> connection::send_writes(const playlist& list, bool chunked,
                                                     std::chrono::microseconds pace,
                                                     std::size_t per_write) {
    auto due = steady_clock::now();
    std::vector<std::string_view> parts;
    for (std::size_t i = 0; i < list.size() && !peer_->gone();) {
        const auto end = std::min(i + per_write, list.size());
        parts.assign(1, std::string_view());
        std::size_t bytes = 0;
        for (; i < end; ++i) {
            const auto event = list.at(i);
            bytes += event.size();
            auto& last = parts.back();
            if (last.data() != nullptr && last.data() + last.size() == event.data()) {
                last = {last.data(), last.size() + event.size()};
            } else {
                parts.push_back(event);
            }
        }
        const auto size_line = chunked ? chunk_size_line(bytes) : std::string();
        parts.front() = size_line;
        if (chunked) {
            parts.emplace_back("\r\n");
        }
        auto gathered = parts;
        co_await peer_->send(std::move(gathered));
        now_.writes = end;
        due += pace;
        if (pace.count() > 0 && end < list.size()) {
            co_await peer_->pause(due);
        }
    }
}

boost::asio::awaitable<void> connection::send_end(const answer& told, framing how) {
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
    if (how == framing::chunked) {
        std::vector<std::string_view> parts = {"0\r\n\r\n"};
        co_await peer_->send(std::move(parts));
    } else if (how == framing::close) {
        now_.keep_alive = false;
    }
}

} // namespace proxy::demo
