#include "bench/soak/memory.hpp"

#include <algorithm>

namespace bench::soak {

std::vector<std::uint64_t> quarter_medians(const std::vector<std::uint64_t>& samples) {
    auto medians = std::vector<std::uint64_t>{};
    const auto each = static_cast<std::ptrdiff_t>(samples.size() / 4);
    for (std::ptrdiff_t quarter = 0; quarter < 4 && each >= 2; ++quarter) {
        const auto begin = samples.begin() + quarter * each;
        auto part = std::vector<std::uint64_t>(begin, begin + each);
        std::ranges::nth_element(part, part.begin() + each / 2);
        medians.push_back(part[static_cast<std::size_t>(each / 2)]);
    }
    return medians;
}

bool is_steady(const std::vector<std::uint64_t>& medians) {
    return medians.size() == 4 && medians[3] * 100 <= medians[1] * 102;
}

std::int64_t quantile(std::vector<std::int64_t> values, double share) {
    if (values.empty()) {
        return 0;
    }
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, values.begin() + at);
    return values[static_cast<std::size_t>(at)];
}

} // namespace bench::soak
