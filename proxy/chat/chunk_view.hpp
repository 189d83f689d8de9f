// One chat.completion.chunk (or text_completion) as positions in its raw bytes.
//
// Nothing is copied or re-serialised: a chunk without change is forwarded with its bytes, and an
// edit replaces only the inside of one string. Keys are compared unescaped; of equal keys the last
// counts, and all copies of an edited string are listed so that all can be edited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace proxy::chat {

/// A string value: `inside` is the bytes between its quotes, a view into the chunk's data.
struct text_span {
    std::string_view inside;
    bool present = false; ///< false: absent, null or not a string
};

/// One choice. A whole answer's `message` is read like a `delta`; where both are there the delta
/// counts, and either counts before a legacy `text`.
struct choice_view {
    std::uint32_t index = 0; ///< 0 when absent
    text_span text;          ///< delta.content (chat) or text (completions), the last copy
    std::vector<std::string_view> earlier_copies; ///< insides of equal keys before it, rarely any
    text_span reasoning;                          ///< delta.reasoning_content, else delta.reasoning
    bool has_role = false;                        ///< delta.role is there (whatever its value)
    bool has_call = false;     ///< non-empty tool_calls array, or a function_call object
    bool has_refusal = false;  ///< non-empty refusal string
    bool has_audio = false;    ///< audio object
    bool has_logprobs = false; ///< logprobs that is not null
    bool has_token_ids = false;
    text_span finish_reason;      ///< present: a string
    std::string_view role_member; ///< `"role":"assistant"` whole, for removing a second role delta
};

/// Reusable: parse() again. Keep one per thread.
class chunk_view {
  public:
    chunk_view();
    ~chunk_view();
    chunk_view(const chunk_view&) = delete;
    chunk_view& operator=(const chunk_view&) = delete;

    /// Reads `data`, which must be followed by limits::json_padding readable bytes and outlive the
    /// use of the views. False when it is not a JSON object (it is then forwarded unchanged). Where
    /// simdjson refuses the text for its characters, a byte scan finds the same positions. No
    /// allocation once warm.
    bool parse(std::string_view data);

    /// Stands for a chunk that brings `inside`, a part of `data`, as the text of choice `index` and
    /// nothing else.
    void set_text_only(std::string_view data, std::uint32_t index, std::string_view inside);

    std::string_view data() const { return data_; }

    const std::vector<choice_view>& choices() const { return choices_; } ///< see choices_count()

    /// Choices of this chunk; choices() may be longer because its elements are reused.
    std::size_t choices_count() const { return choices_count_; }

    text_span id, model, object, system_fingerprint;
    std::string_view created;                                  ///< raw number, empty when absent
    std::string_view id_value, model_value, fingerprint_value; ///< raw values with quotes, or empty
    std::string_view usage; ///< raw object; empty when absent or null
    std::string_view error; ///< raw value of a truthy top-level `error`; empty otherwise
    bool error_is_object = false;
    bool old_error_form = false; ///< `"object":"error"` with `message` at the top level
    bool has_choices = false;

  private:
    friend struct chunk_view_paths; // the tests compare both ways of reading

    struct impl;
    struct reader;
    bool parse_fast();
    bool parse_scan();
    void reset(std::string_view data);

    std::unique_ptr<impl> impl_; // simdjson stays in the .cpp
    std::string_view data_;
    std::vector<choice_view> choices_;
    std::size_t choices_count_ = 0;
    /// Strings of an earlier `choices` of the same chunk, with the position of their choice.
    std::vector<std::pair<std::size_t, std::string_view>> orphans_;
};

} // namespace proxy::chat
