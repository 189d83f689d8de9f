#include "proxy/scaffold/payload_tag_reader.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_bytes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace proxy::scaffold {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view wide_bar = "\xEF\xBD\x9C";   // U+FF5C
constexpr std::string_view double_bar = "\xE2\x80\x96"; // U+2016

constexpr std::array words = {
    std::pair{"parameter"sv, tag_word::parameter},
    std::pair{"param"sv, tag_word::parameter},
    std::pair{"invoke"sv, tag_word::call},
    std::pair{"function"sv, tag_word::call},
    std::pair{"tool_call"sv, tag_word::wrapper},
    std::pair{"tool_calls"sv, tag_word::wrapper},
    std::pair{"tool-call"sv, tag_word::wrapper},
    std::pair{"toolcall"sv, tag_word::wrapper},
    std::pair{"toolcalls"sv, tag_word::wrapper},
    std::pair{"TOOLCALL"sv, tag_word::wrapper},
    std::pair{"function_call"sv, tag_word::wrapper},
    std::pair{"function_calls"sv, tag_word::wrapper},
    std::pair{"functioncall"sv, tag_word::wrapper},
    std::pair{"functioncalls"sv, tag_word::wrapper},
    std::pair{"dots_function_call"sv, tag_word::wrapper},
    std::pair{"longcat_tool_call"sv, tag_word::wrapper},
    std::pair{"arg_key"sv, tag_word::arg_key},
    std::pair{"arg_value"sv, tag_word::arg_value},
    std::pair{"longcat_arg_key"sv, tag_word::arg_key},
    std::pair{"longcat_arg_value"sv, tag_word::arg_value},
    std::pair{"tool_sep"sv, tag_word::tool_sep},
};

tag_word word_of(std::string_view base) {
    const auto* found = std::find_if(words.begin(), words.end(),
                                     [base](const auto& known) { return known.first == base; });
    return found == words.end() ? tag_word::other : found->second;
}

std::size_t bar_length(std::string_view text) {
    if (text.starts_with('|')) {
        return 1;
    }
    return text.starts_with(wide_bar) || text.starts_with(double_bar) ? wide_bar.size() : 0;
}

/// Passes bars with the white space around them; true if there was a bar.
bool pass_bars(std::string_view& text) {
    std::size_t at = 0;
    bool bars = false;
    while (at < text.size()) {
        const std::size_t length = bar_length(text.substr(at));
        if (length == 0 && !is_space(text[at])) {
            break;
        }
        bars = bars || length != 0;
        at += std::max<std::size_t>(length, 1);
    }
    if (bars) {
        text.remove_prefix(at);
    }
    return bars;
}

bool is_word_byte(char c) {
    return is_name_start(c) || c == '-' || c == '.';
}

std::string_view take_word(std::string_view& text) {
    const auto* end = std::find_if_not(text.begin(), text.end(), is_word_byte);
    const std::string_view word{text.data(), static_cast<std::size_t>(end - text.begin())};
    text.remove_prefix(word.size());
    return word;
}

/// Takes the base word off `text`: the first known one behind any namespaces, else the last one.
std::string_view take_base(std::string_view& text) {
    pass_bars(text);
    std::string_view base = take_word(text);
    for (unsigned passed = 0; passed < limits::tag_namespaces_max; ++passed) {
        if (base.empty() || word_of(base) != tag_word::other) {
            break;
        }
        std::string_view rest = text;
        const bool colon = rest.starts_with(':');
        if (colon) {
            rest.remove_prefix(1);
        }
        if (!pass_bars(rest) && !colon) {
            break;
        }
        base = take_word(rest);
        text = rest;
    }
    return base;
}

void pass_spaces(std::string_view& text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
}

/// The value at the begin of `text`, quoted (also with the quote escaped) or bare.
std::string_view take_value(std::string_view& text) {
    if (text.starts_with('\\')) {
        text.remove_prefix(1);
    }
    const char quote = text.empty() ? '\0' : text.front();
    if (quote != '"' && quote != '\'') {
        const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
        const std::string_view value = text.substr(0, end);
        text.remove_prefix(end);
        return value;
    }
    const std::size_t end = std::min(text.find(quote, 1), text.size());
    std::string_view value = text.substr(1, end - 1);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (value.ends_with('\\')) {
        value.remove_suffix(1);
    }
    return value;
}

/// The value of the attribute `name` or `tool` in `text`.
std::string_view name_attribute(std::string_view text) {
    while (!text.empty()) {
        pass_spaces(text);
        const std::string_view attribute = take_word(text);
        pass_spaces(text);
        if (!text.starts_with('=')) {
            if (attribute.empty()) {
                return {};
            }
            continue;
        }
        text.remove_prefix(1);
        pass_spaces(text);
        const std::string_view value = take_value(text);
        if (attribute == "name" || attribute == "tool") {
            return value;
        }
    }
    return {};
}

} // namespace

std::optional<tag> read_tag(std::string_view raw) {
    if (raw.size() < 3 || raw.front() != '<' || raw.back() != '>') {
        return std::nullopt;
    }
    std::string_view inner = raw.substr(1, raw.size() - 2);
    tag found;
    found.closing = inner.starts_with('/');
    if (found.closing) {
        inner.remove_prefix(1);
    }
    found.self_closing = inner.ends_with('/');
    if (found.self_closing) {
        inner.remove_suffix(1);
    }
    found.base = take_base(inner);
    if (found.base.empty()) {
        return std::nullopt;
    }
    found.word = word_of(found.base);
    found.attributes = !inner.empty();
    if (inner.starts_with('=')) {
        inner.remove_prefix(1);
        pass_spaces(inner);
        found.name = take_value(inner);
    } else {
        found.name = name_attribute(inner);
    }
    if (found.word == tag_word::wrapper && !found.name.empty()) {
        found.word = tag_word::call;
    }
    return found;
}

tag_reader::verdict tag_reader::take(char c) {
    if (bytes_.empty()) {
        if (c != '<') {
            return verdict::text;
        }
        bytes_ = "<";
        return verdict::inside;
    }
    if (!may_follow(c)) {
        return verdict::no_tag;
    }
    bytes_ += c;
    return c == '>' && quote_ == 0 ? verdict::whole : verdict::inside;
}

void tag_reader::seed(std::string_view opener) {
    reset();
    for (const char c : opener) {
        take(c);
    }
}

void tag_reader::reset() {
    bytes_.clear();
    quote_ = 0;
}

bool tag_reader::may_follow(char c) {
    if (c == '<' || bytes_.size() >= limits::tag_bytes_max) {
        return false;
    }
    const std::string_view begun = bytes_;
    const bool bar = c == '|' || c == wide_bar.front() || c == double_bar.front();
    if (begun == "<" || begun == "</") {
        const bool blank = c == ' ' || c == '\n';
        return is_name_start(c) || bar || blank || (c == '/' && begun.size() == 1);
    }
    if (is_space(begun.back()) && begun.find_first_not_of("</ \n") == std::string_view::npos) {
        return bar; // "< |DSML|invoke" was seen, "< invoke" is a comparison
    }
    if (quote_ != 0) {
        quote_ = c == quote_ ? '\0' : quote_;
        return true;
    }
    const bool opens_quote = (c == '"' || c == '\'') && bytes_.ends_with('=');
    quote_ = opens_quote ? c : '\0';
    return true;
}

} // namespace proxy::scaffold
