// Recognises the payload behind an opener, byte by byte: is this a call, is it whole, does it
// break?
//
// One scanner reads one payload of one format, from the first byte behind the opener to the last
// byte before any closer. It is a plain state machine: the result does not depend on how the text
// is cut, its work is linear, its state is bounded.
#pragma once

#include "proxy/scaffold/format.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

enum class payload_state : std::uint8_t {
    waiting,   ///< nothing but white space (or part of an opener's own tail) so far
    started,   ///< the payload has begun, evidence (D1) is not complete
    confirmed, ///< evidence is complete; a payload cut from here on is still a call
    complete,  ///< the payload is whole; the scanner takes no more
    broken,    ///< what came can't be a payload
};

class payload_scanner {
  public:
    virtual ~payload_scanner() = default;

    /// Reads `text` and returns how many of its bytes it took. Less than all only when the state is
    /// now complete (the rest stands behind the payload) or broken (the first byte not taken broke
    /// it). In state complete or broken it must not be called again.
    virtual std::size_t feed(std::string_view text) = 0;

    /// The text ends here: a kind that ends only at a closer or the end may now be complete.
    virtual void finish() {}

    payload_state state() const { return state_; }

    /// In state complete: how many of the bytes taken, at the end, stand behind the payload. They
    /// were only looked at (white space, a foreign tag). At most limits::payload_tail_max.
    virtual std::size_t tail() const { return 0; }

    /// The tool name as far as it was read; empty while unknown. Valid until the next feed().
    virtual std::string_view name() const { return {}; }

    /// The scanner that reads on: this one, or the one that was chosen by the first bytes.
    virtual const payload_scanner& reader() const { return *this; }

    /// True if this scanner and `other`, which was given the same bytes, are sure to say the same
    /// to all that may come. False tells nothing.
    virtual bool reads_like(const payload_scanner& other) const;

  protected:
    payload_state state_ = payload_state::waiting;
};

/// What the opener already told, and which tools there are.
struct payload_start {
    const format* fmt = nullptr;
    const context* ctx = nullptr;
    std::string_view opener; ///< the matched literal as it stood in the text, folded ones unfolded
};

/// A scanner for `start.fmt->payload`, which must not be null. The views in `start` must outlive
/// it.
/// Allocates; only made once an opener has been seen. Most kinds need the byte behind the payload,
/// or finish(), to know that it is whole: a surplus brace or another call may still belong to it.
std::unique_ptr<payload_scanner> make_scanner(const payload_start& start);

} // namespace proxy::scaffold
