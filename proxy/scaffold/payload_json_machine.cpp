#include "proxy/scaffold/payload_json_machine.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_bytes.hpp"

#include <algorithm>
#include <array>

namespace proxy::scaffold {

namespace {

constexpr std::array<std::string_view, 7> literals = {"true",  "false", "null", "True",
                                                      "False", "None",  "NaN"};

bool is_number_byte(char c) {
    return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

bool begins_literal(std::string_view word) {
    return std::any_of(literals.begin(), literals.end(),
                       [word](std::string_view known) { return known.starts_with(word); });
}

bool is_literal(std::string_view word) {
    return std::find(literals.begin(), literals.end(), word) != literals.end();
}

} // namespace

bool json_machine::take(char c) {
    event_ = json_event::none;
    switch (place_) {
    case place::root:
        return c == '{' ? open(true) : c == '[' && open(false);
    case place::first_key:
    case place::next_key:
        return is_space(c) || take_key_place(c);
    case place::colon:
        if (c == ':') {
            place_ = place::value;
            event_ = json_event::key;
        }
        return c == ':' || is_space(c);
    case place::value:
    case place::element:
        return is_space(c) || take_value(c);
    case place::behind_value:
        return is_space(c) || take_behind_value(c);
    case place::string:
    case place::escape:
        return take_in_string(c);
    case place::number:
        if (is_number_byte(c)) {
            return true;
        }
        place_ = place::behind_value;
        return is_space(c) || take_behind_value(c);
    case place::literal:
        return take_in_literal(c);
    case place::whole:
        return false;
    }
    return false;
}

bool json_machine::behind_value() const {
    return place_ == place::behind_value || place_ == place::number ||
           (place_ == place::literal && is_literal(text_));
}

std::size_t json_machine::skip(std::string_view text) const {
    return text_.size() <= limits::name_bytes_max ? 0 : plain_length(text);
}

std::size_t json_machine::run(std::string_view text) {
    const auto length = plain_length(text);
    if (length != 0) {
        keep(text.substr(0, length));
    }
    return length;
}

std::size_t json_machine::plain_length(std::string_view text) const {
    if (place_ != place::string) {
        return 0;
    }
    const auto end =
        std::find_if(text.begin(), text.end(), [this](char c) { return c == quote_ || c == '\\'; });
    return static_cast<std::size_t>(end - text.begin());
}

bool json_machine::take_key_place(char c) {
    switch (c) {
    case '"':
    case '\'':
        begin_string(c, true);
        return true;
    case '}':
        return close(c);
    case '{': // a template's doubled brace that was meant to be one
        return place_ == place::first_key && open(true);
    default:
        return false;
    }
}

bool json_machine::take_value(char c) {
    if (c == '"' || c == '\'') {
        begin_string(c, false);
        return true;
    }
    if (c == '{' || c == '[') {
        return open(c == '{');
    }
    if (c == ']' && place_ == place::element) {
        return close(c);
    }
    event_ = json_event::scalar;
    if (is_digit(c) || c == '-') {
        place_ = place::number;
        return true;
    }
    text_.assign(1, c);
    place_ = place::literal;
    return begins_literal(text_);
}

bool json_machine::take_behind_value(char c) {
    if (c == ',') {
        place_ = in_object() ? place::next_key : place::element;
        return true;
    }
    if (c == '}' && !in_object()) {
        return ++surplus_ <= limits::surplus_braces_max;
    }
    return (c == '}' || c == ']') && close(c);
}

bool json_machine::take_in_string(char c) {
    if (place_ == place::escape) {
        keep({&c, 1});
        place_ = place::string;
        return true;
    }
    if (c == quote_) {
        end_string();
        return true;
    }
    keep({&c, 1});
    if (c == '\\') {
        place_ = place::escape;
    }
    return true;
}

bool json_machine::take_in_literal(char c) {
    if (is_letter(c)) {
        text_ += c;
        return begins_literal(text_);
    }
    if (!is_literal(text_)) {
        return false;
    }
    place_ = place::behind_value;
    return is_space(c) || take_behind_value(c);
}

bool json_machine::open(bool object) {
    if (depth_ == limits::payload_depth_max) {
        return false;
    }
    objects_ = object ? objects_ | bit(depth_) : objects_ & ~bit(depth_);
    ++depth_;
    place_ = object ? place::first_key : place::element;
    event_ = json_event::opened;
    return true;
}

bool json_machine::close(char c) {
    if (c == ']') { // models forget braces before a bracket
        while (in_object()) {
            --depth_;
        }
        if (depth_ == 0) {
            return false;
        }
    }
    --depth_;
    place_ = depth_ == 0 ? place::whole : place::behind_value;
    event_ = json_event::closed;
    return true;
}

void json_machine::begin_string(char quote, bool is_key) {
    quote_ = quote;
    string_is_key_ = is_key;
    text_.clear();
    place_ = place::string;
}

void json_machine::end_string() {
    if (string_is_key_) {
        key_ = text_;
        place_ = place::colon;
        return;
    }
    place_ = place::behind_value;
    event_ = json_event::string;
}

void json_machine::keep(std::string_view bytes) {
    const auto room = limits::name_bytes_max + 1 - text_.size(); // it never holds more
    text_ += bytes.substr(0, room);
}

} // namespace proxy::scaffold
