// How many corrections that gave no answer are too many: a broken upstream isn't asked twice as
// much for ever.
#pragma once

#include <bitset>
#include <cstddef>

namespace proxy::turn {

/// Over the last `window` turns, corrections without an answer may be at most `ratio` of them, and
/// `floor` in any case. Not synchronised: the owner locks.
class correction_budget {
  public:
    static constexpr std::size_t window = 200;
    static constexpr std::size_t floor = 10;

    /// `ratio` from 0 to 1. 0 still allows `floor` failures in the window.
    explicit correction_budget(double ratio) : ratio_(ratio) {}

    /// True if one more correction may be made.
    bool allows() const;

    /// Notes a turn that ended; `failed` if it was corrected and got no answer.
    void note(bool failed);

    std::size_t failures() const { return failed_.count(); }

  private:
    double ratio_;
    std::bitset<window> failed_;
    std::size_t turns_ = 0; // at most window
    std::size_t next_ = 0;  // where the next turn goes
};

} // namespace proxy::turn
