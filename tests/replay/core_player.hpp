// Plays a case through turn::sanitizer, as a socket loop would drive it.
#pragma once

#include "tests/replay/played.hpp"
#include "tests/replay/replay_case.hpp"

#include <cstddef>
#include <vector>

namespace tests::replay {

/// How the bytes of an answer are cut into reads.
using reads = std::vector<std::string>;

/// Plays `one` with the first answer cut as `first` and the second as `second` says.
played play_core(const replay_case& one, const reads& first, const reads& second);

/// The reads of answer `i` of `one` as the upstream wrote them; none if it has no such answer.
reads as_written(const replay_case& one, std::size_t i);

/// `bytes` in pieces of `size`.
reads in_pieces(const std::string& bytes, std::size_t size);

} // namespace tests::replay
