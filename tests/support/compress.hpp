// Content codings for tests, applied and undone by zlib.
#pragma once

#include <string>
#include <string_view>

namespace tests {

enum class coding { gzip, zlib, raw };

/// `text` in that coding. With `flush_each` every line is flushed, as servers do that compress a
/// stream.
std::string compress(std::string_view text, coding how, bool flush_each = false);

/// What stands in `packed`, one gzip member or as much of one as there is. Throws
/// std::runtime_error if it is none, or if bytes stand behind its end.
std::string decompress(std::string_view packed);

} // namespace tests
