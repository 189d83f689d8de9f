#include "bench/stream_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <strings.h>

namespace bench {

namespace {

constexpr std::size_t head_bytes_max = std::size_t{64} << 10;
constexpr std::size_t other_body_max = 512;
constexpr std::uint64_t stamp_base = 1'000'000'000'000'000'000; // see event_source::append_text

bool equal_folded(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// The value of a header line, empty when the head has none of that name.
std::string_view header(std::string_view head, std::string_view name) {
    for (auto at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at)) {
        at += 2;
        const auto line = head.substr(at, head.find("\r\n", at) - at);
        const auto colon = line.find(':');
        if (colon != std::string_view::npos && equal_folded(line.substr(0, colon), name)) {
            const auto start = line.find_first_not_of(" \t", colon + 1);
            return start == std::string_view::npos ? std::string_view{} : line.substr(start);
        }
    }
    return {};
}

// What follows `key` in `data`; a null pointer when it is not there.
const char* behind(std::string_view data, std::string_view key) {
    const auto* at =
        static_cast<const char*>(::memmem(data.data(), data.size(), key.data(), key.size()));
    return at == nullptr ? nullptr : at + key.size();
}

// Up to the quote that ends the string that begins at `text`.
std::string_view string_inside(std::string_view text) {
    auto quote = text.find('"');
    while (quote != std::string_view::npos) {
        auto slashes = std::size_t{0};
        while (slashes < quote && text[quote - slashes - 1] == '\\') {
            ++slashes;
        }
        if (slashes % 2 == 0) {
            return text.substr(0, quote);
        }
        quote = text.find('"', quote + 1);
    }
    return {};
}

} // namespace

stream_reader::state stream_reader::feed(std::string_view bytes) {
    if (state_ == state::head) {
        bytes = take_head(bytes);
    }
    if (state_ != state::body) {
        return state_;
    }
    switch (framing_) {
    case framing::chunked:
        take_chunked(bytes);
        break;
    case framing::length:
        bytes =
            bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
        left_ -= bytes.size();
        take_body(bytes);
        if (left_ == 0) {
            state_ = state::complete;
        }
        break;
    case framing::until_close:
        take_body(bytes);
        break;
    }
    return state_;
}

stream_reader::state stream_reader::closed() {
    const auto whole = state_ == state::body && framing_ == framing::until_close;
    state_ = whole || state_ == state::complete ? state::complete : state::broken;
    return state_;
}

void stream_reader::next() {
    state_ = state::head;
    part_ = chunk_part::size;
    head_.clear();
    line_.clear();
    chunk_line_.clear();
    other_body_.clear();
    saw_done_ = saw_finish_ = false;
    events_ = 0;
}

std::string_view stream_reader::take_head(std::string_view bytes) {
    const auto before = head_.size();
    head_.append(bytes);
    const auto end = head_.find("\r\n\r\n");
    if (end == std::string::npos) {
        if (head_.size() > head_bytes_max) {
            state_ = state::broken;
        }
        return {};
    }
    read_head(std::string_view(head_).substr(0, end + 2));
    return bytes.substr(end + 4 - before);
}

void stream_reader::read_head(std::string_view head) {
    if (!head.starts_with("HTTP/1.") || head.size() < 12) {
        state_ = state::broken;
        return;
    }
    std::from_chars(head.data() + 9, head.data() + 12, status_);
    keep_alive_ = head[7] == '1' && !equal_folded(header(head, "connection"), "close");
    event_stream_ = header(head, "content-type").starts_with("text/event-stream");
    state_ = state::body;
    const auto length = header(head, "content-length");
    if (equal_folded(header(head, "transfer-encoding"), "chunked")) {
        framing_ = framing::chunked;
    } else if (!length.empty()) {
        framing_ = framing::length;
        left_ = 0;
        std::from_chars(length.data(), length.data() + length.size(), left_);
        state_ = left_ == 0 ? state::complete : state::body;
    } else {
        framing_ = framing::until_close;
        keep_alive_ = false;
    }
}

void stream_reader::take_chunked(std::string_view bytes) {
    while (!bytes.empty() && state_ == state::body) {
        if (part_ != chunk_part::data) {
            bytes = take_chunk_line(bytes);
            continue;
        }
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
        take_body(bytes.substr(0, count));
        bytes.remove_prefix(count);
        left_ -= count;
        if (left_ == 0) {
            part_ = chunk_part::data_end;
        }
    }
}

// One line of the framing: a size, the line end behind a chunk's data, or a trailer.
std::string_view stream_reader::take_chunk_line(std::string_view bytes) {
    const auto end = bytes.find('\n');
    chunk_line_.append(bytes.substr(0, end));
    if (end == std::string_view::npos) {
        return {};
    }
    auto line = std::string_view(chunk_line_);
    line = line.substr(0, line.find('\r'));
    if (part_ == chunk_part::data_end) {
        part_ = chunk_part::size;
        state_ = line.empty() ? state_ : state::broken;
    } else if (part_ == chunk_part::trailer) {
        state_ = line.empty() ? state::complete : state_;
    } else {
        const auto read = std::from_chars(line.data(), line.data() + line.size(), left_, 16);
        state_ = read.ec == std::errc{} ? state_ : state::broken;
        part_ = left_ == 0 ? chunk_part::trailer : chunk_part::data;
    }
    chunk_line_.clear();
    return bytes.substr(end + 1);
}

void stream_reader::take_body(std::string_view bytes) {
    if (!event_stream_) {
        other_body_.append(bytes.substr(0, other_body_max - other_body_.size()));
        return;
    }
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        if (end == std::string_view::npos) {
            line_.append(bytes);
            return;
        }
        if (line_.empty()) {
            take_line(bytes.substr(0, end));
        } else {
            line_.append(bytes.substr(0, end));
            take_line(line_);
            line_.clear();
        }
        bytes.remove_prefix(end + 1);
    }
}

void stream_reader::take_line(std::string_view line) {
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    if (!line.starts_with("data:")) {
        return;
    }
    line.remove_prefix(line.size() > 5 && line[5] == ' ' ? 6 : 5);
    ++events_;
    if (line == "[DONE]") {
        saw_done_ = true;
    } else {
        take_data(line);
    }
}

void stream_reader::take_data(std::string_view data) {
    const auto* const end = data.data() + data.size();
    auto sent = std::uint64_t{0};
    if (const auto* at = behind(data, R"("sent_ns":)")) {
        std::from_chars(at, end, sent);
        sent %= stamp_base;
    }
    if (const auto* at = behind(data, R"("content":")")) {
        const auto text = string_inside({at, static_cast<std::size_t>(end - at)});
        if (!text.empty()) {
            sink_.on_text(text, sent);
        }
    } else if (behind(data, R"("error":{)") != nullptr) {
        sink_.on_error(data);
    }
    saw_finish_ = saw_finish_ || behind(data, R"("finish_reason":")") != nullptr;
}

} // namespace bench
