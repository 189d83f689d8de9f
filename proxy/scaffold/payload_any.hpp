// What a wrapper may hold, told by its first bytes: JSON, tags, a name, a list in brackets.
#pragma once

#include "proxy/scaffold/payload_bytes.hpp"
#include "proxy/scaffold/payload_tags.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class any_scanner final : public byte_scanner {
  public:
    explicit any_scanner(const payload_start& start) : start_{start} {}

    step take(char c) override;
    bool whole_at_end() override;
    std::size_t skip(std::string_view text) const override;
    std::size_t run(std::string_view text) override;

    std::string_view name() const override;

    const payload_scanner& reader() const override;

  private:
    bool chosen() const;
    step choose(char c);
    step choose_list(char c);
    step hand_over(std::unique_ptr<byte_scanner> inner, std::string_view text);
    step pass_on(char c);

    payload_start start_;
    bool apart_ = false; // a space stands in front of the payload
    std::string list_;   // a bracket and white space, until what follows tells
    std::unique_ptr<byte_scanner> inner_;
    const tag_scanner* tags_ = nullptr; // inner_ while it has seen nothing but wrappers
};

} // namespace proxy::scaffold
