#include "bench/soak/http_reader.hpp"

#include <algorithm>
#include <charconv>
#include <strings.h>

namespace bench::soak {

namespace {

constexpr std::uint64_t size_max = std::uint64_t{1} << 40;

bool equal_folded(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// Calls take(value) for each header line named `name`.
template <class Take>
void each_field(std::string_view head, std::string_view name, Take take) {
    for (auto at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at)) {
        at += 2;
        const auto line = head.substr(at, head.find("\r\n", at) - at);
        const auto colon = line.find(':');
        if (colon != std::string_view::npos && equal_folded(line.substr(0, colon), name)) {
            auto value = line.substr(colon + 1);
            value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
            take(value);
        }
    }
}

bool read_number(std::string_view text, int base, std::uint64_t& number) {
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, base);
    return !text.empty() && read.ec == std::errc{} && read.ptr == end && number < size_max;
}

} // namespace

std::string_view field_of(std::string_view head, std::string_view name) {
    auto found = std::string_view{};
    each_field(head, name, [&](std::string_view value) { found = found.empty() ? value : found; });
    return found;
}

http_reader::state http_reader::feed(std::string_view bytes) {
    begun_ = begun_ || !bytes.empty();
    pending_.append(bytes);
    while (state_ == state::head && take_head()) {
    }
    if (state_ != state::body) {
        return state_;
    }
    if (framing_ == framing::chunked) {
        while (state_ == state::body && take_chunked()) {
        }
    } else if (framing_ == framing::length) {
        const auto count = std::min<std::uint64_t>(left_, pending_.size());
        body_.append(pending_, 0, count);
        pending_.erase(0, count);
        left_ -= count;
        state_ = left_ == 0 ? state::complete : state_;
    } else {
        body_.append(pending_);
        pending_.clear();
    }
    return state_;
}

http_reader::state http_reader::closed() {
    keep_alive_ = false;
    if (state_ == state::body && framing_ == framing::until_close) {
        state_ = state::complete;
    } else if (state_ != state::complete) {
        state_ = state::broken;
    }
    return state_;
}

// Takes one head; true when it was an interim answer's and the next may follow.
bool http_reader::take_head() {
    const auto end = pending_.find("\r\n\r\n");
    if (end == std::string::npos) {
        return false;
    }
    auto head = pending_.substr(0, end + 4);
    pending_.erase(0, end + 4);
    if (kind_ != kind::request) {
        if (!head.starts_with("HTTP/1.") || head.size() < 12) {
            state_ = state::broken;
            return false;
        }
        std::from_chars(head.data() + 9, head.data() + 12, status_);
        if (status_ >= 100 && status_ < 200 && status_ != 101) {
            return true;
        }
    }
    head_ = std::move(head);
    choose_framing();
    return false;
}

void http_reader::choose_framing() {
    const bool answer = kind_ != kind::request;
    const bool bodiless = kind_ == kind::answer_to_head || status_ == 204 || status_ == 304;
    keep_alive_ = !equal_folded(field_of(head_, "connection"), "close") &&
                  !(answer && head_.starts_with("HTTP/1.0"));
    state_ = state::body;
    const auto coding = field_of(head_, "transfer-encoding");
    if (status_ == 101 || (!coding.empty() && !equal_folded(coding, "chunked"))) {
        state_ = state::broken;
    } else if (bodiless) {
        state_ = state::complete;
    } else if (!coding.empty()) {
        framing_ = framing::chunked;
    } else if (field_of(head_, "content-length").empty()) {
        framing_ = answer ? framing::until_close : framing::none;
        keep_alive_ = keep_alive_ && !answer;
        state_ = answer ? state::body : state::complete;
    } else {
        read_length();
    }
}

void http_reader::read_length() {
    framing_ = framing::length;
    auto lengths = std::size_t{0};
    each_field(head_, "content-length", [&](std::string_view value) {
        auto number = std::uint64_t{0};
        if (!read_number(value, 10, number) || (lengths++ > 0 && number != left_)) {
            state_ = state::broken;
        }
        left_ = number;
    });
    if (state_ == state::body && left_ == 0) {
        state_ = state::complete;
    }
}

// Takes the data of a chunk or one line of the framing; false when more bytes are needed.
bool http_reader::take_chunked() {
    if (left_ > 2) { // data, and its CRLF
        const auto count = std::min<std::uint64_t>(left_ - 2, pending_.size());
        body_.append(pending_, 0, count);
        pending_.erase(0, count);
        left_ -= count;
        return count > 0;
    }
    if (left_ > 0) {
        if (pending_.size() < left_) {
            return false;
        }
        state_ = pending_.starts_with("\r\n") ? state_ : state::broken;
        pending_.erase(0, left_);
        left_ = 0;
        return true;
    }
    const auto end = pending_.find("\r\n");
    if (end == std::string::npos) {
        return false;
    }
    const auto line = pending_.substr(0, end);
    pending_.erase(0, end + 2);
    if (in_trailer_) {
        state_ = line.empty() ? state::complete : state_;
        return true;
    }
    auto size = std::uint64_t{0};
    if (!read_number(line.substr(0, line.find(';')), 16, size)) {
        state_ = state::broken;
        return false;
    }
    in_trailer_ = size == 0;
    left_ = size == 0 ? 0 : size + 2;
    return true;
}

} // namespace bench::soak
