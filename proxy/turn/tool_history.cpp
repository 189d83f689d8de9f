#include "proxy/turn/tool_history.hpp"

#include "proxy/json/escape.hpp"

#include <optional>
#include <string>

namespace proxy::turn {

namespace {

std::optional<json::value_view> member(json::value_view object, std::string_view key) {
    const auto found = json::find_last(object, key);
    return found ? std::optional(found->value) : std::nullopt;
}

bool is_call_member(std::string_view key) {
    return json::equals(key, "tool_calls") || json::equals(key, "function_call");
}

bool is_result_member(std::string_view key) {
    return json::equals(key, "tool_call_id") || json::equals(key, "name");
}

void add_name(std::string& names, json::value_view function) {
    if (function.kind != json::kind::object) {
        return;
    }
    const auto name = member(function, "name");
    if (name && name->kind == json::kind::string) {
        names += names.empty() ? "" : ", ";
        names += json::unescape(name->inside());
    }
}

std::string called_names(json::value_view message) {
    std::string names;
    if (const auto calls = member(message, "tool_calls");
        calls && calls->kind == json::kind::array) {
        json::array_walker walker(*calls);
        while (const auto call = walker.next()) {
            const auto function =
                call->kind == json::kind::object ? member(*call, "function") : std::nullopt;
            if (function) {
                add_name(names, *function);
            }
        }
    }
    if (const auto call = member(message, "function_call")) {
        add_name(names, *call);
    }
    return names;
}

bool has_text(const std::optional<json::value_view>& content) {
    return content && ((content->kind == json::kind::string && !content->inside().empty()) ||
                       content->kind == json::kind::array);
}

void flatten_assistant(body_editor& edit, json::value_view message) {
    const auto calls = member(message, "tool_calls");
    const auto call = member(message, "function_call");
    if ((!calls || calls->is_null()) && (!call || call->is_null())) {
        return;
    }
    const auto content = member(message, "content");
    if (!has_text(content)) {
        const std::string text = body_editor::quoted("I used a tool: " + called_names(message));
        if (content) {
            edit.replace(content->raw, text);
        } else {
            edit.insert(message.raw.data() + 1, "\"content\":" + text + ",");
        }
    }
    edit.remove_members(message, is_call_member);
}

void flatten_result(body_editor& edit, json::value_view message, json::value_view role) {
    constexpr std::string_view says = "Result of the tool: ";
    edit.replace(role.raw, "\"user\"");
    const auto content = member(message, "content");
    if (content && content->kind == json::kind::string) {
        edit.insert(content->inside().data(), says);
    } else if (content && content->kind == json::kind::array) {
        std::string part = "{\"type\":\"text\",\"text\":" + body_editor::quoted(says) + "}";
        part += json::array_walker(*content).next() ? "," : "";
        edit.insert(content->raw.data() + 1, part);
    } else if (content) {
        edit.replace(content->raw, body_editor::quoted(std::string(says) + "none"));
    } else {
        edit.insert(message.raw.data() + 1,
                    "\"content\":" + body_editor::quoted(std::string(says) + "none") + ",");
    }
    edit.remove_members(message, is_result_member);
}

} // namespace

void flatten_tool_history(body_editor& edit, std::string_view messages) {
    const auto list = json::read_value(messages);
    if (!list || list->kind != json::kind::array) {
        return;
    }
    json::array_walker walker(*list);
    while (const auto message = walker.next()) {
        if (message->kind != json::kind::object) {
            continue;
        }
        const auto role = member(*message, "role");
        if (!role || role->kind != json::kind::string) {
            continue;
        }
        if (json::equals(role->inside(), "assistant")) {
            flatten_assistant(edit, *message);
        } else if (json::equals(role->inside(), "tool") ||
                   json::equals(role->inside(), "function")) {
            flatten_result(edit, *message, *role);
        }
    }
}

} // namespace proxy::turn
