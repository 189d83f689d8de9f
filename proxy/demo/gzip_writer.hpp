// Compresses what the scripted model sends, as a server does that compresses a stream: each write
// is flushed, so that its reader is not kept waiting.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::demo {

/// One gzip member (RFC 1952).
class gzip_writer {
public:
    /// Throws std::bad_alloc.
    gzip_writer();
    ~gzip_writer();

    gzip_writer(const gzip_writer&) = delete;
    gzip_writer& operator=(const gzip_writer&) = delete;

    /// The bytes from which a reader gets all of `parts`.
    std::string write(const std::vector<std::string_view>& parts);

    /// The end of the member; nothing can be written behind it.
    std::string end();

private:
    struct stream;
    std::unique_ptr<stream> stream_;
};

/// `text` as a whole member.
std::string gzip(std::string_view text);

} // namespace proxy::demo
