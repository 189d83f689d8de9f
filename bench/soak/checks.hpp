// The 14 invariants, each as a pure function of what was recorded.
#pragma once

#include "bench/soak/evidence.hpp"
#include "bench/soak/ledger.hpp"
#include <cstdint>
#include <string_view>

namespace bench::soak {

/// All checks of one exchange that has ended on every side.
void check_exchange(const recording& of, ledger& to);

void check_texts(const evidence& all, ledger& to);    ///< 1, 2, 6
void check_ends(const evidence& all, ledger& to);     ///< 3, 4, 7, 10
void check_requests(const evidence& all, ledger& to); ///< 5, 8, 14
void check_bytes(const evidence& all, ledger& to);    ///< 11, 12, 13

/// An ordinary exchange that reached the model server and did not come to its end.
bool is_cut(const recording& of);

/// 13: no planted secret in a line of the log.
void check_log_line(std::string_view line, ledger& to);

/// 9: resident bytes over those at rest are at most 256 KiB and one event for each open stream,
/// beside what the allocator keeps.
void check_memory(std::uint64_t rest_bytes, std::uint64_t bytes, std::uint64_t streams,
                  std::uint64_t event_limit, ledger& to);

/// The shortest way to show where two texts part.
std::string difference(std::string_view expected, std::string_view got);

} // namespace bench::soak
