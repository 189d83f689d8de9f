// Calls as Python: `[f(a=1), g()]`, `f(a=1)` one a line, `tool.call(query="x")`.
#pragma once

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_bytes.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class pythonic_scanner final : public byte_scanner {
  public:
    explicit pythonic_scanner(const format* fmt) : fmt_{fmt} {}

    step take(char c) override;
    bool whole_at_end() override;
    std::size_t skip(std::string_view text) const override;

    /// The first call's name, without `.call`; what stands inside `print(…)`.
    std::string_view name() const override;

  private:
    enum class phase : std::uint8_t {
        waiting,
        callee,
        arguments,
        string_begin, // behind one quote
        string_empty, // behind two: an empty string, or a triple quote to come
        string,
        escape,
        behind_call,
    };
    enum class place : std::uint8_t {
        first,  // behind the opening parenthesis
        head,   // in a word there: a keyword, a nested call, or no argument at all
        value,  // a value must begin
        inside, // in or behind a value
    };

    step take_waiting(char c);
    step take_callee(char c);
    step take_argument(char c);
    step take_symbol(char c);
    step take_string(char c);
    step take_behind_call(char c);
    bool open(char c);
    bool close(char c);
    bool end_head();
    void prove();
    step give_up();
    bool unproved() const;

    const format* fmt_;
    phase phase_ = phase::waiting;
    place place_ = place::first;
    bool list_ = false;      // calls stand in brackets
    bool following_ = false; // a whole call stands before the present one
    bool proved_ = false;    // the present call has shown an argument, or none
    bool separated_ = false; // a line feed, comma or semicolon stands behind the last call
    bool triple_ = false;
    char quote_ = 0;
    unsigned quotes_ = 0; // consecutive, in a triple-quoted string
    unsigned depth_ = 0;
    std::array<char, limits::payload_depth_max> closers_{};
    std::string name_;
    std::string word_; // the callee or the first argument's word
    std::size_t gap_ = 0;
};

std::unique_ptr<byte_scanner> make_pythonic(const payload_start& start);

} // namespace proxy::scaffold
