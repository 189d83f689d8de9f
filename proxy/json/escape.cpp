#include "proxy/json/escape.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/hex.hpp"

#include <array>
#include <cstring>

namespace proxy::json {

namespace {

constexpr std::uint32_t no_unit = 0xFFFFFFFF;

/// One character of the text: how many raw bytes it took and its decoded bytes.
struct decoded {
    std::size_t consumed = 0;
    std::size_t size = 0;
    std::array<char, 4> bytes{};
};

/// The UTF-16 unit of the `\uXXXX` that `raw` begins with, or no_unit.
std::uint32_t read_unit(std::string_view raw) {
    if (raw.size() < 6 || raw[0] != '\\' || raw[1] != 'u') {
        return no_unit;
    }
    std::uint32_t unit = 0;
    for (std::size_t i = 2; i < 6; ++i) {
        const int digit = base::hex_value(raw[i]);
        if (digit < 0) {
            return no_unit;
        }
        unit = unit * 16 + static_cast<std::uint32_t>(digit);
    }
    return unit;
}

char byte_of(std::uint32_t value) {
    return static_cast<char>(static_cast<unsigned char>(value));
}

/// UTF-8 of `point`; a lone surrogate gets its three-byte form, so that nothing is lost.
void encode(std::uint32_t point, decoded& out) {
    if (point < 0x80) {
        out.bytes = {byte_of(point)};
        out.size = 1;
    } else if (point < 0x800) {
        out.bytes = {byte_of(0xC0 | (point >> 6)), byte_of(0x80 | (point & 0x3F))};
        out.size = 2;
    } else if (point < 0x10000) {
        out.bytes = {byte_of(0xE0 | (point >> 12)), byte_of(0x80 | ((point >> 6) & 0x3F)),
                     byte_of(0x80 | (point & 0x3F))};
        out.size = 3;
    } else {
        out.bytes = {byte_of(0xF0 | (point >> 18)), byte_of(0x80 | ((point >> 12) & 0x3F)),
                     byte_of(0x80 | ((point >> 6) & 0x3F)), byte_of(0x80 | (point & 0x3F))};
        out.size = 4;
    }
}

decoded decode_unicode(std::string_view raw) {
    decoded out;
    std::uint32_t point = read_unit(raw);
    if (point == no_unit) {
        return out;
    }
    out.consumed = 6;
    if (point >= 0xD800 && point < 0xDC00) {
        const std::uint32_t low = read_unit(raw.substr(6));
        if (low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            out.consumed = 12;
        }
    }
    encode(point, out);
    return out;
}

/// What a two-character escape stands for; 0 for none.
char simple_escape(char c) {
    switch (c) {
    case '"':
    case '\\':
    case '/':
        return c;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

/// Decodes the escape that `raw` begins with (a backslash). A broken one is that backslash alone.
decoded decode_escape(std::string_view raw) {
    decoded out;
    if (raw.size() > 1) {
        if (const char c = simple_escape(raw[1]); c != 0) {
            out.bytes = {c};
            out.consumed = 2;
            out.size = 1;
            return out;
        }
        out = decode_unicode(raw);
    }
    if (out.consumed == 0) {
        out.bytes = {'\\'};
        out.consumed = 1;
        out.size = 1;
    }
    return out;
}

} // namespace

void decoded_string::set(std::string_view raw) {
    raw_ = raw;
    text_ = raw;
    identity_ = true;
    const std::size_t backslash = raw.find('\\');
    if (backslash != std::string_view::npos) {
        decode_slow(backslash);
    }
}

void decoded_string::decode_slow(std::size_t first_backslash) {
    identity_ = false;
    scratch_.resize(raw_.size()); // decoding never lengthens
    offsets_.resize(raw_.size());
    std::size_t out = 0;
    const auto plain = [&](std::size_t from, std::size_t to) {
        std::memcpy(scratch_.data() + out, raw_.data() + from, to - from);
        for (; from < to; ++from) {
            offsets_[out++] = static_cast<std::uint32_t>(from);
        }
    };
    plain(0, first_backslash);
    std::size_t at = first_backslash;
    while (at < raw_.size()) {
        if (raw_[at] == '\\') {
            const decoded one = decode_escape(raw_.substr(at));
            for (std::size_t i = 0; i < one.size; ++i) {
                scratch_[out] = one.bytes[i];
                offsets_[out++] = static_cast<std::uint32_t>(at);
            }
            at += one.consumed;
        } else {
            const std::size_t next = std::min(raw_.find('\\', at), raw_.size());
            plain(at, next);
            at = next;
        }
    }
    text_ = std::string_view(scratch_).substr(0, out);
}

std::size_t decoded_string::raw_offset(std::size_t offset) const {
    PROXY_ENSURE(offset <= text_.size());
    if (offset == text_.size()) {
        return raw_.size();
    }
    return identity_ ? offset : offsets_[offset];
}

void append_escaped(std::string& out, std::string_view text) {
    static constexpr std::string_view hex = "0123456789abcdef";
    std::size_t plain_from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c != '"' && c != '\\') {
            continue;
        }
        out.append(text, plain_from, i - plain_from);
        plain_from = i + 1;
        static constexpr std::string_view from = "\"\\\b\f\n\r\t";
        static constexpr std::string_view to = "\"\\bfnrt";
        out += '\\';
        if (const std::size_t known = from.find(text[i]); known != std::string_view::npos) {
            out += to[known];
        } else {
            out += "u00";
            out += hex[c >> 4];
            out += hex[c & 15];
        }
    }
    out.append(text, plain_from, text.size() - plain_from);
}

std::string unescape(std::string_view raw) {
    std::string out;
    std::size_t at = 0;
    while (at < raw.size()) {
        const std::size_t backslash = std::min(raw.find('\\', at), raw.size());
        out.append(raw, at, backslash - at);
        at = backslash;
        if (at < raw.size()) {
            const decoded one = decode_escape(raw.substr(at));
            out.append(one.bytes.data(), one.size);
            at += one.consumed;
        }
    }
    return out;
}

bool equals(std::string_view raw, std::string_view text) {
    std::size_t at = 0;
    while (at < raw.size()) {
        if (raw[at] != '\\') {
            const std::string_view plain = raw.substr(at, raw.find('\\', at) - at);
            if (!text.starts_with(plain)) {
                return false;
            }
            at += plain.size();
            text.remove_prefix(plain.size());
            continue;
        }
        const decoded one = decode_escape(raw.substr(at));
        if (!text.starts_with(std::string_view(one.bytes.data(), one.size))) {
            return false;
        }
        at += one.consumed;
        text.remove_prefix(one.size);
    }
    return text.empty();
}

} // namespace proxy::json
