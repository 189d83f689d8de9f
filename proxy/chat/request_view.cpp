#include "proxy/chat/request_view.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <algorithm>
#include <set>

namespace proxy::chat {

namespace {

using json::kind;
using json::value_view;

bool is_object(const std::optional<json::member_view>& member) {
    return member && member->value.kind == kind::object;
}

std::optional<json::member_view> member_of(const value_view& value, std::string_view key) {
    return value.kind == kind::object ? json::find_last(value, key) : std::nullopt;
}

bool holds_string(const std::optional<json::member_view>& member, std::string_view text) {
    return member && member->value.kind == kind::string &&
           json::equals(member->value.inside(), text);
}

bool is_true(const value_view& value) {
    return value.raw == "true";
}

bool is_non_empty_array(const value_view& value) {
    return value.kind == kind::array && json::array_walker(value).next().has_value();
}

using name_set = std::set<std::string, std::less<>>;

/// Adds the string member `name` of `value`, if there is one. A name beyond the bounds is no
/// evidence of anything.
void add_name(const value_view& value, name_set& names) {
    const auto name = member_of(value, "name");
    if (!name || name->value.inside().empty() || names.size() == limits::tool_names_max) {
        return;
    }
    std::string text = json::unescape(name->value.inside());
    if (text.size() <= limits::name_bytes_max) {
        names.insert(std::move(text));
    }
}

/// Declared tools or made calls: `function.name`, or `name` in the flat form.
void add_function_names(const value_view& array, name_set& names) {
    json::array_walker elements(array);
    while (const auto element = elements.next()) {
        if (const auto function = member_of(*element, "function")) {
            add_name(function->value, names);
        }
        add_name(*element, names);
    }
}

content_kind content_of(const std::optional<json::member_view>& content) {
    if (!content || content->value.is_null()) {
        return content_kind::null_or_absent;
    }
    switch (content->value.kind) {
    case kind::string:
        return content_kind::string;
    case kind::array:
        return content_kind::parts;
    default:
        return content_kind::other;
    }
}

message_slot slot_of(const value_view& message) {
    const auto content = json::find_last(message, "content");
    return {message.raw, content_of(content), content ? content->value.raw : std::string_view{}};
}

/// Calls that an assistant message of the history made.
void read_calls(const value_view& message, request_view& out, name_set& names) {
    if (const auto calls = json::find_last(message, "tool_calls");
        calls && is_non_empty_array(calls->value)) {
        out.history_has_tools = true;
        add_function_names(calls->value, names);
    }
    if (const auto call = json::find_last(message, "function_call"); is_object(call)) {
        out.history_has_tools = true;
        add_name(call->value, names);
    }
}

void read_messages(const value_view& messages, request_view& out, name_set& names) {
    out.messages = messages.raw;
    json::array_walker elements(messages);
    bool leading = true;
    while (const auto message = elements.next()) {
        if (out.first_message.empty()) {
            out.first_message = message->raw;
        }
        out.last_message_is_tool = false;
        const auto role = member_of(*message, "role");
        leading = leading && (holds_string(role, "system") || holds_string(role, "developer"));
        if (leading) {
            out.system = slot_of(*message);
        } else if (holds_string(role, "tool") || holds_string(role, "function")) {
            out.history_has_tools = true;
            out.last_message_is_tool = true;
        } else if (holds_string(role, "assistant")) {
            read_calls(*message, out, names);
        }
    }
}

void read_declared(const value_view& tools, request_view& out, name_set& names) {
    if (is_non_empty_array(tools)) {
        out.declares_tools = true;
        add_function_names(tools, names);
    }
}

/// True if the answer was asked for in a JSON or grammar form.
bool asks_for_format(const value_view& response_format) {
    return response_format.kind == kind::object &&
           !holds_string(json::find_last(response_format, "type"), "text");
}

/// How often the members stand that a correction must find once.
struct copies {
    std::size_t messages = 0;
    std::size_t stream = 0;
    std::size_t n = 0;
};

/// The last copy of each member that read_request() looks at.
struct top_members {
    value_view messages, stream, stream_options, echo, model, tools, functions, response_format;
    bool json_answer = false;
    copies count;
};

bool is_format_key(std::string_view key) {
    static constexpr std::string_view keys[] = {"guided_json", "grammar", "json_schema",
                                                "guided_grammar", "structured_outputs"};
    return std::any_of(std::begin(keys), std::end(keys),
                       [&](std::string_view k) { return json::equals(key, k); });
}

top_members read_top(const value_view& body) {
    top_members top;
    const std::pair<std::string_view, value_view*> known[] = {
        {"messages", &top.messages},   {"stream", &top.stream},
        {"echo", &top.echo},           {"stream_options", &top.stream_options},
        {"model", &top.model},         {"tools", &top.tools},
        {"functions", &top.functions}, {"response_format", &top.response_format},
    };
    json::object_walker members(body);
    while (const auto member = members.next()) {
        for (const auto& [key, slot] : known) {
            if (json::equals(member->key, key)) {
                *slot = member->value;
            }
        }
        top.count.messages += json::equals(member->key, "messages") ? 1 : 0;
        top.count.stream += json::equals(member->key, "stream") ? 1 : 0;
        top.count.n += json::equals(member->key, "n") ? 1 : 0;
        top.json_answer |= is_format_key(member->key) && !member->value.is_null();
    }
    return top;
}

} // namespace

request_view read_request(std::string_view body) {
    request_view out;
    const auto value = json::read_value(body);
    if (!value || value->kind != kind::object) {
        return out;
    }
    out.is_object = true;
    const top_members top = read_top(*value);
    out.stream = is_true(top.stream);
    out.echo = is_true(top.echo);
    out.model = top.model.inside();
    const auto usage = member_of(top.stream_options, "include_usage");
    out.include_usage = usage && is_true(usage->value);
    out.json_answer = top.json_answer || asks_for_format(top.response_format);
    name_set names;
    read_declared(top.tools, out, names);
    read_declared(top.functions, out, names);
    if (top.messages.kind == kind::array) {
        read_messages(top.messages, out, names);
        out.correctable = top.count.messages == 1 && top.count.stream <= 1 && top.count.n <= 1;
    }
    out.tool_names.assign(names.begin(), names.end());
    return out;
}

bool tools_in_context(const request_view& request) {
    return request.declares_tools || request.history_has_tools;
}

} // namespace proxy::chat
