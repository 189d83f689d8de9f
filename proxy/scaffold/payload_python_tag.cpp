#include "proxy/scaffold/payload_python_tag.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>
#include <array>

namespace proxy::scaffold {

namespace {

constexpr std::array<std::string_view, 2> message_ends = {"<|eom_id|>", "<|eot_id|>"};

enum class verdict : std::uint8_t { code, unclear, prose };

/// Takes a dotted name off `text`.
std::string_view take_name(std::string_view& text) {
    const auto* end = std::find_if_not(text.begin(), text.end(),
                                       [](char c) { return is_name_start(c) || c == '.'; });
    const std::string_view name{text.data(), static_cast<std::size_t>(end - text.begin())};
    text.remove_prefix(name.size());
    return name;
}

bool take_spaces(std::string_view& text) {
    const std::size_t count = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(count);
    return count != 0;
}

verdict judge_import(std::string_view text) {
    take_name(text);
    if (text.empty()) {
        return verdict::unclear;
    }
    constexpr std::string_view as = " as ";
    if (text.starts_with(as) || std::string_view{"\n,;"}.find(text.front()) != std::string::npos) {
        return verdict::code;
    }
    return as.starts_with(text) ? verdict::unclear : verdict::prose;
}

verdict judge_from(std::string_view text) {
    take_name(text);
    constexpr std::string_view import = " import ";
    if (text.starts_with(import)) {
        return verdict::code;
    }
    return import.starts_with(text) ? verdict::unclear : verdict::prose;
}

/// Is this the begin of a Python program? Only what no sentence begins with counts.
verdict judge(std::string_view text) {
    if (text.starts_with('#')) {
        return verdict::code;
    }
    const std::string_view word = take_name(text);
    const bool spaced = take_spaces(text);
    if (text.empty()) {
        return word.empty() ? verdict::prose : verdict::unclear;
    }
    if (text.front() == '=' && !word.empty()) {
        return text.size() < 2 ? verdict::unclear : text[1] == '=' ? verdict::prose : verdict::code;
    }
    if (!spaced) {
        return text.front() == '(' && !word.empty() ? verdict::code : verdict::prose;
    }
    if (word == "import") {
        return judge_import(text);
    }
    if (word == "from") {
        return judge_from(text);
    }
    if (word == "def" || word == "class") {
        take_name(text);
        const bool head = text.starts_with('(') || text.starts_with(':');
        return text.empty() ? verdict::unclear : head ? verdict::code : verdict::prose;
    }
    return verdict::prose;
}

} // namespace

step python_tag_scanner::take(char c) {
    switch (phase_) {
    case phase::waiting:
        return take_waiting(c);
    case phase::list:
        return take_list(c);
    case phase::json:
        return pass_on(json_, c);
    case phase::call:
        return take_call(c);
    case phase::head:
        return take_head(c);
    case phase::code:
        return take_code(c);
    }
    return step::broken;
}

bool python_tag_scanner::whole_at_end() {
    switch (phase_) {
    case phase::waiting:
    case phase::list:
        return false;
    case phase::json: {
        const bool whole = json_.whole_at_end();
        tail_ = json_.tail();
        return whole;
    }
    case phase::call: {
        const bool whole = call_.whole_at_end();
        tail_ = call_.tail();
        return whole || (!confirmed() && !apart_ && judge(head_ + "\n") == verdict::code);
    }
    case phase::head:
        return judge(head_ + "\n") == verdict::code;
    case phase::code:
        tail_ = 0;
        return true;
    }
    return false;
}

std::size_t python_tag_scanner::skip(std::string_view text) const {
    switch (phase_) {
    case phase::waiting:
    case phase::list:
    case phase::call:
    case phase::head:
        return 0;
    case phase::json:
        return json_.skip(text);
    case phase::code:
        return mark_.empty() ? std::min(text.find('<'), text.size()) : 0;
    }
    return 0;
}

std::string_view python_tag_scanner::name() const {
    return phase_ == phase::json ? json_.name() : call_.name();
}

step python_tag_scanner::take_waiting(char c) {
    if (is_space(c)) {
        apart_ = c == ' ';
        return step::more;
    }
    if (c == '{' || c == '`') {
        phase_ = phase::json;
        return pass_on(json_, c);
    }
    begin();
    head_ = c;
    if (c == '[') {
        phase_ = phase::list;
        return step::more;
    }
    if (is_letter(c) || c == '_') {
        phase_ = phase::call;
        return pass_on(call_, c);
    }
    phase_ = phase::head;
    head_.clear();
    return take_head(c);
}

step python_tag_scanner::take_list(char c) {
    if (is_space(c)) {
        return step::more;
    }
    const bool calls = is_letter(c) || c == '_';
    byte_scanner& inner = calls ? static_cast<byte_scanner&>(call_) : json_;
    phase_ = calls ? phase::call : phase::json;
    const step opened = pass_on(inner, '[');
    return opened == step::more ? pass_on(inner, c) : opened;
}

/// A call, as long as it stays one; else perhaps the begin of a program.
step python_tag_scanner::take_call(char c) {
    const step result = pass_on(call_, c);
    if (confirmed() && call_.name() != "print") {
        return result;
    }
    if (result == step::broken || confirmed()) {
        phase_ = phase::head;
        return take_head(c);
    }
    if (head_.size() <= limits::name_bytes_max) {
        head_ += c;
    }
    return result;
}

step python_tag_scanner::take_head(char c) {
    head_ += c;
    const verdict found = apart_ ? verdict::prose : judge(head_);
    if (found == verdict::prose || head_.size() > limits::name_bytes_max) {
        return step::broken;
    }
    if (found == verdict::code) {
        confirm();
        phase_ = phase::code;
    }
    return step::more;
}

step python_tag_scanner::take_code(char c) {
    mark_ += c;
    const auto begins = [this](std::string_view token) { return token.starts_with(mark_); };
    if (std::none_of(message_ends.begin(), message_ends.end(), begins)) {
        mark_.assign(c == '<' ? 1U : 0U, c);
        return step::more;
    }
    if (mark_.size() < message_ends.front().size()) {
        return step::more;
    }
    tail_ = mark_.size();
    return step::done;
}

step python_tag_scanner::pass_on(byte_scanner& inner, char c) {
    const step result = inner.take(c);
    if (inner.state() == payload_state::confirmed) {
        confirm();
    }
    begin();
    tail_ = inner.tail();
    return result;
}

} // namespace proxy::scaffold
