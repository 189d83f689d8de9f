// What the bench upstream streams: chunks of about 275 bytes around the tokens of one fixed text
// that holds prose and code, many `<` and `[` and no markup. The text repeats without end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// How a stream runs, from a model name such as `bench-w1-r50-n175`.
struct pace {
    std::size_t events_per_write = 1;    ///< w
    std::uint64_t writes_per_second = 0; ///< r; 0: as fast as the reader takes them
    std::size_t events = 1000;           ///< n: text events of the stream
};

/// Nothing when `model` is not a name of that form or a number in it is out of range.
std::optional<pace> parse_pace(std::string_view model);

/// The text whose tokens are streamed, unescaped.
std::string_view sample_text();

/// Pieces of `text` as a model would cut them: about four characters, a space with the word that
/// follows it, a run of punctuation by itself. Joined they are the text.
std::vector<std::string_view> tokens_of(std::string_view text);

/// One bench stream's events for one model name; made once, then every event is a copy and two
/// stamps.
class event_source {
  public:
    explicit event_source(std::string_view model);

    /// Appends the role event.
    void append_role(std::string& out) const;

    /// Appends text event number `index` (from 0) as a chunk of its own; every 16th is stamped with
    /// `sent_ns`, every 256th where no clock paces the stream. Real events of one stream are alike
    /// but for their text, so most are left alone.
    void append_text(std::string& out, std::size_t index, std::uint64_t sent_ns) const;

    /// Appends the finish event, `[DONE]` and the last chunk.
    void append_end(std::string& out) const;

  private:
    struct stamped_chunk {
        std::string bytes; // chunk size line, event, line end
        std::size_t stamp; // where the digits stand
    };

    std::vector<stamped_chunk> stamped_; // one for each token
    std::vector<std::string> plain_;     // the same without the stamp
    std::size_t events_per_stamp_;
    std::string role_;
    std::string end_;
};

/// Appends `bytes` as one chunk of a chunked body.
void append_chunk(std::string& out, std::string_view bytes);

/// One chat chunk as an SSE event. `delta` is the inside of its delta object; `finish` a JSON
/// value.
std::string make_event(std::string_view model, std::string_view delta, std::string_view finish);

/// `text` as the inside of a JSON string.
std::string escaped(std::string_view text);

} // namespace bench
