// Compares what came of a case with its `expect` member and with what holds for every stream.
#pragma once

#include "tests/replay/played.hpp"
#include "tests/replay/replay_case.hpp"

#include <string>
#include <vector>

namespace tests::replay {

/// What is wrong, one line each; empty when the case passes. Members of `expect` that are not known
/// are wrong too, so that none is overlooked.
std::vector<std::string> problems(const replay_case& one, const played& got);

} // namespace tests::replay
