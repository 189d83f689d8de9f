#include "proxy/scaffold/payload_json.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>
#include <array>

namespace proxy::scaffold {

namespace {

constexpr unsigned surplus_max = 4;
constexpr unsigned info_bytes_max = 32;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 4> name_keys = {"name", "tool_name", "function_name",
                                                       "tool"};
constexpr std::array<std::string_view, 9> argument_keys = {
    "arguments", "parameters", "args", "input", "type", "id", "tool_call_id", "index", "params"};

} // namespace

bool fence_reader::take_opening(char c) {
    if (c == '`' && opened_ < 3) {
        ++opened_;
        in_info_ = opened_ == 3;
        return true;
    }
    if (in_info_ && (is_name_byte(c) || c == ' ')) {
        return ++info_bytes_ <= info_bytes_max;
    }
    if (!is_space(c) || (opened_ != 0 && opened_ != 3)) {
        return false;
    }
    in_info_ = false;
    return true;
}

bool fence_reader::take_closing(char c) {
    if (c != '`' || closed_ == 3) {
        return false;
    }
    ++closed_;
    return true;
}

step json_scanner::take(char c) {
    switch (phase_) {
    case phase::waiting:
        return take_waiting(c);
    case phase::inside:
        return take_inside(c);
    case phase::behind:
        return take_behind(c);
    }
    return step::broken;
}

std::size_t json_scanner::skip(std::string_view text) const {
    return phase_ == phase::inside ? json_.skip(text) : 0;
}

bool json_scanner::whole_at_end() {
    if (phase_ == phase::inside && following_ && !proved_) {
        tail_ = gap_; // a call, and then the begin of something else
        return true;
    }
    if (phase_ == phase::behind) {
        tail_ = gap_;
    }
    return phase_ == phase::behind;
}

step json_scanner::take_waiting(char c) {
    const bool opens = c == '{' || (c == '[' && shape_ != shape::any);
    if (opens && fence_.may_begin_payload()) {
        begin();
        phase_ = phase::inside;
        return take_inside(c);
    }
    if (!fence_.take_opening(c)) {
        return step::broken;
    }
    if (fence_.begun()) {
        begin();
    }
    return step::more;
}

step json_scanner::take_inside(char c) {
    // `{"name": "f", "arguments": {}</tool_call>`: a brace is missing, the call is not.
    const bool cut_short = c == '<' && json_.behind_value() && confirmed() && named_;
    if (cut_short) {
        tail_ = gap_;
        return step::back;
    }
    const bool tentative = following_ && !proved_;
    if (tentative && ++gap_ > limits::payload_tail_max) {
        return give_up();
    }
    if (!json_.take(c) || !judge_event()) {
        return give_up();
    }
    if (!tentative) {
        gap_ = json_.behind_value() && is_space(c) ? gap_ + 1 : 0;
    }
    if (json_.whole()) {
        phase_ = phase::behind;
        gap_ = 0;
        surplus_ = 0;
        separated_ = false;
    }
    return step::more;
}

/// What came is no call; if whole ones stand before it, they are the payload.
step json_scanner::give_up() {
    if (!following_) {
        return step::broken;
    }
    tail_ = proved_ ? 0 : gap_ - 1; // the byte that broke it was counted and is not taken
    return step::back;
}

step json_scanner::take_behind(char c) {
    if (c == '}' && !separated_ && ++surplus_ <= surplus_max) {
        return step::more;
    }
    if (fence_.open() && fence_.take_closing(c)) {
        ++gap_;
        return fence_.open() ? step::more : (gap_ = 0, step::done);
    }
    const bool between = is_space(c) || (shape_ == shape::list && (c == ',' || c == ';'));
    const bool looks_on = fence_.open() || shape_ == shape::list;
    if (between && looks_on && gap_ < limits::payload_gap_max) {
        separated_ = true;
        ++gap_;
        return step::more;
    }
    if (shape_ == shape::list && (c == '{' || c == '[') && fence_.closing_bytes() == 0) {
        return next_object(c);
    }
    tail_ = gap_;
    return step::back;
}

step json_scanner::next_object(char c) {
    json_ = json_machine{};
    call_depth_ = 0;
    fresh_ = true;
    named_ = false;
    schema_type_ = false;
    schema_properties_ = false;
    proved_ = false;
    following_ = true;
    phase_ = phase::inside;
    return take_inside(c);
}

bool json_scanner::judge_event() {
    switch (json_.event()) {
    case json_event::none:
        return true;
    case json_event::key:
        return judge_key();
    case json_event::string:
        return judge_string();
    case json_event::scalar:
        return shape_ == shape::any || json_.in_object() ||
               (call_depth_ != 0 && json_.depth() > call_depth_);
    case json_event::opened:
        return judge_opened();
    case json_event::closed:
        return judge_closed();
    }
    return false;
}

bool json_scanner::judge_key() {
    if (shape_ == shape::any) {
        named_ = true;
        proved_ = true;
        confirm();
        return true;
    }
    if (call_depth_ == 0) {
        call_depth_ = json_.depth();
    }
    if (json_.depth() != call_depth_) {
        return !declares();
    }
    const bool first = fresh_;
    fresh_ = false;
    if (shape_ == shape::single_key) {
        return first && set_name(json_.key());
    }
    last_key_ = kind_of(json_.key());
    if (last_key_ != key_kind::other) {
        proved_ = true;
        confirm();
    }
    return !first || last_key_ != key_kind::other || is_sentinel(fmt_);
}

bool json_scanner::judge_string() {
    if (shape_ == shape::any) {
        return true;
    }
    if (call_depth_ == 0 || json_.depth() < call_depth_) {
        return false; // an element that is no object
    }
    if (shape_ == shape::single_key) {
        return json_.depth() > call_depth_ || is_sentinel(fmt_);
    }
    const unsigned below = json_.depth() - call_depth_;
    if (declares()) {
        return false;
    }
    if (below == 0) {
        const bool names = last_key_ == key_kind::name || last_key_ == key_kind::function;
        return !names || set_name(json_.text());
    }
    const bool nested = (last_key_ == key_kind::function && below == 1) ||
                        (last_key_ == key_kind::calls && below <= 3);
    return !nested || !json_.in_object() || json_.key() != "name" || set_name(json_.text());
}

/// True for what declares a tool and calls none: a JSON Schema in the place of the arguments.
bool json_scanner::declares() {
    const unsigned level = call_depth_ + (last_key_ == key_kind::function ? 2 : 1);
    if (json_.depth() != level || !json_.in_object()) {
        return false;
    }
    const bool is_key = json_.event() == json_event::key;
    schema_type_ = schema_type_ || (!is_key && json_.key() == "type" && json_.text() == "object");
    schema_properties_ = schema_properties_ || (is_key && json_.key() == "properties");
    return schema_type_ && schema_properties_ && !is_sentinel(fmt_);
}

bool json_scanner::judge_opened() {
    if (shape_ == shape::any || call_depth_ == 0) {
        return true;
    }
    if (json_.depth() == call_depth_) {
        fresh_ = true;
        named_ = false;
        schema_type_ = false;
        schema_properties_ = false;
    }
    if (json_.depth() == call_depth_ + 1) {
        if (shape_ == shape::single_key) {
            proved_ = true;
            confirm();
        }
        named_ = named_ || last_key_ == key_kind::calls;
    }
    return true;
}

bool json_scanner::judge_closed() {
    if (shape_ == shape::any) {
        confirm(); // `{}`: no arguments
        return true;
    }
    if (call_depth_ == 0) {
        // An empty list or object is no evidence, save behind an unmistakable opener.
        if (json_.whole() && is_sentinel(fmt_)) {
            confirm();
            return true;
        }
        return !json_.whole() && json_.depth() != 0;
    }
    const bool call_closed = json_.depth() < call_depth_ && !fresh_;
    if (call_closed) {
        fresh_ = true;
        last_key_ = key_kind::other;
        const bool proved = named_ && (shape_ != shape::single_key || confirmed());
        return proved || is_sentinel(fmt_);
    }
    return true;
}

bool json_scanner::set_name(std::string_view text) {
    if (is_placeholder(text) || text.size() > limits::name_bytes_max) {
        return false;
    }
    named_ = true;
    if (name_.empty()) {
        name_ = text;
    }
    return true;
}

json_scanner::key_kind json_scanner::kind_of(std::string_view key) const {
    if (key == "function") {
        return key_kind::function;
    }
    if (key == "tool_calls") {
        return key_kind::calls;
    }
    if (is_one_of(key, name_keys)) {
        return key_kind::name;
    }
    if (fmt_ != nullptr &&
        std::find(fmt_->keys.begin(), fmt_->keys.end(), key) != fmt_->keys.end()) {
        return key_kind::name;
    }
    return is_one_of(key, argument_keys) ? key_kind::argument : key_kind::other;
}

} // namespace proxy::scaffold
