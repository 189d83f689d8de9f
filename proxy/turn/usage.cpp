#include "proxy/turn/usage.hpp"

#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>

namespace proxy::turn {

namespace {

std::optional<std::uint64_t> as_integer(std::string_view raw) {
    std::uint64_t value = 0;
    const auto [end, ec] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
    if (ec != std::errc{} || end != raw.data() + raw.size()) {
        return std::nullopt;
    }
    return value;
}

void append_double(std::string& out, double value) {
    char digits[32];
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    out.append(digits, result.ptr);
}

double as_double(std::string_view raw) {
    double value = 0;
    std::from_chars(raw.data(), raw.data() + raw.size(), value);
    return value;
}

void append_number_sum(std::string& out, std::string_view a, std::string_view b) {
    const auto x = as_integer(a);
    const auto y = as_integer(b);
    if (x && y && *x <= std::numeric_limits<std::uint64_t>::max() - *y) {
        out += std::to_string(*x + *y);
    } else {
        append_double(out, as_double(a) + as_double(b));
    }
}

void append_objects(std::string& out, const json::value_view& first,
                    const json::value_view& second);

void append_value_sum(std::string& out, const json::value_view& first,
                      const json::value_view& second) {
    if (first.kind == json::kind::number && second.kind == json::kind::number) {
        append_number_sum(out, first.raw, second.raw);
    } else if (first.kind == json::kind::object && second.kind == json::kind::object) {
        append_objects(out, first, second);
    } else if (second.is_null() &&
               (first.kind == json::kind::number || first.kind == json::kind::object)) {
        out += first.raw;
    } else {
        out += second.raw;
    }
}

void append_member(std::string& out, std::string_view key, bool& empty) {
    if (!empty) {
        out += ',';
    }
    empty = false;
    out += '"';
    out += key;
    out += "\":";
}

void append_objects(std::string& out, const json::value_view& first,
                    const json::value_view& second) {
    out += '{';
    bool empty = true;
    json::object_walker members(second);
    while (const auto member = members.next()) {
        append_member(out, member->key, empty);
        const auto other = json::find_last(first, json::unescape(member->key));
        if (other) {
            append_value_sum(out, other->value, member->value);
        } else {
            out += member->value.raw;
        }
    }
    json::object_walker first_members(first);
    while (const auto member = first_members.next()) {
        const bool counts =
            member->value.kind == json::kind::number || member->value.kind == json::kind::object;
        if (counts && !json::find_last(second, json::unescape(member->key))) {
            append_member(out, member->key, empty);
            out += member->value.raw;
        }
    }
    out += '}';
}

std::optional<json::value_view> as_object(std::string_view raw) {
    const auto value = json::read_value(raw);
    if (!value || value->kind != json::kind::object) {
        return std::nullopt;
    }
    return value;
}

} // namespace

void append_usage_sum(std::string& out, std::string_view first, std::string_view second) {
    const auto a = as_object(first);
    const auto b = as_object(second);
    if (a && b) {
        append_objects(out, *a, *b);
    } else if (a || b) {
        out += a ? a->raw : b->raw;
    } else {
        out += "null";
    }
}

std::uint64_t usage_count(std::string_view usage, std::string_view name) {
    const auto object = as_object(usage);
    if (!object) {
        return 0;
    }
    const auto member = json::find_last(*object, name);
    return member ? as_integer(member->value.raw).value_or(0) : 0;
}

} // namespace proxy::turn
