// What an answer says, read by Boost.JSON and a plain splitter that share no code with the proxy:
// the texts, finishes and calls of its choices, its ends, and its events as bytes.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bench::soak {

struct choice_facts {
    std::string text;
    std::vector<std::string> finishes;
    bool answered = false;          ///< a structured call or a refusal
    bool text_after_finish = false; ///< or a call
};

struct answer_facts {
    std::map<std::size_t, choice_facts> choices;
    std::set<std::string> ids, models, created;
    std::vector<std::string> blocks; ///< events and comments of a stream, blank line included
    std::size_t dones = 0;
    std::size_t errors = 0;
    std::size_t behind_done = 0; ///< events and comments behind the first [DONE]
    bool error_not_last = false; ///< an event other than [DONE] came behind the error
    bool partial = false;        ///< bytes behind the last blank line
    bool unreadable = false;     ///< an event that is no JSON, or a body that is none

    /// Every choice that was begun has a finish, and there is one.
    bool all_finished() const;

    /// The text of a choice, empty for one that is not there.
    const std::string& text(std::size_t choice) const;
};

/// Reads a body: an event stream or one JSON object. Nothing in it can make this throw.
answer_facts read_facts(std::string_view body, bool is_stream);

/// One event or body with all that the proxy may change made equal: content and usage empty, a
/// finish `tool_calls` as `stop`, id, created and model gone. Empty when it is no JSON object.
std::string blanked(std::string_view data);

/// The data of an event block, empty for a comment.
std::string data_of(std::string_view block);

/// True for events that only the proxy makes: errors, usage without choices, and a chunk that
/// carries held text and nothing else.
bool may_be_minted(std::string_view data);

} // namespace bench::soak
