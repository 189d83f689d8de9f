// What Llama writes behind <|python_tag|>: a JSON call, `tool.call(k="v")`, or raw Python that only
// ends with the message.
#pragma once

#include "proxy/scaffold/payload_bytes.hpp"
#include "proxy/scaffold/payload_json.hpp"
#include "proxy/scaffold/payload_pythonic.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class python_tag_scanner final : public byte_scanner {
  public:
    explicit python_tag_scanner(const format* fmt)
        : json_{json_scanner::shape::list, fmt}, call_{fmt} {}

    step take(char c) override;
    bool whole_at_end() override;
    std::size_t skip(std::string_view text) const override;

    std::string_view name() const override;

  private:
    enum class phase : std::uint8_t { waiting, list, json, call, head, code };

    step take_waiting(char c);
    step take_list(char c);
    step take_call(char c);
    step take_head(char c);
    step take_code(char c);
    step pass_on(byte_scanner& inner, char c);

    json_scanner json_;
    pythonic_scanner call_;
    phase phase_ = phase::waiting;
    bool apart_ = false; // a space stands in front: prose does that, models don't
    std::string head_;   // what came so far, until it is clear what it is
    std::string mark_;   // of a token that ends the message
};

} // namespace proxy::scaffold
