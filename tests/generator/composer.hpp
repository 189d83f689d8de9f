// Builds a turn from prose and markup. Only what the rules decide is built: no example outside code
// marks where the rules would take it for a call, no closer whose opener might be meant.
#pragma once

#include "tests/generator/scenario.hpp"

namespace tests::generator {

class composer {
  public:
    explicit composer(std::uint64_t seed);

    turn take();

    // Each makes the whole turn and names it.
    void calls_in_prose();
    void whole_turn_call();
    void example_in_code();
    void example_and_call();
    void example_without_tools();
    void undeclared_name();
    void named_in_a_sentence();
    void closers_only();
    void calls_in_a_row();
    void result_behind_a_call();
    void lone_backtick();
    void answer_in_json();
    void placeholder();
    void defused();
    void open_fence();
    void long_value();
    void among_punctuation();
    void opener_at_end();
    void lone_result();
    void control_token();
    void windows_line_ends();
    void harmony();
    void reasoning_envelope();

  private:
    const dialect& draw(bool (*fits)(const dialect&));
    std::vector<call> calls_for(const dialect& d, const text_rule& rule, bool declared);
    markup write(const dialect& d, bool declared);

    void keep(std::string text, bool free = false);
    void strip(std::string text);

    /// Text in front of a span that may stand `where`; may be nothing.
    void lead(place where, bool some = false);

    /// Text behind a span; `broken` starts it on a new line.
    void follow(bool broken);

    void one_call(const dialect& d, bool end_of_turn);
    void form(const dialect& d, const markup& made, bool end_of_turn);
    void harmony_segment(bool first, bool last);

    dice chance_;
    turn turn_;
};

} // namespace tests::generator
