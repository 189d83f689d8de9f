// The chunked coding of HTTP/1.1 (RFC 9112 7.1), strictly, in place, at any split. Extensions and
// trailers are read and dropped; they can never be seen as header fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace proxy::upstream {

class chunk_decoder {
  public:
    /// The next piece of data in `input`, a view into it; what was read is removed from `input`.
    /// Nothing when `input` is used up, at the end of the message (done(), the rest of `input` lies
    /// behind it), and at a fault (failed(), no byte behind it is ever given).
    std::optional<std::string_view> next(std::string_view& input);

    bool done() const { return state_ == state::done; }

    bool failed() const { return state_ == state::failed; }

  private:
    enum class state : std::uint8_t {
        size_first, ///< the first digit of a size
        size,
        extension_name, ///< behind a semicolon, no letter of its name yet
        extension,
        size_lf, ///< the LF of a size line
        data,
        data_cr,
        data_lf,
        trailer_start, ///< the first byte of a trailer line, or the CR of the last line
        trailer_name,
        trailer_value,
        trailer_lf,
        last_lf,
        done,
        failed,
    };

    bool take_plain_size(std::string_view& input);
    void step(char c);
    void step_size(char c);
    void step_extension(char c);
    void step_trailer(char c);

    void expect(char c, char wanted, state next) { state_ = c == wanted ? next : state::failed; }

    std::uint64_t left_ = 0;     // data bytes of this chunk still to come
    std::uint64_t data_ = 0;     // data bytes of the whole message
    std::uint64_t overhead_ = 0; // bytes of extensions and trailers
    std::uint8_t digits_ = 0;
    state state_ = state::size_first;
};

} // namespace proxy::upstream
