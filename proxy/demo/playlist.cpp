#include "proxy/demo/playlist.hpp"

#include "proxy/demo/chunks.hpp"
#include "proxy/demo/model_server.hpp"

#include <array>

namespace proxy::demo {

namespace {

// Text with `<` and `[` now and then, as answers about code have it, and no markup.
constexpr std::array<std::string_view, 32> words = {
    " the",   " quick", " brown", " harbour", " opens", " at",   " six",   ".",
    " If",    " a",     " <",     " b",       ",",      " the",  " boats", " in",
    " list",  "[i",     "]",      " leave",   " first", " (see", " [note", " 4])",
    " while", " std::", "vector", "<int>",    " waits", " for",  " tides", ".\n"};

/// Everything the synthetic model sends, written once: the events of one round lie one behind the
/// other, so that a write of several is one piece.
struct synthetic_events {
    std::string role, finish, done;
    std::string round_bytes;
    std::vector<std::string_view> round;

    synthetic_events() {
        const chunk_writer chunks("chatcmpl-8f1b0f4c2d9e4a7b9c3d5e6f70818293", "bench");
        role = chunks.role();
        finish = chunks.finish("stop");
        done = done_event;
        std::vector<std::size_t> ends;
        for (const auto word : words) {
            round_bytes += chunks.content(word);
            ends.push_back(round_bytes.size());
        }
        std::size_t begin = 0;
        for (const auto end : ends) {
            round.push_back(std::string_view(round_bytes).substr(begin, end - begin));
            begin = end;
        }
    }
};

const synthetic_events& events() {
    static const synthetic_events all;
    return all;
}

} // namespace

playlist::playlist(const answer& source, bool with_usage) {
    front_.assign(source.writes.begin(), source.writes.end());
    if (with_usage && !source.usage_event.empty() && !front_.empty()) {
        front_.insert(front_.end() - 1, source.usage_event);
    }
}

playlist playlist::synthetic(std::size_t tokens, bool with_usage) {
    static const std::string usage =
        chunk_writer("chatcmpl-8f1b0f4c2d9e4a7b9c3d5e6f70818293", "bench").usage(20, 1000);
    playlist list;
    list.front_ = {events().role};
    list.round_ = &events().round;
    list.round_count_ = tokens;
    list.back_ = {events().finish};
    if (with_usage) {
        list.back_.emplace_back(usage);
    }
    list.back_.emplace_back(events().done);
    return list;
}

std::string_view playlist::at(std::size_t i) const {
    if (i < front_.size()) {
        return front_[i];
    }
    i -= front_.size();
    if (i < round_count_) {
        return (*round_)[i % round_->size()];
    }
    return back_[i - round_count_];
}

std::size_t playlist::bytes() const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        total += at(i).size();
    }
    return total;
}

std::string bench_text(std::size_t tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens; ++i) {
        text += words[i % words.size()];
    }
    return text;
}

} // namespace proxy::demo
