#include "proxy/json/scan.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/json/escape.hpp"

#include <bitset>

namespace proxy::json {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t skip_space(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at])) {
        ++at;
    }
    return at;
}

constexpr std::size_t broken = std::string_view::npos;

/// The offset behind the string whose opening quote is at `at`, or broken. Linear: the runs of
/// backslashes in front of two quotes never overlap.
std::size_t skip_string(std::string_view text, std::size_t at) {
    const std::size_t begin = at + 1;
    for (std::size_t quote = text.find('"', begin); quote != broken;
         quote = text.find('"', quote + 1)) {
        std::size_t run = quote;
        while (run > begin && text[run - 1] == '\\') {
            --run;
        }
        if ((quote - run) % 2 == 0) {
            return quote + 1;
        }
    }
    return broken;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) {
        ++at;
    }
    return at;
}

/// The offset behind the number at `at` (RFC 8259 section 6), or broken.
std::size_t skip_number(std::string_view text, std::size_t at) {
    if (text[at] == '-') {
        ++at;
    }
    std::size_t end = skip_digits(text, at);
    if (end == at || (text[at] == '0' && end > at + 1)) {
        return broken;
    }
    if (end < text.size() && text[end] == '.') {
        at = end + 1;
        end = skip_digits(text, at);
        if (end == at) {
            return broken;
        }
    }
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        at = end + 1;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
            ++at;
        }
        end = skip_digits(text, at);
        if (end == at) {
            return broken;
        }
    }
    return end;
}

std::size_t skip_literal(std::string_view text, std::size_t at) {
    for (const std::string_view word : {"true", "false", "null"}) {
        if (text.substr(at, word.size()) == word) {
            return at + word.size();
        }
    }
    return broken;
}

std::size_t skip_scalar(std::string_view text, std::size_t at) {
    if (text[at] == '"') {
        return skip_string(text, at);
    }
    if (text[at] == '-' || is_digit(text[at])) {
        return skip_number(text, at);
    }
    return skip_literal(text, at);
}

kind kind_of(char first) {
    switch (first) {
    case '{':
        return kind::object;
    case '[':
        return kind::array;
    case '"':
        return kind::string;
    case 't':
    case 'f':
    case 'n':
        return kind::literal;
    default:
        return kind::number;
    }
}

/// Checks one value without recursion: a bit for each open bracket says whether it is an object.
class checker {
  public:
    explicit checker(std::string_view text) : text_(text) {}

    /// The offset behind the value at `at`, or broken.
    std::size_t run(std::size_t at) {
        at = begin_value(at);
        while (at != broken && depth_ > 0) {
            at = behind_value(at);
        }
        return at;
    }

  private:
    /// Reads a scalar or goes into brackets as far as the first scalar or empty pair.
    std::size_t begin_value(std::size_t at) {
        while (true) {
            at = skip_space(text_, at);
            if (at == text_.size()) {
                return broken;
            }
            if (text_[at] != '{' && text_[at] != '[') {
                return skip_scalar(text_, at);
            }
            if (depth_ == limits::json_depth_max) {
                return broken;
            }
            const bool object = text_[at] == '{';
            is_object_[depth_++] = object;
            at = skip_space(text_, at + 1);
            if (at < text_.size() && text_[at] == (object ? '}' : ']')) {
                --depth_;
                return at + 1;
            }
            if (object && (at = skip_key(at)) == broken) {
                return broken;
            }
        }
    }

    /// Behind a value inside of brackets: takes a comma and the next value, or the bracket.
    std::size_t behind_value(std::size_t at) {
        at = skip_space(text_, at);
        if (at == text_.size()) {
            return broken;
        }
        const bool object = is_object_[depth_ - 1];
        if (text_[at] == (object ? '}' : ']')) {
            --depth_;
            return at + 1;
        }
        if (text_[at] != ',') {
            return broken;
        }
        ++at;
        if (object && (at = skip_key(at)) == broken) {
            return broken;
        }
        return begin_value(at);
    }

    /// A key and its colon.
    std::size_t skip_key(std::size_t at) const {
        at = skip_space(text_, at);
        if (at == text_.size() || text_[at] != '"') {
            return broken;
        }
        at = skip_string(text_, at);
        if (at == broken) {
            return broken;
        }
        at = skip_space(text_, at);
        return at < text_.size() && text_[at] == ':' ? at + 1 : broken;
    }

    std::string_view text_;
    std::bitset<limits::json_depth_max> is_object_;
    std::size_t depth_ = 0;
};

/// The offset behind a container that is known to be well formed: only brackets are counted.
std::size_t skip_container(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (true) {
        PROXY_ENSURE(at < text.size());
        const char c = text[at];
        if (c == '"') {
            at = skip_string(text, at);
            continue;
        }
        ++at;
        if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return at;
        }
    }
}

/// Takes the value at the front of `rest`, which is known to be well formed.
value_view take_value(std::string_view& rest) {
    const json::kind kind = kind_of(rest.front());
    const bool container = kind == kind::object || kind == kind::array;
    const std::size_t end = container ? skip_container(rest, 0) : skip_scalar(rest, 0);
    PROXY_ENSURE(end != broken);
    const value_view value{kind, rest.substr(0, end)};
    rest.remove_prefix(end);
    return value;
}

void drop_separators(std::string_view& rest) {
    while (!rest.empty() && (is_space(rest.front()) || rest.front() == ',')) {
        rest.remove_prefix(1);
    }
}

std::string_view inside_brackets(const value_view& value, json::kind kind) {
    PROXY_ENSURE(value.kind == kind && value.raw.size() >= 2);
    return value.raw.substr(1, value.raw.size() - 2);
}

} // namespace

std::string_view value_view::inside() const {
    return kind == kind::string ? raw.substr(1, raw.size() - 2) : std::string_view{};
}

std::optional<value_view> read_value(std::string_view text) {
    const std::size_t begin = skip_space(text, 0);
    const std::size_t end = checker(text).run(begin);
    if (end == broken || skip_space(text, end) != text.size()) {
        return std::nullopt;
    }
    return value_view{kind_of(text[begin]), text.substr(begin, end - begin)};
}

object_walker::object_walker(value_view object) : rest_(inside_brackets(object, kind::object)) {}

std::optional<member_view> object_walker::next() {
    drop_separators(rest_);
    if (rest_.empty()) {
        return std::nullopt;
    }
    const std::string_view from_key = rest_;
    const std::size_t key_end = skip_string(rest_, 0);
    PROXY_ENSURE(key_end != broken);
    rest_.remove_prefix(skip_space(rest_, skip_space(rest_, key_end) + 1)); // and the colon
    member_view member;
    member.key = from_key.substr(1, key_end - 2);
    member.value = take_value(rest_);
    member.whole = from_key.substr(0, from_key.size() - rest_.size());
    return member;
}

array_walker::array_walker(value_view array) : rest_(inside_brackets(array, kind::array)) {}

std::optional<value_view> array_walker::next() {
    drop_separators(rest_);
    if (rest_.empty()) {
        return std::nullopt;
    }
    return take_value(rest_);
}

std::optional<member_view> find_last(value_view object, std::string_view key) {
    std::optional<member_view> found;
    object_walker members(object);
    while (const auto member = members.next()) {
        if (equals(member->key, key)) {
            found = member;
        }
    }
    return found;
}

} // namespace proxy::json
