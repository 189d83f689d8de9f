// Standard input in blocks as they come, and standard output without a buffer between, so that a
// pipeline's text is not held up.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proxy::app {

class input {
  public:
    /// The first bytes of the input, without taking them: at most limits::read_bytes, and enough of
    /// them to tell what they are unless the input is shorter.
    std::string_view head();

    /// The next block with limits::json_padding readable bytes behind it, valid until the next
    /// call; nothing at the end or after an error.
    std::optional<std::string_view> next();

    /// True if reading broke before the end.
    bool failed() const { return failed_; }

  private:
    bool read_more();

    std::string buffer_;
    std::size_t filled_ = 0;
    bool failed_ = false;
    bool ended_ = false;
    bool head_waits_ = false;
};

/// Writes all of `text` to standard output. False, with a message on standard error unless the
/// reader has gone, if that fails.
bool write_output(std::string_view text);

} // namespace proxy::app
