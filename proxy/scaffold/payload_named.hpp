// Calls that begin with the bare name: NAME, separators, JSON (Mistral, DeepSeek, Kimi,
// Qwen-Agent); NAME, then key and value tags (GLM, LongCat, Hunyuan, Solar); NAME(arguments).
#pragma once

#include "proxy/scaffold/payload_bytes.hpp"
#include "proxy/scaffold/payload_json.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

class named_scanner final : public byte_scanner {
  public:
    explicit named_scanner(const payload_start& start);

    step take(char c) override;
    bool whole_at_end() override;
    std::size_t skip(std::string_view text) const override;
    std::size_t run(std::string_view text) override;

    /// The name without what surrounds it in an id: `functions.f:0` is `f`.
    std::string_view name() const override;

  private:
    enum class phase : std::uint8_t {
        waiting,
        name,
        behind_name,
        mark, // in a separator or tag
        behind_separator,
        word, // a second word: the name behind a type, a call id behind a name
        key,
        behind_key,
        value,
        behind_pair,
        json,
        inner, // another scanner reads the rest
    };
    enum class role : std::uint8_t {
        none,
        separator,
        key_open,
        key_close,
        value_open,
        value_close,
        call,
        bare_name, // function<NAME>
        closer,    // one of the format's closers
        opener,    // one of the format's own, once more
    };

    step take_word(char c);
    step take_behind_word(char c);
    step take_mark(char c);
    step take_in_text(char c);
    step take_json(char c);
    step take_inner(char c);
    step begin_mark(char c);
    step end_mark(role found);
    step on_closer();
    step hand_over(std::unique_ptr<byte_scanner> inner, std::string_view text);
    void fold_separators();
    bool follows_separator(std::string_view folded) const;
    role role_of_mark() const;
    role role_of_separator(std::string_view folded) const;
    bool named_surely() const;

    payload_start start_;
    phase phase_ = phase::waiting;
    phase before_mark_ = phase::waiting;
    std::vector<std::string> separators_; // folded, once a mark began
    bool labelled_ = true;                // labels may stand in the format's tags
    bool pair_separators_ = false;        // the three separators mark key, value and end of a pair
    bool separable_ = false;              // mark_ can still become a separator
    std::string name_;
    std::string second_;
    std::string mark_;
    std::size_t gap_ = 0;
    bool apart_ = false;      // a space stands in front of the name
    bool line_ended_ = false; // a line feed stands behind it
    json_scanner json_{json_scanner::shape::any, nullptr};
    std::unique_ptr<byte_scanner> inner_;
};

} // namespace proxy::scaffold
