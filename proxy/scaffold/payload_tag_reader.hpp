// Reads tags as dialects of tool calls write them: any namespace (`antml:`, `seed:`), any bars
// (`｜DSML｜`, `||DSML|| `, `‖DSML‖`), labels (`tool_call:6124c78e`), `=NAME` or attributes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::scaffold {

/// What a tag's base word means.
enum class tag_word : std::uint8_t {
    other,
    parameter, ///< parameter, param
    call,      ///< invoke, function; also a wrapper with a name
    wrapper,   ///< tool_call, tool_calls, function_calls, toolcall …
    arg_key,
    arg_value,
    tool_sep,
};

struct tag {
    tag_word word = tag_word::other;
    std::string_view base;     ///< the word itself, without namespace
    bool closing = false;      ///< </…>
    bool self_closing = false; ///< <…/>
    bool attributes = false;   ///< something stands behind the base word
    std::string_view name;     ///< behind `=`, or of the attribute `name` or `tool`
};

/// Takes apart a whole tag from `<` to `>`. The views point into `raw`. Nothing for what is none.
std::optional<tag> read_tag(std::string_view raw);

/// Collects the bytes of one tag.
class tag_reader {
  public:
    enum class verdict : std::uint8_t {
        text,   ///< the byte is no part of a tag and none was open
        inside, ///< the byte was added to the open tag
        whole,  ///< the byte ended the tag: bytes(), until reset()
        no_tag, ///< what was open is text; the byte was not taken: take it again behind reset()
    };

    verdict take(char c);

    /// Puts bytes in front that stood in an opener.
    void seed(std::string_view opener);

    bool open() const { return !bytes_.empty(); }

    /// What stands in the open tag so far.
    std::string_view bytes() const { return bytes_; }

    void reset();

  private:
    bool may_follow(char c);

    std::string bytes_;
    char quote_ = 0;
};

} // namespace proxy::scaffold
