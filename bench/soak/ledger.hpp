// The 14 invariants, how often each was checked and how often it did not hold, with the first
// examples of what broke it.
#pragma once

#include "bench/soak/recording.hpp"
#include <array>
#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bench::soak {

inline constexpr std::size_t invariant_count = 14;

/// An exchange as examples name it.
std::string place_of(const recording& of);

/// In a few words; `number` from 1.
std::string_view invariant_name(std::size_t number);

class ledger {
  public:
    /// Counts one check of invariant `number` (from 1). Where it does not hold, `where` names the
    /// exchange and `why` says what was seen. From any thread.
    void note(std::size_t number, bool holds, std::string_view where, std::string_view why);
    void note(std::size_t number, bool holds, const recording& where, std::string_view why);

    std::uint64_t checked(std::size_t number) const;
    std::uint64_t broken(std::size_t number) const;
    std::uint64_t broken() const;

    /// The first examples, one line each, in the order they came.
    std::vector<std::string> examples() const;

    /// A table of all invariants, and the examples.
    void report(std::ostream& out) const;

  private:
    struct row {
        std::uint64_t checked = 0;
        std::uint64_t broken = 0;
    };

    mutable std::mutex mutex_;
    std::array<row, invariant_count> rows_;
    std::vector<std::string> examples_;
};

} // namespace bench::soak
