// Memory over time: whether a run has grown, by the medians of its quarters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench::soak {

/// The median of each quarter of `samples`, in their order; empty with fewer than eight.
std::vector<std::uint64_t> quarter_medians(const std::vector<std::uint64_t>& samples);

/// The last quarter lies at most 2 % over the second.
bool is_steady(const std::vector<std::uint64_t>& medians);

/// The value below which `share` (0 to 1) of `values` lie; 0 for none.
std::int64_t quantile(std::vector<std::int64_t> values, double share);

} // namespace bench::soak
