// The ways a stream is cut into reads in every stream test: whole, byte by byte, in two parts.
#pragma once

#include "proxy/base/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// Calls run(lengths) for each cutting of `bytes` bytes: whole, byte by byte, all 2-part splits up
/// to 16 KiB and 500 seeded ones beyond, and eight seeded ones into pieces of 1 to 40 bytes.
template <class Run>
void for_each_cutting(std::size_t bytes, Run run) {
    constexpr std::size_t all_splits_max = 16 * 1024;
    run(std::vector<std::size_t>{bytes});
    run(std::vector<std::size_t>(bytes, 1));
    std::mt19937 random(20261130);
    if (bytes <= all_splits_max) {
        for (std::size_t at = 1; at < bytes; ++at) {
            run(std::vector<std::size_t>{at, bytes - at});
        }
    } else {
        for (int i = 0; i < 500; ++i) {
            const std::size_t at = 1 + random() % (bytes - 1);
            run(std::vector<std::size_t>{at, bytes - at});
        }
    }
    for (int i = 0; i < 8 && bytes > 1; ++i) {
        std::vector<std::size_t> lengths;
        for (std::size_t at = 0; at < bytes; at += lengths.back()) {
            lengths.push_back(std::min<std::size_t>(1 + random() % 40, bytes - at));
        }
        run(lengths);
    }
}

/// A read buffer as the proxy has it: padded, and overwritten once the read has been taken, so that
/// a view kept too long shows.
class read_buffer {
  public:
    /// The bytes as one read; valid until the next call of load() or spoil().
    std::string_view load(std::string_view bytes) {
        buffer_.assign(bytes);
        buffer_.append(proxy::limits::json_padding, '\0');
        return std::string_view(buffer_).substr(0, bytes.size());
    }

    void spoil() { std::fill(buffer_.begin(), buffer_.end(), '#'); }

  private:
    std::string buffer_;
};

} // namespace tests
