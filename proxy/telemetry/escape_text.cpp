#include "proxy/telemetry/escape_text.hpp"

#include <algorithm>
#include <cstdint>

namespace proxy::telemetry {

namespace {

struct code_point {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
    bool broken = false;
};

// Decodes the character at the start of `text`, which is not empty (RFC 3629).
code_point decode(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) {
        return {lead, 1, false};
    }
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) {
        return {lead, 1, true};
    }
    std::uint32_t value = lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return {lead, 1, true};
        }
        value = value << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
    const bool outside = value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff);
    return overlong || outside ? code_point{lead, 1, true} : code_point{value, bytes, false};
}

// Format, separator and control characters beyond ASCII that could reorder or hide a line's text.
bool shows(std::uint32_t c) {
    struct range {
        std::uint32_t first, last;
    };

    constexpr range hidden[] = {{0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                                {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},
                                {0x2060, 0x206f}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
                                {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff}};
    return c >= 0x20 && std::none_of(std::begin(hidden), std::end(hidden),
                                     [c](const range& r) { return c >= r.first && c <= r.last; });
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
        out += "0123456789abcdef"[value >> shift & 15];
    }
}

void append_hidden(std::string& out, std::uint32_t c, quoting how) {
    if (c == '\n' || c == '\r' || c == '\t') {
        out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (how == quoting::text && c < 0x80) {
        out += "\\x";
        append_hex(out, c, 2);
    } else if (c < 0x10000) {
        out += "\\u";
        append_hex(out, c, 4);
    } else if (how == quoting::text) {
        out += "\\U";
        append_hex(out, c, 8);
    } else { // JSON knows surrogate pairs only (RFC 8259, section 7).
        out += "\\u";
        append_hex(out, 0xd800 + ((c - 0x10000) >> 10), 4);
        out += "\\u";
        append_hex(out, 0xdc00 + ((c - 0x10000) & 0x3ff), 4);
    }
}

void append_all(std::string& out, std::string_view text, quoting how, bool quotes) {
    while (!text.empty()) {
        const code_point c = decode(text);
        if (c.broken && how == quoting::json) {
            out += "\\ufffd";
        } else if (c.broken) {
            out += "\\x";
            append_hex(out, c.value, 2);
        } else if (!shows(c.value)) {
            append_hidden(out, c.value, how);
        } else {
            if (quotes && (c.value == '"' || c.value == '\\')) {
                out += '\\';
            }
            out.append(text.substr(0, c.bytes));
        }
        text.remove_prefix(c.bytes);
    }
}

} // namespace

void append_escaped(std::string& out, std::string_view text, quoting how) {
    append_all(out, text, how, true);
}

void append_one_line(std::string& out, std::string_view text) {
    append_all(out, text, quoting::text, false);
}

void append_value(std::string& out, std::string_view text) {
    constexpr std::string_view marks = "._:/+@,*-";
    const bool bare = !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != std::string_view::npos;
    });
    if (bare) {
        out.append(text);
        return;
    }
    out += '"';
    append_escaped(out, text, quoting::text);
    out += '"';
}

std::string_view first_bytes(std::string_view text, std::size_t bytes) {
    std::size_t end = 0;
    while (end < text.size()) {
        const std::size_t next = end + decode(text.substr(end, 4)).bytes;
        if (next > bytes) {
            break;
        }
        end = next;
    }
    return text.substr(0, end);
}

std::string_view first_chars(std::string_view text, std::size_t chars) {
    std::size_t end = 0;
    for (; chars > 0 && end < text.size(); --chars) {
        end += decode(text.substr(end, 4)).bytes;
    }
    return text.substr(0, end);
}

} // namespace proxy::telemetry
