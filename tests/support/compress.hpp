// Content codings for tests, applied by zlib.
#pragma once

#include <string>
#include <string_view>

namespace tests {

enum class coding { gzip, zlib, raw };

/// `text` in that coding. With `flush_each` every line is flushed, as servers do that compress a
/// stream.
std::string compress(std::string_view text, coding how, bool flush_each = false);

} // namespace tests
