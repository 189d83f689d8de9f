// The writes of one streamed answer, without copying them: a script's, or the synthetic model's.
#pragma once

#include "proxy/demo/script.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace proxy::demo {

/// Writes in front, then some that go round, then writes at the end. Views into `answer` or into
/// the synthetic model's events, which last as long as the program.
class playlist {
public:
    /// The writes of `source`, which must outlive the playlist.
    playlist(const answer& source, bool with_usage);

    /// A role event, `tokens` events of synthetic text, finish and [DONE].
    static playlist synthetic(std::size_t tokens, bool with_usage);

    std::size_t size() const { return front_.size() + round_count_ + back_.size(); }

    /// Write `i`, less than size().
    std::string_view at(std::size_t i) const;

    /// All bytes; O(size).
    std::size_t bytes() const;

private:
    playlist() = default;

    std::vector<std::string_view> front_;
    const std::vector<std::string_view>* round_ = nullptr;
    std::size_t round_count_ = 0;
    std::vector<std::string_view> back_;
};

} // namespace proxy::demo
