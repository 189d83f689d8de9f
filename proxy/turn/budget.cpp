#include "proxy/turn/budget.hpp"

#include <algorithm>

namespace proxy::turn {

bool correction_budget::allows() const {
    const auto share = static_cast<std::size_t>(ratio_ * static_cast<double>(turns_));
    return failures() < std::max(floor, share);
}

void correction_budget::note(bool failed) {
    failed_[next_] = failed;
    next_ = (next_ + 1) % window;
    turns_ = std::min(turns_ + 1, window);
}

} // namespace proxy::turn
