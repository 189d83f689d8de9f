// A log-linear histogram: 64 buckets for each power of two, so that a quantile is read within 1.6 %
// of its value. Memory and the cost of add() do not depend on how many values were added.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace bench {

class histogram {
  public:
    /// Adds one value (any unit; the bench uses nanoseconds).
    void add(std::uint64_t value) {
        ++counts_[slot(value)];
        ++total_;
    }

    /// Adds all values of `other`.
    void add(const histogram& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            counts_[i] += other.counts_[i];
        }
        total_ += other.total_;
    }

    std::uint64_t count() const { return total_; }

    /// The value that `share` (0 to 1) of all values do not exceed: the upper edge of its bucket.
    /// 0 when nothing was added.
    std::uint64_t quantile(double share) const {
        if (total_ == 0) {
            return 0;
        }
        auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(total_) + 0.5);
        wanted = wanted == 0 ? 1 : wanted;
        auto seen = std::uint64_t{0};
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (seen >= wanted) {
                return upper_edge(i);
            }
        }
        return upper_edge(counts_.size() - 1);
    }

  private:
    static constexpr unsigned linear_bits = 6;
    static constexpr std::size_t buckets = std::size_t{1} << linear_bits;

    // Values below 64 have a slot each; above, the top seven bits choose it.
    static std::size_t slot(std::uint64_t value) {
        if (value < buckets) {
            return static_cast<std::size_t>(value);
        }
        const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - linear_bits;
        return (std::size_t{shift} << linear_bits) + static_cast<std::size_t>(value >> shift);
    }

    static std::uint64_t upper_edge(std::size_t slot) {
        if (slot < 2 * buckets) {
            return slot;
        }
        const auto shift = slot / buckets - 1;
        const auto head = std::uint64_t{slot % buckets + buckets};
        return ((head + 1) << shift) - 1;
    }

    std::array<std::uint64_t, (64 - linear_bits + 1) << linear_bits> counts_{};
    std::uint64_t total_ = 0;
};

} // namespace bench
