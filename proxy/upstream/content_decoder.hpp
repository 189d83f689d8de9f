// Content codings gzip and deflate (RFC 9110 8.4.1) that an upstream applied without being asked,
// undone at any split and within bounds: no bomb grows past them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::upstream {

class content_decoder {
  public:
    /// The decoder for a `content-encoding` value, or null: several codings at once, or another one
    /// than gzip, x-gzip and deflate (which is read with and without its zlib head).
    static std::unique_ptr<content_decoder> make(std::string_view coding);

    ~content_decoder();
    content_decoder(const content_decoder&) = delete;
    content_decoder& operator=(const content_decoder&) = delete;

    /// The next piece of plain bytes, at most limits::decoded_piece long, with json_padding
    /// readable bytes behind; valid until the next call. What was read is removed from `input`.
    /// Nothing when all of `input` was read, and when the coding is broken or out of bounds.
    std::optional<std::string_view> next(std::string_view& input);

    /// The coding was read to its end, or nothing was fed at all.
    bool complete() const { return state_ == state::complete || state_ == state::fresh; }

    /// Broken, larger than limits::decoded_bytes_max, or more than limits::decoded_ratio_max times
    /// what was fed.
    bool failed() const { return state_ == state::failed; }

  private:
    enum class state : std::uint8_t { fresh, open, complete, failed };
    struct stream; // zlib's

    explicit content_decoder(bool deflate);
    bool begin(std::string_view& input);
    bool begin_member();
    void inflate(std::string_view& input);
    bool within_bounds() const;

    std::unique_ptr<stream> stream_;
    std::string head_; // the first bytes of deflate, which tell whether it has zlib's head
    std::string piece_;
    std::size_t made_ = 0; // bytes in piece_
    std::uint64_t read_ = 0;
    std::uint64_t written_ = 0;
    state state_ = state::fresh;
    bool deflate_ = false;
    bool full_ = false; // the last piece was full: more may wait in zlib
};

} // namespace proxy::upstream
