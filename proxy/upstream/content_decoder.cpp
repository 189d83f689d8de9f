#include "proxy/upstream/content_decoder.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/upstream/fields.hpp"

#include <zlib.h>

#include <algorithm>

namespace proxy::upstream {

namespace {

constexpr int gzip_window = MAX_WBITS + 16; // zlib's way to ask for gzip
constexpr int zlib_window = MAX_WBITS;
constexpr int raw_window = -MAX_WBITS;
constexpr std::size_t head_bytes = 2; // of zlib's format

/// RFC 1950 2.2: method 8 and a check of both bytes.
bool is_zlib_head(std::string_view head) {
    const auto first = static_cast<unsigned char>(head[0]);
    const auto second = static_cast<unsigned char>(head[1]);
    return (first & 0x0fU) == Z_DEFLATED && (first * 256U + second) % 31 == 0;
}

} // namespace

struct content_decoder::stream {
    z_stream z{};
    bool begun = false;

    bool begin(int window) {
        begun = ::inflateInit2(&z, window) == Z_OK;
        return begun;
    }

    ~stream() {
        if (begun) {
            ::inflateEnd(&z);
        }
    }
};

std::unique_ptr<content_decoder> content_decoder::make(std::string_view coding) {
    const auto is = [&](std::string_view name) { return equals_ignoring_case(coding, name); };
    if (is("gzip") || is("x-gzip") || is("deflate")) {
        return std::unique_ptr<content_decoder>(new content_decoder(is("deflate")));
    }
    return nullptr;
}

content_decoder::content_decoder(bool deflate)
    : stream_(std::make_unique<stream>()),
      piece_(limits::decoded_piece + limits::json_padding, '\0'), deflate_(deflate) {}

content_decoder::~content_decoder() = default;

std::optional<std::string_view> content_decoder::next(std::string_view& input) {
    while (state_ != state::failed && (!input.empty() || full_)) {
        if (!stream_->begun && !begin(input)) {
            break;
        }
        std::string_view head = head_;
        inflate(head_.empty() ? input : head);
        head_.erase(0, head_.size() - head.size());
        if (state_ != state::failed && made_ > 0) {
            return std::string_view(piece_).substr(0, made_);
        }
    }
    return std::nullopt;
}

// Begins zlib once it is known how; false while that is open.
bool content_decoder::begin(std::string_view& input) {
    state_ = state::open;
    int window = gzip_window;
    if (deflate_) {
        const auto taken = std::min(input.size(), head_bytes - head_.size());
        head_.append(input.substr(0, taken));
        input.remove_prefix(taken);
        if (head_.size() < head_bytes) {
            return false;
        }
        window = is_zlib_head(head_) ? zlib_window : raw_window;
    }
    if (!stream_->begin(window)) {
        state_ = state::failed;
    }
    return stream_->begun;
}

// One step: as much as fits into a piece.
void content_decoder::inflate(std::string_view& input) {
    z_stream& z = stream_->z;
    made_ = 0;
    full_ = false;
    if (state_ == state::complete && !begin_member()) {
        return;
    }
    // zlib does not write to its input; its type just can't say so.
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    z.avail_in = static_cast<uInt>(std::min(input.size(), limits::body_bytes_max));
    z.next_out = reinterpret_cast<Bytef*>(piece_.data());
    z.avail_out = static_cast<uInt>(limits::decoded_piece);
    const auto given = z.avail_in;
    const int result = ::inflate(&z, Z_SYNC_FLUSH);
    const auto taken = given - z.avail_in;
    input.remove_prefix(taken);
    made_ = limits::decoded_piece - z.avail_out;
    read_ += taken;
    written_ += made_;
    full_ = z.avail_out == 0;
    if ((result != Z_OK && result != Z_BUF_ERROR && result != Z_STREAM_END) || !within_bounds()) {
        state_ = state::failed;
    } else if (result == Z_STREAM_END) {
        state_ = state::complete;
        full_ = false;
    }
}

// More bytes behind the end: gzip may have several members (RFC 1952 2.2), deflate has not.
bool content_decoder::begin_member() {
    const bool more = !deflate_ && ::inflateReset(&stream_->z) == Z_OK;
    state_ = more ? state::open : state::failed;
    return more;
}

bool content_decoder::within_bounds() const {
    const auto plain =
        std::max<std::uint64_t>(limits::decoded_ratio_floor, read_ * limits::decoded_ratio_max);
    return written_ <= limits::decoded_bytes_max && written_ <= plain;
}

} // namespace proxy::upstream
