// Calls as elements between tokens (Kimi K3):
// `<|open|>call tool="N" index="1"<|sep|>`, then
// `<|open|>argument key="K" type="T"<|sep|>value<|close|>argument<|sep|>` for each argument.
#pragma once

#include "proxy/scaffold/literal_watch.hpp"
#include "proxy/scaffold/payload_bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class attr_token_scanner final : public byte_scanner {
  public:
    /// The opener may hold the begin of the call's attributes.
    explicit attr_token_scanner(const payload_start& start);

    step take(char c) override;
    std::size_t skip(std::string_view text) const override;

    std::string_view name() const override { return name_; }

  private:
    enum class phase : std::uint8_t {
        head,     // in the attributes of the call
        body,     // between its arguments
        argument, // in the attributes of an argument
        value,
    };

    step take_head(char c);
    step end_head();
    step take_body(char c);
    step take_value(char c);

    phase phase_ = phase::head;
    literal_watch value_ends_;
    std::string head_; // attributes, quotes kept
    std::string sep_;  // of the token that ends them
    std::string mark_; // in the body
    std::string name_;
    std::size_t gap_ = 0;
    bool quoted_ = false;
    bool any_ = false; // an argument was read
};

} // namespace proxy::scaffold
