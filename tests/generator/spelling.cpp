// Values in the spellings of the formats: JSON, Python literals, text between tags.
#include "tests/generator/values.hpp"

#include <array>
#include <cstdint>

namespace tests::generator {

namespace {

std::string unicode_escape(std::uint32_t unit) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "\\u";
    for (unsigned shift : {12U, 8U, 4U, 0U}) {
        text += digits[(unit >> shift) & 0xFU];
    }
    return text;
}

/// The code point at `at` of valid UTF-8, and how many bytes it has.
std::pair<std::uint32_t, std::size_t> code_point(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
    const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    constexpr std::array<std::uint32_t, 5> lead = {0, 0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t point = byte(0) & lead[size];
    for (std::size_t i = 1; i < size; ++i) {
        point = (point << 6U) | (byte(i) & 0x3FU);
    }
    return {point, size};
}

std::string escaped_point(std::uint32_t point) {
    if (point < 0x10000U) {
        return unicode_escape(point);
    }
    point -= 0x10000U;
    return unicode_escape(0xD800U + (point >> 10U)) + unicode_escape(0xDC00U + (point & 0x3FFU));
}

std::string short_escape(char c) {
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return {};
    }
}

} // namespace

json_style random_json_style(dice& chance) {
    json_style style;
    if (chance.chance(30)) {
        style.comma = ",";
        style.colon = ":";
    }
    style.ascii = chance.chance(20);
    style.slashes = chance.chance(10);
    style.pretty = chance.chance(15);
    return style;
}

std::string json_quoted(std::string_view text, const json_style& style) {
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const auto [point, size] = code_point(text, at);
        const auto known = size == 1 ? short_escape(text[at]) : std::string();
        if (!known.empty()) {
            out += known;
        } else if (point < 0x20 || (style.ascii && point > 0x7E)) {
            out += escaped_point(point);
        } else if (style.slashes && text[at] == '/') {
            out += "\\/";
        } else if (style.slashes && text[at] == '<') {
            out += "\\u003c";
        } else {
            out += text.substr(at, size);
        }
        at += size;
    }
    return out + "\"";
}

std::string to_json(const value& from, const json_style& style, std::size_t depth) {
    using kind = value::kind;
    switch (from.is) {
    case kind::null_value:
        return "null";
    case kind::boolean:
    case kind::number:
        return from.text;
    case kind::text:
        return json_quoted(from.text, style);
    case kind::list:
    case kind::map:
        break;
    }
    const bool map = from.is == kind::map;
    const bool broken = style.pretty && !from.items.empty();
    const auto line = [&](std::size_t d) { return broken ? "\n" + std::string(d * 2, ' ') : ""; };
    std::string out = map ? "{" : "[";
    for (std::size_t i = 0; i < from.items.size(); ++i) {
        out += i == 0 ? "" : broken ? "," : style.comma;
        out += line(depth + 1);
        out += map ? json_quoted(from.keys[i], style) + style.colon : "";
        out += to_json(from.items[i], style, depth + 1);
    }
    return out + line(depth) + (map ? "}" : "]");
}

std::string python_quoted(std::string_view text, char quote) {
    std::string out(1, quote);
    for (const char c : text) {
        switch (c) {
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\\':
            out += "\\\\";
            break;
        default:
            out += c == quote ? "\\" : "";
            out += c;
        }
    }
    return out + quote;
}

std::string to_python(const value& from, char quote) {
    using kind = value::kind;
    switch (from.is) {
    case kind::null_value:
        return "None";
    case kind::boolean:
        return from.text == "true" ? "True" : "False";
    case kind::number:
        return from.text;
    case kind::text:
        return python_quoted(from.text, quote);
    case kind::list:
    case kind::map:
        break;
    }
    const bool map = from.is == kind::map;
    std::string out = map ? "{" : "[";
    for (std::size_t i = 0; i < from.items.size(); ++i) {
        out += i == 0 ? "" : ", ";
        out += map ? python_quoted(from.keys[i], quote) + ": " : "";
        out += to_python(from.items[i], quote);
    }
    return out + (map ? "}" : "]");
}

std::string to_raw(const value& from) {
    return from.is == value::kind::text ? from.text : to_json(from, {});
}

} // namespace tests::generator
