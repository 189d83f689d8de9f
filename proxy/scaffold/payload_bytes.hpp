// What the payload scanners share: one byte at a time, character classes, names.
#pragma once

#include "proxy/scaffold/payload_scanner.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace proxy::scaffold {

/// What a scanner says to one byte.
enum class step : std::uint8_t {
    more,   ///< taken
    done,   ///< taken, and the payload is whole with it
    back,   ///< not taken: the payload was whole before it
    broken, ///< not taken: no payload
};

/// A payload scanner written as a step for each byte, which makes it indifferent to cuts.
class byte_scanner : public payload_scanner {
  public:
    std::size_t feed(std::string_view text) final;

    void finish() final;

    std::size_t tail() const final { return tail_; }

    /// Takes one byte. For scanners that hold others; they keep the state themselves.
    virtual step take(char c) = 0;

    /// True if a text that ends here ends with a whole payload.
    virtual bool whole_at_end() { return false; }

    /// How many bytes at the begin of `text` can be passed over without a change of state.
    virtual std::size_t skip(std::string_view text) const;

    /// Takes all bytes at the begin of `text` that need no decision, and returns how many these
    /// are: those of skip(), and such as are only kept.
    virtual std::size_t run(std::string_view text) { return skip(text); }

  protected:
    void begin() {
        if (state_ == payload_state::waiting) {
            state_ = payload_state::started;
        }
    }

    void confirm() { state_ = payload_state::confirmed; }

    bool confirmed() const { return state_ == payload_state::confirmed; }

    std::size_t tail_ = 0;
};

inline bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

inline bool is_name_start(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

/// Bytes of a tool's name or a call's id.
inline bool is_name_byte(char c) {
    return is_name_start(c) || c == '-' || c == '.' || c == ':' || c == '/';
}

/// True for a name that a call can carry: not empty, not too long, name bytes only.
bool is_name(std::string_view text);

/// True for what templates write in the place of a name: `<name>`, `{name}`, `...`, nothing.
bool is_placeholder(std::string_view text);

/// True if the format's opener is evidence by itself.
bool is_sentinel(const format* fmt);

/// `text` with the equivalents of a marker made one: bars (U+FF5C, U+2016, `|`; doubled, a space
/// behind) become `|`, low lines (U+2581, `\_`, space) become `_`. A cut character at the end is
/// left out.
std::string fold(std::string_view text);

} // namespace proxy::scaffold
