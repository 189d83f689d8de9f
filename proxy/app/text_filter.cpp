#include "proxy/app/text_filter.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/base/text.hpp"

namespace proxy::app {

void strip_summary::add(const scaffold::span& found) {
    ++spans;
    chars += found.chars;
    formats.insert(found.fmt != nullptr ? found.fmt->name : std::string(found.rule));
}

text_filter::text_filter(const scaffold::catalog& formats, const scaffold::context& context,
                         strip_summary& summary)
    : filter_(formats, context), summary_(summary) {}

void text_filter::feed(std::string_view text, std::string& out) {
    held_ += text;
    filter_.feed(text, decided_);
    settle(out);
}

void text_filter::finish(std::string& out) {
    filter_.finish(decided_);
    settle(out);
    if (!stripped_) {
        out += leading_;
    }
    leading_.clear();
}

void text_filter::settle(std::string& out) {
    std::size_t at = 0;
    for (const scaffold::run& decided : decided_.runs) {
        const std::string_view text = std::string_view(held_).substr(at, decided.bytes);
        if (decided.kind == scaffold::run_kind::strip) {
            stripped_ = true;
        } else {
            keep(text, decided.kind == scaffold::run_kind::reasoning, out);
        }
        at += decided.bytes;
    }
    held_.erase(0, at);
    for (const scaffold::span& found : decided_.spans) {
        summary_.add(found);
    }
    decided_.clear();
}

// White space before the first visible byte waits; a think block is let through but is not visible.
void text_filter::keep(std::string_view text, bool reasoning, std::string& out) {
    if (!open_ && !reasoning && base::is_blank(text) &&
        leading_.size() + text.size() <= limits::leading_space_bytes_max) {
        leading_ += text;
        return;
    }
    out += leading_;
    leading_.clear();
    out += text;
    open_ = open_ || !reasoning;
}

} // namespace proxy::app
