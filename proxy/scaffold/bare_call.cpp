#include "proxy/scaffold/bare_call.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace proxy::scaffold {

namespace {

constexpr std::string_view between_calls = " \t\r\n,;";

template <std::size_t N>
bool is_one_of(std::string_view key, const std::array<std::string_view, N>& keys) {
    return std::ranges::any_of(keys, [key](std::string_view k) { return json::equals(key, k); });
}

constexpr std::array<std::string_view, 3> name_keys = {"name", "tool_name", "function_name"};
constexpr std::array<std::string_view, 4> argument_keys = {"arguments", "parameters", "args",
                                                           "input"};
constexpr std::array<std::string_view, 4> other_keys = {"id", "type", "index", "tool_call_id"};

bool is_schema(json::value_view object) {
    return json::find_last(object, "type") && json::find_last(object, "properties");
}

/// Arguments: an object that is no schema, or a string that holds an object.
bool are_arguments(const json::value_view& value) {
    if (value.kind == json::kind::string) {
        const auto text = json::unescape(value.inside());
        const auto inner = json::read_value(text);
        return inner && inner->kind == json::kind::object;
    }
    return value.kind == json::kind::object && !is_schema(value);
}

bool is_call(json::value_view object, const context& ctx, bool inner);

bool are_calls(const json::value_view& list, const context& ctx) {
    if (list.kind != json::kind::array) {
        return false;
    }
    json::array_walker walker(list);
    bool any = false;
    while (const auto element = walker.next()) {
        if (!is_call(*element, ctx, false)) {
            return false;
        }
        any = true;
    }
    return any;
}

bool is_call(json::value_view object, const context& ctx, bool inner) {
    if (object.kind != json::kind::object) {
        return false;
    }
    bool named = false;
    bool has_arguments = false;
    json::object_walker walker(object);
    while (const auto m = walker.next()) {
        if (is_one_of(m->key, name_keys)) {
            named = ctx.declared(json::unescape(m->value.inside()));
        } else if (is_one_of(m->key, argument_keys)) {
            has_arguments = are_arguments(m->value);
        } else if (!inner && json::equals(m->key, "function")) {
            named = has_arguments =
                is_call(m->value, ctx, true) || ctx.declared(json::unescape(m->value.inside()));
        } else if (!inner && json::equals(m->key, "tool_calls")) {
            named = has_arguments = are_calls(m->value, ctx);
        } else if (!is_one_of(m->key, other_keys)) {
            return false;
        }
    }
    return named && has_arguments;
}

} // namespace

bool is_bare_call(std::string_view text, const context& ctx) {
    // Several objects may follow each other: walked as the elements of one list.
    std::string list = "[";
    unsigned depth = 0;
    bool in_string = false;
    bool escaped = false;
    for (const char c : text) {
        const bool between = depth == 0 && between_calls.find(c) != std::string_view::npos;
        if (between) {
            continue;
        }
        if (depth == 0 && list.size() > 1) {
            list += ',';
        }
        list += c;
        if (in_string) {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && depth != 0) {
            --depth;
        }
    }
    list += ']';
    const auto value = json::read_value(list);
    if (!value) {
        return false;
    }
    json::array_walker walker(*value);
    bool any = false;
    while (const auto element = walker.next()) {
        if (!is_call(*element, ctx, false) && !are_calls(*element, ctx)) {
            return false;
        }
        any = true;
    }
    return any;
}

name_match match_name(const context& ctx, std::string_view text, std::string_view ends, bool last) {
    using answer = name_match::answer;
    text = text.substr(0, limits::name_bytes_max + 1);
    const auto length = std::min(text.find_first_of(ends), text.size());
    const auto word = text.substr(0, length);
    if (length < text.size()) {
        return {ctx.declared(word) ? answer::yes : answer::no, length};
    }
    const auto next = std::ranges::lower_bound(ctx.names, word);
    const bool open = next != ctx.names.end() && next->starts_with(word) && !last;
    return {open ? answer::more : answer::no, 0};
}

} // namespace proxy::scaffold
