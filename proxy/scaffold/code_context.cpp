#include "proxy/scaffold/code_context.hpp"

namespace proxy::scaffold {

namespace {

constexpr std::size_t fence_length_min = 3;
constexpr unsigned code_indent = 4;

} // namespace

void code_context::settle_construct(char next) {
    if (fence_ == 0) {
        settle_text(next);
    }
    if (fence_ != 0 && fence_info_ && fence_ == '`' && next == '`') {
        // An info string holds no backtick: this was a code span at the begin of a line.
        inline_ = fence_length_;
        inline_sure_ = false;
        fence_ = 0;
        fence_info_ = false;
    }
}

void code_context::settle_text(char next) {
    if (run_ != 0 && next != run_char_) {
        end_run(next);
    }
    if (line_blank_ && fence_ == 0) {
        settle_line(next);
    }
}

/// At the first byte of a line that isn't blank: is the line indented code?
void code_context::settle_line(char next) {
    if (next == ' ' || next == '\t' || next == '\n' || next == '\r') {
        return;
    }
    const bool deep = indent_ >= code_indent;
    indented_ = deep && (indented_ || after_blank_line_) && inline_ == 0;
}

void code_context::end_run(char next) {
    const bool fence = run_starts_line_ && run_ >= fence_length_min && inline_ == 0;
    if (fence) {
        fence_ = run_char_;
        fence_length_ = run_;
        fence_info_ = next != '\n';
        closing_ = 0;
        body_line_ = false;
        indented_ = false;
    } else if (run_char_ == '`' && !indented_) {
        if (inline_ == 0) {
            inline_ = run_;
            inline_sure_ = false;
        } else if (inline_ == run_) {
            drop_inline();
        }
    }
    run_ = 0;
}

void code_context::drop_inline() {
    inline_ = 0;
    inline_sure_ = false;
}

/// A mark, or white space at the begin of a line.
void code_context::step_text(char c) {
    const bool escaped = escaped_;
    escaped_ = false;
    if (c == '\n') {
        new_line();
        return;
    }
    if (line_blank_ && (c == ' ' || c == '\t' || c == '\r')) {
        indent_ += c == '\t' ? code_indent : (c == ' ' ? 1 : 0);
        return;
    }
    if (c == '`' || (c == '~' && (line_blank_ || run_ != 0))) {
        if (run_ == 0) {
            run_char_ = c;
            run_starts_line_ = line_blank_ && indent_ < code_indent;
        }
        // An escaped backtick opens nothing; inside a code span a backslash is only itself.
        run_ += escaped && inline_ == 0 ? 0 : 1;
    }
    escaped_ = c == '\\' && !escaped;
    line_blank_ = false;
    text_seen_ = true;
}

void code_context::step_fence(char c) {
    if (c == '\n') {
        if (!fence_info_ && !body_line_ && closing_ >= fence_length_) {
            fence_ = 0;
            after_blank_line_ = false;
        }
        fence_info_ = false;
        body_line_ = false;
        closing_ = 0;
        closing_ended_ = false;
        line_blank_ = true;
        indent_ = 0;
        return;
    }
    if (fence_info_ || body_line_) {
        line_blank_ = false;
        return;
    }
    if (c == fence_ && !closing_ended_) {
        ++closing_;
        line_blank_ = false;
    } else if (c == ' ' || c == '\t' || c == '\r') {
        closing_ended_ = closing_ != 0;
        indent_ += closing_ == 0 ? (c == '\t' ? code_indent : 1) : 0;
    } else {
        body_line_ = true;
        line_blank_ = false;
    }
    if (indent_ >= code_indent) {
        body_line_ = true;
    }
}

void code_context::new_line() {
    if (line_blank_) {
        drop_inline();
    }
    after_blank_line_ = line_blank_ && text_seen_;
    line_blank_ = true;
    indent_ = 0;
}

std::size_t code_context::skip_fenced(std::string_view text) const {
    if (fence_ == 0 || !(fence_info_ || body_line_) || (fence_info_ && fence_ == '`')) {
        return 0;
    }
    const auto line_end = text.find('\n');
    return line_end == std::string_view::npos ? text.size() : line_end;
}

void inline_watch::begin(std::size_t run_length) {
    length_ = run_length;
    run_ = 0;
    line_blank_ = false;
}

inline_watch::answer inline_watch::step(char c) {
    if (c == '`') {
        ++run_;
        line_blank_ = false;
        return answer::open;
    }
    const bool closes = run_ == length_;
    run_ = 0;
    if (closes) {
        return answer::code;
    }
    if (c == '\n') {
        const bool blank_line = line_blank_;
        line_blank_ = true;
        return blank_line ? answer::markup : answer::open;
    }
    line_blank_ = line_blank_ && (c == ' ' || c == '\t' || c == '\r');
    return answer::open;
}

inline_watch::answer inline_watch::finish() {
    return run_ == length_ ? answer::code : answer::markup;
}

} // namespace proxy::scaffold
