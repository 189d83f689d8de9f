#include "proxy/upstream/chunk_decoder.hpp"

#include "proxy/base/hex.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/upstream/fields.hpp"

#include <algorithm>

namespace proxy::upstream {

namespace {

// 15 hex digits can't overflow, and no honest chunk is longer.
constexpr std::uint8_t size_digits_max = 15;

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

} // namespace

std::optional<std::string_view> chunk_decoder::next(std::string_view& input) {
    while (!input.empty() && state_ != state::done && state_ != state::failed) {
        if (state_ == state::data) {
            const auto size =
                static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
            const auto piece = input.substr(0, size);
            input.remove_prefix(size);
            left_ -= size;
            data_ += size;
            if (left_ == 0) {
                state_ = state::data_cr;
            }
            return piece;
        }
        if (!take_plain_size(input)) {
            step(input.front());
            input.remove_prefix(1);
        }
    }
    return std::nullopt;
}

// The way of nearly all chunks of a stream: the CRLF of the one before and a short size without
// extensions, whole in one read. Anything else is left to step().
bool chunk_decoder::take_plain_size(std::string_view& input) {
    std::size_t at = 0;
    if (state_ == state::data_cr && input.starts_with("\r\n")) {
        at = 2;
    } else if (state_ != state::size_first) {
        return false;
    }
    const std::size_t first = at;
    std::uint64_t size = 0;
    for (; at < input.size() && at - first < 8; ++at) {
        const int value = base::hex_value(input[at]);
        if (value < 0) {
            break;
        }
        size = size * 16 + static_cast<unsigned>(value);
    }
    if (at == first || size == 0 || !input.substr(at).starts_with("\r\n")) {
        return false;
    }
    input.remove_prefix(at + 2);
    left_ = size;
    state_ = state::data;
    return true;
}

void chunk_decoder::step(char c) {
    switch (state_) {
    case state::size_first:
    case state::size:
        return step_size(c);
    case state::extension_name:
    case state::extension:
        return step_extension(c);
    case state::size_lf:
        return expect(c, '\n', left_ == 0 ? state::trailer_start : state::data);
    case state::data_cr:
        return expect(c, '\r', state::data_lf);
    case state::data_lf:
        return expect(c, '\n', state::size_first);
    case state::trailer_start:
    case state::trailer_name:
    case state::trailer_value:
        return step_trailer(c);
    case state::trailer_lf:
        return expect(c, '\n', state::trailer_start);
    case state::last_lf:
        return expect(c, '\n', state::done);
    case state::data:
    case state::done:
    case state::failed:
        return;
    }
}

void chunk_decoder::step_size(char c) {
    const int value = base::hex_value(c);
    if (state_ == state::size_first) {
        left_ = 0;
        digits_ = 0;
    }
    if (value >= 0) {
        left_ = left_ * 16 + static_cast<unsigned>(value);
        state_ = ++digits_ > size_digits_max ? state::failed : state::size;
    } else if (state_ == state::size && c == '\r') {
        state_ = state::size_lf;
    } else if (state_ == state::size && c == ';') {
        state_ = state::extension_name;
        ++overhead_;
    } else {
        state_ = state::failed;
    }
}

void chunk_decoder::step_extension(char c) {
    if (state_ == state::extension_name) {
        // A name must come; white space in front of it is borne (RFC 9112 7.1.1).
        state_ = is_token_char(c) ? state::extension : state_;
        if (state_ != state::extension && c != ' ' && c != '\t') {
            state_ = state::failed;
            return;
        }
    }
    if (c == '\r') {
        state_ = state::size_lf;
    } else if (is_control(c) || ++overhead_ > limits::chunk_overhead_max + data_) {
        // A line feed inside an extension is where lenient readers part ways (CVE-2025-55315).
        state_ = state::failed;
    }
}

void chunk_decoder::step_trailer(char c) {
    if (++overhead_ > limits::chunk_overhead_max + data_) {
        state_ = state::failed;
    } else if (state_ == state::trailer_start) {
        if (c == '\r') {
            state_ = state::last_lf;
        } else {
            state_ = is_token_char(c) ? state::trailer_name : state::failed;
        }
    } else if (state_ == state::trailer_name) {
        if (c == ':') {
            state_ = state::trailer_value;
        } else if (!is_token_char(c)) {
            state_ = state::failed;
        }
    } else if (c == '\r') {
        state_ = state::trailer_lf;
    } else if (is_control(c)) {
        state_ = state::failed;
    }
}

} // namespace proxy::upstream
