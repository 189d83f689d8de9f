// The body of one HTTP/1.1 message by its framing, in place, at any split.
#pragma once

#include "proxy/upstream/chunk_decoder.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace proxy::upstream {

enum class framing : std::uint8_t {
    none,        ///< no body: HEAD, 1xx, 204, 304, or a request without framing fields
    length,      ///< Content-Length
    chunked,     ///< Transfer-Encoding: chunked
    until_close, ///< a response that neither field frames
};

class body_decoder {
  public:
    body_decoder() = default;

    body_decoder(upstream::framing kind, std::uint64_t length) : kind_(kind), left_(length) {}

    /// The next piece of the body in `input`, a view into it; what was read is removed from
    /// `input`. Nothing when `input` is used up, and when the body is complete or broken.
    std::optional<std::string_view> next(std::string_view& input);

    /// The whole body was given; bytes behind it belong to nobody.
    bool complete() const;

    /// The framing is broken: the message can't be whole any more.
    bool failed() const { return kind_ == framing::chunked && chunks_.failed(); }

    /// True if an orderly close of the connection now ends the body whole.
    bool whole_at_close() const { return kind_ == framing::until_close || complete(); }

    upstream::framing kind() const { return kind_; }

  private:
    upstream::framing kind_ = framing::none;
    std::uint64_t left_ = 0;
    chunk_decoder chunks_;
};

} // namespace proxy::upstream
