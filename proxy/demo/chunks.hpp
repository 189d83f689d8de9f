// Writes what a model server sends: chat.completion.chunk events and whole chat.completion bodies.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::demo {

/// Cuts `text` into pieces of `chars` characters (code points); never inside a character.
std::vector<std::string_view> split_text(std::string_view text, std::size_t chars);

/// One structured call.
struct call {
    std::string id;
    std::string name;
    std::string arguments; ///< JSON text
};

/// Events of one streamed answer: every one has the same id, created and model.
class chunk_writer {
public:
    chunk_writer(std::string_view id, std::string_view model);

    std::string role() const;
    std::string content(std::string_view text) const;
    std::string reasoning(std::string_view text) const;

    /// The first delta of a call (name, empty arguments), and a piece of its arguments.
    std::string call_start(std::size_t index, const call& value) const;
    std::string call_arguments(std::size_t index, std::string_view piece) const;

    std::string finish(std::string_view reason) const;
    std::string usage(std::size_t prompt_tokens, std::size_t completion_tokens) const;

    /// The non-streamed form of the same answer.
    std::string body(std::string_view text, const std::vector<call>& calls,
                     std::string_view finish_reason, std::size_t prompt_tokens,
                     std::size_t completion_tokens) const;

private:
    std::string event(std::string_view delta, std::string_view finish) const;
    std::string head(std::string_view object) const;

    std::string id_;
    std::string model_;
};

inline constexpr std::string_view done_event = "data: [DONE]\n\n";

} // namespace proxy::demo
