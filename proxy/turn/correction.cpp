#include "proxy/turn/correction.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"
#include "proxy/turn/body_editor.hpp"
#include "proxy/turn/tool_history.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace proxy::turn {

namespace {

constexpr std::string_view markup_line =
    "Your previous reply contained raw tool-call markup, which is not interpreted here. Answer the "
    "user's question directly in plain text — no tool syntax.";
constexpr std::string_view empty_line =
    "Your previous reply was empty. Answer the user's question directly in plain text.";

constexpr std::array<std::string_view, 5> removed_keys = {
    "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"};

bool is_removed(std::string_view key) {
    for (const std::string_view removed : removed_keys) {
        if (json::equals(key, removed)) {
            return true;
        }
    }
    return false;
}

bool is_empty_container(std::string_view raw) {
    return raw.substr(1).find_first_not_of(" \t\r\n") == raw.size() - 2;
}

// A text part behind the last one of a content list.
void append_part(body_editor& edit, std::string_view parts, std::string_view line) {
    std::string part = is_empty_container(parts) ? "" : ",";
    part += "{\"type\":\"text\",\"text\":" + body_editor::quoted(line) + "}";
    edit.insert(parts.data() + parts.size() - 1, part);
}

void add_system_message(body_editor& edit, const chat::request_view& request,
                        std::string_view line) {
    std::string message = "{\"role\":\"system\",\"content\":" + body_editor::quoted(line) + "}";
    if (!request.first_message.empty()) {
        message += ',';
    }
    edit.insert(request.messages.data() + 1, message);
}

void add_line(body_editor& edit, const chat::request_view& request, std::string_view line) {
    if (!request.system || request.system->content == chat::content_kind::other) {
        add_system_message(edit, request, line);
        return;
    }
    const chat::message_slot& slot = *request.system;
    switch (slot.content) {
    case chat::content_kind::string: {
        std::string text = "\\n";
        json::append_escaped(text, line);
        edit.insert(slot.content_raw.data() + slot.content_raw.size() - 1, text);
        return;
    }
    case chat::content_kind::parts:
        append_part(edit, slot.content_raw, line);
        return;
    case chat::content_kind::null_or_absent:
        if (!slot.content_raw.empty()) {
            edit.replace(slot.content_raw, body_editor::quoted(line));
        } else {
            edit.insert(slot.whole.data() + 1, "\"content\":" + body_editor::quoted(line) + ",");
        }
        return;
    case chat::content_kind::other:
        return;
    }
}

bool is_above(const json::value_view& value, std::uint64_t bound) {
    double number = 0;
    const auto result =
        std::from_chars(value.raw.data(), value.raw.data() + value.raw.size(), number);
    if (value.kind != json::kind::number) {
        return false;
    }
    if (result.ec == std::errc::result_out_of_range) {
        // Too small for a double, too, is no reason to raise a limit.
        return value.raw.front() != '-' && !value.raw.starts_with("0.") &&
               value.raw.find("e-") == std::string_view::npos &&
               value.raw.find("E-") == std::string_view::npos;
    }
    return number > static_cast<double>(bound);
}

// Lowers whichever limit the client used (all copies of it); inserts one where there is none.
void lower_max_tokens(body_editor& edit, json::value_view root, std::uint64_t bound) {
    bool found = false;
    std::string_view null_value;
    json::object_walker members(root);
    while (const auto member = members.next()) {
        if (!json::equals(member->key, "max_tokens") &&
            !json::equals(member->key, "max_completion_tokens")) {
            continue;
        }
        found = found || !member->value.is_null();
        null_value = member->value.is_null() ? member->value.raw : null_value;
        if (is_above(member->value, bound)) {
            edit.replace(member->value.raw, std::to_string(bound));
        }
    }
    if (!found && !null_value.empty()) {
        edit.replace(null_value, std::to_string(bound));
    } else if (!found) {
        edit.insert(root.raw.data() + 1, "\"max_tokens\":" + std::to_string(bound) + ",");
    }
}

void set_model(body_editor& edit, json::value_view root, std::string_view model) {
    bool found = false;
    json::object_walker members(root);
    while (const auto member = members.next()) {
        if (json::equals(member->key, "model")) {
            found = true;
            edit.replace(member->value.raw, body_editor::quoted(model));
        }
    }
    if (!found) {
        edit.insert(root.raw.data() + 1, "\"model\":" + body_editor::quoted(model) + ",");
    }
}

} // namespace

std::string_view correction_line(correction_reason reason) {
    return reason == correction_reason::markup ? markup_line : empty_line;
}

std::string build_correction(std::string_view body, const chat::request_view& request,
                             const correction_options& options) {
    PROXY_ENSURE(request.correctable);
    const auto root = json::read_value(body);
    PROXY_ENSURE(root && root->kind == json::kind::object);
    body_editor edit(body);
    if (options.max_tokens != 0) {
        lower_max_tokens(edit, *root, options.max_tokens);
    }
    edit.remove_members(*root, is_removed);
    if (!options.model.empty()) {
        set_model(edit, *root, options.model);
    }
    if (options.flatten_tool_history) {
        flatten_tool_history(edit, request.messages);
    }
    add_line(edit, request, correction_line(options.reason));
    return edit.result();
}

} // namespace proxy::turn
