#include "tests/support/compress.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tests {

namespace {

int window(coding how) {
    switch (how) {
    case coding::gzip:
        return MAX_WBITS + 16;
    case coding::zlib:
        return MAX_WBITS;
    case coding::raw:
        return -MAX_WBITS;
    }
    return 0;
}

void deflate_all(z_stream& z, std::string_view piece, int flush, std::string& out) {
    std::string input(piece);
    std::array<Bytef, 4096> buffer{};
    z.next_in = reinterpret_cast<Bytef*>(input.data());
    z.avail_in = static_cast<uInt>(input.size());
    do {
        z.next_out = buffer.data();
        z.avail_out = static_cast<uInt>(buffer.size());
        if (::deflate(&z, flush) == Z_STREAM_ERROR) {
            throw std::runtime_error("deflate");
        }
        out.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - z.avail_out);
    } while (z.avail_out == 0);
}

} // namespace

std::string compress(std::string_view text, coding how, bool flush_each) {
    z_stream z{};
    if (::deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, window(how), 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        throw std::runtime_error("deflateInit2");
    }
    std::string out;
    while (flush_each && !text.empty()) {
        const auto length = std::min(text.find('\n'), text.size() - 1) + 1;
        deflate_all(z, text.substr(0, length), Z_SYNC_FLUSH, out);
        text.remove_prefix(length);
    }
    deflate_all(z, text, Z_FINISH, out);
    ::deflateEnd(&z);
    return out;
}

std::string decompress(std::string_view packed) {
    z_stream z{};
    if (::inflateInit2(&z, window(coding::gzip)) != Z_OK) {
        throw std::runtime_error("inflateInit2");
    }
    std::string input(packed);
    std::string out;
    std::array<Bytef, 4096> buffer{};
    z.next_in = reinterpret_cast<Bytef*>(input.data());
    z.avail_in = static_cast<uInt>(input.size());
    int status = Z_OK;
    do {
        z.next_out = buffer.data();
        z.avail_out = static_cast<uInt>(buffer.size());
        status = ::inflate(&z, Z_NO_FLUSH);
        out.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - z.avail_out);
    } while (status == Z_OK);
    const bool read = z.avail_in == 0 && (status == Z_STREAM_END || status == Z_BUF_ERROR);
    ::inflateEnd(&z);
    if (!read) {
        throw std::runtime_error("not one gzip member");
    }
    return out;
}

} // namespace tests
