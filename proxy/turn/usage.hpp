// Token usage of two attempts as one object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::turn {

/// Appends the sum of two raw usage objects to `out`: numbers add, at every depth; members that are
/// no numbers are the second's; numbers that only the first has stay. Integers are exact up to
/// 2^64-1; beyond that, and for fractions, the sum is a double. An empty view counts as none.
void append_usage_sum(std::string& out, std::string_view first, std::string_view second);

/// A token count of a raw usage object: the integer member `name`, 0 when it is not there.
std::uint64_t usage_count(std::string_view usage, std::string_view name);

} // namespace proxy::turn
