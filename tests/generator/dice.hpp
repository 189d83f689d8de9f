// A small seeded source of chance: the same numbers on every machine, one seed for each case.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tests::generator {

class dice {
  public:
    explicit dice(std::uint64_t seed) : state_(seed) {}

    /// SplitMix64: every seed gives a sequence of its own, neighbours too.
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    /// 0 … n-1; n > 0.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

    /// Both ends included.
    std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }

    bool chance(std::size_t percent) { return below(100) < percent; }

    template <class Range>
    const auto& pick(const Range& range) {
        return range[below(range.size())];
    }

  private:
    std::uint64_t state_;
};

} // namespace tests::generator
