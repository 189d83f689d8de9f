// Payloads without a shape of their own: free text up to a closer, and markers that are all there
// is.
#pragma once

#include "proxy/scaffold/payload_bytes.hpp"

namespace proxy::scaffold {

/// Results and the like: evidence from the first byte on, no end but the closer the filter finds.
class text_scanner final : public byte_scanner {
  public:
    step take(char) override {
        confirm();
        return step::more;
    }

    bool whole_at_end() override { return true; }

    std::size_t skip(std::string_view text) const override {
        return state_ == payload_state::confirmed ? text.size() : 0;
    }
};

/// A control token: nothing of what follows belongs to it.
class empty_scanner final : public byte_scanner {
  public:
    step take(char) override { return step::back; }

    bool whole_at_end() override { return true; }
};

} // namespace proxy::scaffold
