// Gemma's own maps: `call:NAME{city:<|"|>Paris<|"|>,days:2}`, with `<escape>` for the quote in
// FunctionGemma; nested maps and lists, bare words and ordinary quotes.
#pragma once

#include "proxy/scaffold/payload_bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class gemma_scanner final : public byte_scanner {
  public:
    explicit gemma_scanner(const format* fmt) : fmt_{fmt} {}

    step take(char c) override;

    bool whole_at_end() override { return false; }

    std::size_t skip(std::string_view text) const override;

    std::string_view name() const override { return name_; }

  private:
    enum class phase : std::uint8_t {
        waiting,
        name,
        first_key, // behind {
        next_key,  // behind a comma in a map
        bare_key,
        behind_key,
        value,   // a value must begin
        element, // one may
        bare,    // in a number or a bare word
        behind_value,
        quote,  // in a quote literal
        quoted, // in text between two such literals
        plain_quoted,
        plain_escape,
    };

    step take_name(char c);
    step take_key(char c);
    step take_value(char c);
    step take_behind_value(char c);
    step take_quote(char c);
    step take_quoted(char c);
    step take_plain(char c);
    step begin_quote(char c);
    void end_string();
    bool open(bool map);
    step close(char c);

    bool in_map() const { return (maps_ & (std::uint64_t{1} << (depth_ - 1))) != 0; }

    const format* fmt_;
    phase phase_ = phase::waiting;
    std::string_view quote_; // the literal that ends the string
    std::string mark_;       // of a literal so far
    std::string name_;
    bool key_string_ = false; // the string is a key
    unsigned depth_ = 0;
    std::uint64_t maps_ = 0; // one bit a level: map or list
};

} // namespace proxy::scaffold
