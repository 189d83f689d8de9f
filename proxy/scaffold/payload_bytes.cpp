#include "proxy/scaffold/payload_bytes.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/folded_marks.hpp"

#include <algorithm>

namespace proxy::scaffold {

namespace {

std::size_t low_line_length(std::string_view text) {
    if (text.starts_with('_') || text.starts_with(' ')) {
        return 1;
    }
    if (text.starts_with("\\_")) {
        return 2;
    }
    return text.starts_with(low_block) ? low_block.size() : 0;
}

/// True for the begin of a bar or low line that the text cuts off.
bool is_cut_character(std::string_view text) {
    return wide_bar.starts_with(text) || double_bar.starts_with(text) ||
           low_block.starts_with(text) || text == "\\";
}

/// True for the first bytes of bars and low lines.
bool may_be_folded(char c) {
    return c == '|' || c == '_' || c == ' ' || c == '\\' || static_cast<unsigned char>(c) >= 0x80;
}

} // namespace

std::size_t byte_scanner::feed(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        at += run(text.substr(at));
        if (at == text.size()) {
            break;
        }
        switch (take(text[at])) {
        case step::more:
            ++at;
            break;
        case step::done:
            state_ = payload_state::complete;
            return at + 1;
        case step::back:
            state_ = payload_state::complete;
            return at;
        case step::broken:
            state_ = payload_state::broken;
            return at;
        }
    }
    return at;
}

void byte_scanner::finish() {
    const bool open = state_ != payload_state::complete && state_ != payload_state::broken;
    if (open && whole_at_end()) {
        state_ = payload_state::complete;
    }
}

std::size_t byte_scanner::skip(std::string_view) const {
    return 0;
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= limits::name_bytes_max && is_name_start(text.front()) &&
           std::all_of(text.begin(), text.end(), is_name_byte);
}

bool is_placeholder(std::string_view text) {
    return text.find_first_not_of(". \t\n") == std::string_view::npos || text == "…" ||
           text.find_first_of("<>{}[]") != std::string_view::npos;
}

bool is_sentinel(const format* fmt) {
    return fmt != nullptr && fmt->cls == format_class::sentinel;
}

std::string fold(std::string_view text) {
    std::string folded;
    folded.reserve(text.size());
    while (true) {
        const auto plain = std::find_if(text.begin(), text.end(), may_be_folded) - text.begin();
        folded.append(text.substr(0, static_cast<std::size_t>(plain)));
        text.remove_prefix(static_cast<std::size_t>(plain));
        if (text.empty()) {
            break;
        }
        std::size_t length = bar_length(text);
        if (length != 0) {
            text.remove_prefix(length);
            if (!folded.ends_with('|')) {
                folded += '|';
            }
            continue;
        }
        if (is_cut_character(text)) {
            break;
        }
        length = low_line_length(text);
        if (length == 0) {
            folded += text.front();
            text.remove_prefix(1);
            continue;
        }
        if (!(text.front() == ' ' && folded.ends_with('|'))) {
            folded += '_';
        }
        text.remove_prefix(length);
    }
    return folded;
}

} // namespace proxy::scaffold
