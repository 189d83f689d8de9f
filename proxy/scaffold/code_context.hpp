// Knows for every byte of a text whether it stands in code (D8): fences and indented blocks by
// CommonMark, code spans by backtick runs. Markup in code is text.
//
// Whether a backtick run opens a code span is only known at its end: it is code if a run of the
// same length comes before a blank line. inline_open() tells of such a run; who must know looks
// ahead and reports with confirm_inline() or drop_inline().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace proxy::scaffold {

class code_context {
  public:
    /// Says which byte comes next, so that the questions below answer for its place. Idempotent.
    void settle(char next) {
        if (run_ != 0 || line_blank_ || fence_info_) {
            settle_construct(next);
        }
    }

    /// Takes the next byte.
    void step(char c) {
        settle(c);
        take(c);
    }

    /// Takes the byte that settle() announced.
    void take(char c) {
        const bool mark = c == '`' || c == '~' || c == '\\' || c == '\n';
        const bool indent = line_blank_ && (c == ' ' || c == '\t' || c == '\r');
        if (fence_ != 0) {
            step_fence(c);
        } else if (mark || indent) {
            step_text(c);
        } else {
            escaped_ = line_blank_ = false;
            text_seen_ = true;
        }
    }

    /// True if a marker at the announced byte would be code for sure.
    bool in_code() const { return fence_ != 0 || indented_ || (inline_ != 0 && inline_sure_); }

    bool in_fence() const { return fence_ != 0; }

    /// Length of an open backtick run of which it isn't known whether it ever closes; 0 for none.
    std::size_t inline_open() const { return inline_sure_ ? 0 : inline_; }

    void confirm_inline() { inline_sure_ = true; }

    void drop_inline();

    /// True if only blanks stand between the begin of the line and the announced byte.
    bool at_line_start() const { return line_blank_; }

    /// True if all bytes outside of matcher::skip()'s set leave the context as it is.
    bool plain() const {
        return fence_ == 0 && !indented_ && !line_blank_ && run_ == 0 && !escaped_;
    }

    /// How many bytes at the begin of `text` can be passed over in the middle of a fence's line.
    std::size_t skip_fenced(std::string_view text) const;

  private:
    void settle_construct(char next);
    void settle_text(char next);
    void settle_line(char next);
    void step_text(char c);
    void step_fence(char c);
    void end_run(char next);
    void new_line();

    // The line so far.
    bool line_blank_ = true;
    unsigned indent_ = 0;
    bool after_blank_line_ = false; // never before the first text: there a leak may be indented
    bool text_seen_ = false;
    bool indented_ = false;

    // A run of backticks or tildes that may go on.
    char run_char_ = 0;
    std::size_t run_ = 0;
    bool run_starts_line_ = false;
    bool escaped_ = false;

    // Code spans.
    std::size_t inline_ = 0;
    bool inline_sure_ = false;

    // Fences.
    char fence_ = 0;
    std::size_t fence_length_ = 0;
    bool fence_info_ = false;    // still on the opening line
    std::size_t closing_ = 0;    // length of a run that may close the fence
    bool closing_ended_ = false; // only blanks since that run
    bool body_line_ = false;     // this line can't close the fence
};

/// Looks ahead from an opener in an open backtick run: does a run of the same length close it?
class inline_watch {
  public:
    enum class answer : std::uint8_t { open, code, markup };

    void begin(std::size_t run_length);

    answer step(char c);

    answer finish();

  private:
    std::size_t length_ = 0;
    std::size_t run_ = 0;
    bool line_blank_ = false;
};

} // namespace proxy::scaffold
