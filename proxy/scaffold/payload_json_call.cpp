// What makes a JSON object a call: its keys, its name, and what it must not be.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_json.hpp"

#include <algorithm>
#include <array>

namespace proxy::scaffold {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 4> name_keys = {"name", "tool_name", "function_name",
                                                       "tool"};
constexpr std::array<std::string_view, 9> argument_keys = {
    "arguments", "parameters", "args", "input", "type", "id", "tool_call_id", "index", "params"};

} // namespace

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
    // Without an opener to vouch for it, an object with any other key is an answer (D7).
    const bool strict = fmt_ != nullptr && fmt_->cls == format_class::shaped;
    return last_key_ != key_kind::other || (!first && !strict) || is_sentinel(fmt_);
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
    const bool lists =
        fmt_ != nullptr && std::ranges::find(fmt_->list_keys, key) != fmt_->list_keys.end();
    if (lists || key == "tool_calls") {
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
