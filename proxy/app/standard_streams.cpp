#include "proxy/app/standard_streams.hpp"

#include "proxy/base/limits.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace proxy::app {

namespace {

constexpr std::size_t head_bytes = 16; // longer than any field name that tells an event stream

} // namespace

// Appends one read to the buffer; false at the end, after an error, or when the buffer is full.
bool input::read_more() {
    if (ended_ || filled_ == limits::read_bytes) {
        return false;
    }
    buffer_.resize(limits::read_bytes + limits::json_padding);
    ssize_t count = 0;
    do {
        count = ::read(STDIN_FILENO, buffer_.data() + filled_, limits::read_bytes - filled_);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        std::fprintf(stderr, "unscaffold: standard input: %s\n", std::strerror(errno));
        failed_ = true;
    }
    if (count <= 0) {
        ended_ = true;
        return false;
    }
    filled_ += static_cast<std::size_t>(count);
    return true;
}

std::string_view input::head() {
    const auto undecided = [this] {
        const std::string_view text(buffer_.data(), filled_);
        const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
        if (first == std::string_view::npos || text.size() - first < head_bytes) {
            return true;
        }
        // A body's "choices" may stand behind other members.
        return text[first] == '{' && text.find("\"choices\"") == std::string_view::npos;
    };
    while (undecided() && read_more()) {
    }
    head_waits_ = filled_ > 0;
    return {buffer_.data(), filled_};
}

std::optional<std::string_view> input::next() {
    if (!head_waits_) {
        filled_ = 0;
        if (!read_more()) {
            return std::nullopt;
        }
    }
    head_waits_ = false;
    return std::string_view(buffer_.data(), filled_);
}

bool write_output(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            if (errno != EPIPE) {
                std::fprintf(stderr, "unscaffold: standard output: %s\n", std::strerror(errno));
            }
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace proxy::app
