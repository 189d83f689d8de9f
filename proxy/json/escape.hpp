// JSON string text: a tolerant decoder that remembers where every byte came from, and an encoder.
//
// The decoder never fails: a lone surrogate becomes its three-byte form, a broken escape stands for
// itself, raw control bytes and invalid UTF-8 pass. Markup beside a broken character must still be
// found, and what is kept must leave with the very bytes it came with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::json {

/// The text of one JSON string with the way back to its raw bytes. Reusable: set() again.
class decoded_string {
  public:
    /// Decodes `raw`, the bytes between the quotes. Without a backslash nothing is copied and
    /// text() is `raw` itself; `raw` must outlive the use of text().
    void set(std::string_view raw);

    std::string_view text() const { return text_; }

    std::string_view raw() const { return raw_; }

    /// Offset in raw() at which the character that holds text()[offset] begins; text().size() gives
    /// raw().size(). O(1). `offset` must be at most text().size().
    std::size_t raw_offset(std::size_t offset) const;

  private:
    void decode_slow(std::size_t first_backslash);

    std::string_view raw_;
    std::string_view text_;
    bool identity_ = true;
    std::string scratch_;
    std::vector<std::uint32_t> offsets_; // one for each byte of scratch_, only when not identity_
};

/// Appends `text` as the inside of a JSON string: quote, backslash and control bytes escaped,
/// everything else (UTF-8 included) as it is.
void append_escaped(std::string& out, std::string_view text);

/// The decoded form of `raw` as an own string.
std::string unescape(std::string_view raw);

/// True if the JSON string with inside `raw` decodes to `text`. No copy when `raw` has no escape.
bool equals(std::string_view raw, std::string_view text);

} // namespace proxy::json
