#include "proxy/demo/gzip_writer.hpp"

#include <zlib.h>

#include <array>
#include <new>

namespace proxy::demo {

namespace {

constexpr int gzip_window = MAX_WBITS + 16; // zlib's way to ask for gzip
constexpr int memory_level = 8;             // zlib's default

} // namespace

struct gzip_writer::stream {
    z_stream z{};

    stream() {
        if (::deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level,
                           Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::bad_alloc();
        }
    }

    ~stream() { ::deflateEnd(&z); }

    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;

    void take(std::string_view input, int flush, std::string& out) {
        // zlib does not write to its input, but has no const in its interface.
        z.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input.data()));
        z.avail_in = static_cast<uInt>(input.size());
        std::array<Bytef, 4096> buffer{};
        do {
            z.next_out = buffer.data();
            z.avail_out = static_cast<uInt>(buffer.size());
            ::deflate(&z, flush);
            out.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - z.avail_out);
        } while (z.avail_out == 0);
    }
};

gzip_writer::gzip_writer() : stream_(std::make_unique<stream>()) {}

gzip_writer::~gzip_writer() = default;

std::string gzip_writer::write(const std::vector<std::string_view>& parts) {
    std::string out;
    for (const auto part : parts) {
        stream_->take(part, Z_NO_FLUSH, out);
    }
    stream_->take({}, Z_SYNC_FLUSH, out);
    return out;
}

std::string gzip_writer::end() {
    std::string out;
    stream_->take({}, Z_FINISH, out);
    return out;
}

std::string gzip(std::string_view text) {
    gzip_writer writer;
    auto out = writer.write({text});
    out += writer.end();
    return out;
}

} // namespace proxy::demo
