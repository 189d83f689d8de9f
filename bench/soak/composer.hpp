// Writes requests and answers of one exchange: prose that carries its nonce, markup as models leak
// it, chunks and bodies as servers send them.
#pragma once

#include "bench/soak/plan.hpp"
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bench::soak {

class composer {
  public:
    composer(std::string nonce, std::uint64_t seed) : nonce_(std::move(nonce)), random_(seed) {}

    const std::string& nonce() const { return nonce_; }

    /// All markup that was made.
    const std::vector<std::string>& leaked() const { return leaked_; }

    /// From `low` to `high`.
    std::size_t number(std::size_t low, std::size_t high);

    /// Sentences of plain words; nothing in them may become markup.
    std::string prose(std::size_t sentences);

    /// A call of `lookup_tide` in some dialect; now and then it holds the client's key.
    std::string markup();

    /// The same in a dialect of sentinels, which are markup without declared tools too.
    std::string sentinel_markup();

    /// A POST of a chat request.
    std::string chat_request(bool stream, bool tools, std::string_view more = "");
    std::string completion_request(bool stream);

    /// Any request with the client's credentials.
    std::string request(std::string_view method, std::string_view target, std::string_view body);

    /// The id, created and model of answers number 1 or 2.
    void set_attempt(unsigned number) { attempt_ = number; }

    void set_legacy(bool legacy) { legacy_ = legacy; }

    std::string event(std::string_view delta, std::string_view finish = "null",
                      std::size_t choice = 0) const;
    std::string text_event(std::string_view text, std::size_t choice = 0) const;
    std::string finish_event(std::string_view reason = "stop", std::size_t choice = 0) const;

    /// One event for each token.
    std::vector<std::string> text_events(std::string_view text, std::size_t choice = 0) const;

    /// A whole JSON answer.
    std::string body(std::string_view text, std::string_view finish = "stop") const;

    /// Head and the chunks of a stream: `events` in writes of a few, with pauses between them, up
    /// to the body's end, or without the last chunk.
    script stream(const std::vector<std::string>& events, bool ended = true);

    /// Role, tokens, finish and [DONE].
    std::vector<std::string> answer_events(std::string_view text,
                                           std::string_view finish = "stop") const;

  private:
    std::string frame(bool chunk, std::string_view choices) const;

    std::string nonce_;
    std::mt19937_64 random_;
    std::vector<std::string> leaked_;
    unsigned attempt_ = 1;
    bool legacy_ = false;
};

/// `bytes` as an answer with a content-length.
std::string answer_with(std::string_view status_line, std::string_view type, std::string_view bytes,
                        std::string_view fields = "");

/// `bytes` as one chunk of a chunked body.
std::string chunk_of(std::string_view bytes);

/// The head of a chunked stream.
std::string stream_head(std::string_view fields = "");

inline constexpr std::string_view done_event = "data: [DONE]\n\n";
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

} // namespace bench::soak
