// Plays a case over real sockets: scripted model, proxy, and a bare client.
#pragma once

#include "tests/replay/played.hpp"
#include "tests/replay/replay_case.hpp"

namespace tests::replay {

played play_http(const replay_case& one);

} // namespace tests::replay
