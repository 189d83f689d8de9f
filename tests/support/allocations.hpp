// Counts what operator new gave to this process, for tests that bound allocations and memory.
//
// Link allocations.cpp into the test executable: it replaces the global operators.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tests {

/// What was allocated since this object was made. One thread.
class allocation_count {
  public:
    allocation_count();

    /// Calls of operator new since then.
    std::size_t made() const;

    /// Bytes allocated and not freed since then; negative when older ones were freed.
    std::int64_t live_bytes() const;

  private:
    std::size_t made_;
    std::int64_t live_;
};

} // namespace tests
