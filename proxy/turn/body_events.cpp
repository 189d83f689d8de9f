#include "proxy/turn/body_events.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"
#include "proxy/sse/event_writer.hpp"

#include <algorithm>

namespace proxy::turn {

namespace {

void append_member(std::string& out, std::string_view key, std::string_view raw) {
    out.append(out.back() == '{' ? "\"" : ",\"").append(key).append("\":").append(raw);
}

// Calls in a stream are numbered, so that their pieces can be put together.
std::string numbered_calls(json::value_view calls) {
    std::string out = "[";
    json::array_walker walker(calls);
    for (std::size_t i = 0; const auto call = walker.next(); ++i) {
        out += i > 0 ? "," : "";
        if (call->kind != json::kind::object || json::find_last(*call, "index")) {
            out += call->raw;
            continue;
        }
        const bool empty = !json::object_walker(*call).next();
        out += "{\"index\":" + std::to_string(i) + (empty ? "" : ",");
        out += call->raw.substr(1);
    }
    return out + "]";
}

// What a message says; its role has a chunk of its own, as in every stream.
std::string delta_of(json::value_view message) {
    std::string out = "{";
    json::object_walker members(message);
    while (const auto member = members.next()) {
        if (json::equals(member->key, "role")) {
            continue;
        }
        const bool calls =
            json::equals(member->key, "tool_calls") && member->value.kind == json::kind::array;
        append_member(out, member->key,
                      calls ? numbered_calls(member->value) : std::string(member->value.raw));
    }
    return out + "}";
}

// Everything at the top that holds for all chunks.
std::string head_of(json::value_view root) {
    std::string out = "{";
    json::object_walker members(root);
    while (const auto member = members.next()) {
        if (json::equals(member->key, "choices") || json::equals(member->key, "usage")) {
            continue;
        }
        const bool object = json::equals(member->key, "object");
        append_member(out, member->key, object ? "\"chat.completion.chunk\"" : member->value.raw);
    }
    return out;
}

// An event is one line; a line end between two values means no more than a space.
void append_event(std::string& out, std::string json) {
    std::replace_if(
        json.begin(), json.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    sse::append_data_event(out, json);
}

void append_chunk(std::string& out, const std::string& head, const std::string& choice) {
    std::string json = head;
    append_member(json, "choices", "[" + choice + "]");
    append_event(out, json + "}");
}

void append_choice(std::string& out, const std::string& head, json::value_view choice) {
    std::string begin = "{"; // members that name the choice, for all of its chunks
    std::string text = "{";
    std::string role;
    std::string finish;
    json::object_walker members(choice);
    while (const auto member = members.next()) {
        if (json::equals(member->key, "message")) {
            const bool readable = member->value.kind == json::kind::object;
            append_member(text, "delta", readable ? delta_of(member->value) : "{}");
            const auto found = readable ? json::find_last(member->value, "role") : std::nullopt;
            role = found ? std::string(found->value.raw) : std::string();
        } else if (json::equals(member->key, "finish_reason")) {
            finish = member->value.raw;
        } else {
            append_member(text, member->key, member->value.raw);
            if (json::equals(member->key, "index")) {
                append_member(begin, member->key, member->value.raw);
            }
        }
    }
    if (!role.empty()) {
        std::string chunk = begin;
        append_member(chunk, "delta", "{\"role\":" + role + "}");
        append_member(chunk, "finish_reason", "null");
        append_chunk(out, head, chunk + "}");
    }
    append_member(text, "finish_reason", "null");
    append_chunk(out, head, text + "}");
    if (!finish.empty() && finish != "null") {
        append_member(begin, "delta", "{}");
        append_member(begin, "finish_reason", finish);
        append_chunk(out, head, begin + "}");
    }
}

} // namespace

std::optional<body_events> events_of(std::string_view completion, bool tells_usage) {
    const auto root = json::read_value(completion);
    if (!root || root->kind != json::kind::object) {
        return std::nullopt;
    }
    const auto choices = json::find_last(*root, "choices");
    if (!choices || choices->value.kind != json::kind::array) {
        return std::nullopt;
    }
    body_events out;
    const std::string head = head_of(*root);
    json::array_walker walker(choices->value);
    for (std::size_t i = 0; i < limits::choices_max; ++i) {
        const auto choice = walker.next();
        if (!choice) {
            break;
        }
        if (choice->kind == json::kind::object) {
            append_choice(out.bytes, head, *choice);
        }
    }
    const auto usage = json::find_last(*root, "usage");
    if (usage && usage->value.kind == json::kind::object) {
        out.usage = usage->value.raw;
        if (tells_usage) {
            std::string json = head;
            append_member(json, "choices", "[]");
            append_member(json, "usage", out.usage);
            append_event(out.bytes, json + "}");
        }
    }
    out.bytes += sse::done_event;
    return out;
}

} // namespace proxy::turn
