// Headers of Harmony envelopes (gpt-oss): `<|start|>assistant<|channel|>NAME to=… <|message|>`.
//
// Recipient and channel stand in free order, parts may be doubled (openai/harmony docs/format.md;
// formats.md 2.5 lists the defects that were seen).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

/// What becomes of a segment's body.
enum class segment_kind : std::uint8_t { visible, reasoning, call, result };

class envelope_header {
  public:
    enum class status : std::uint8_t { more, broken, done };

    void begin(std::string_view opener);

    /// Takes the next byte behind the opener.
    status step(char c);

    /// After status::done.
    segment_kind kind() const { return kind_; }

    /// True for a visible segment without recipient in the commentary channel.
    bool preamble() const { return preamble_; }

  private:
    status finish();

    std::string text_;
    std::string::size_type token_ = std::string::npos; // begin of an unfinished `<|…|>`
    segment_kind kind_ = segment_kind::visible;
    bool preamble_ = false;
};

} // namespace proxy::scaffold
