#include "proxy/chat/error_object.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <algorithm>

namespace proxy::chat {

namespace {

void append_string(std::string& out, std::string_view text) {
    out += '"';
    json::append_escaped(out, text);
    out += '"';
}

std::size_t sequence_size(unsigned char lead) {
    if (lead < 0xC2 || lead > 0xF4) {
        return 0;
    }
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// Bytes of the well-formed UTF-8 character that `text` begins with; 0 for none (Unicode, table
/// 3-7).
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t size = sequence_size(lead);
    if (size == 0 || text.size() < size) {
        return 0;
    }
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) {
        return 0;
    }
    for (std::size_t i = 2; i < size; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return size;
}

/// Whole characters of `text`, at most `bytes_max` bytes of them; what is no UTF-8 becomes `?`.
std::string readable(std::string_view text, std::size_t bytes_max) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        const std::string_view character = size == 0 ? "?" : text.substr(0, size);
        if (out.size() + character.size() > bytes_max) {
            break;
        }
        out += character;
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

/// The string that tells what went wrong: the value itself, its `message` or its `detail`.
std::string_view find_message(const json::value_view& value) {
    if (value.kind != json::kind::object) {
        return value.inside();
    }
    for (const std::string_view key : {"message", "detail"}) {
        if (const auto member = json::find_last(value, key)) {
            if (const std::string_view inside = member->value.inside(); !inside.empty()) {
                return inside;
            }
        }
    }
    return {};
}

} // namespace

std::string error_json(const error_info& error) {
    std::string out = R"({"error":{"message":)";
    append_string(out, error.message);
    out += R"(,"type":)";
    append_string(out, error.type);
    out += R"(,"param":null,"code":)";
    append_string(out, error.code);
    out += "}}";
    return out;
}

std::string nested_error(std::string_view old_form_object) {
    std::string out = R"({"error":)";
    out += old_form_object;
    out += '}';
    // A line end can only be white space between tokens; the event must stay one line.
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
    return out;
}

std::string error_message(std::string_view body) {
    const auto value = json::read_value(body);
    if (!value || value->kind != json::kind::object) {
        return {};
    }
    std::string_view inside;
    if (const auto error = json::find_last(*value, "error")) {
        inside = find_message(error->value);
    }
    if (inside.empty()) {
        inside = find_message(*value);
    }
    return readable(json::unescape(inside), limits::error_message_bytes_max);
}

} // namespace proxy::chat
