// Builds rows of the key tables: a duration, a size, a count, one of a few words.
//
// `field` is everywhere a function from a target to the member that the key sets; it must take
// const and non-const targets alike.
#pragma once

#include "proxy/config/keys.hpp"
#include "proxy/config/values.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace proxy::config {

inline constexpr std::chrono::milliseconds duration_min{1};
inline constexpr std::chrono::milliseconds duration_max{24 * 3'600'000};

// A row from two functions: `set` as in key, `get` giving the one value to print.
template <class Target, class Set, class Get>
key<Target> row(std::string name, Set set, Get get) {
    return {std::move(name), false, false, std::move(set),
            [get](const Target& from) { return std::vector<std::string>{get(from)}; }};
}

template <class Target, class Field>
key<Target> duration(std::string name, Field field, bool zero_is_off = false) {
    return row<Target>(
        std::move(name),
        [field, zero_is_off](Target& to, std::string_view text) -> std::string {
            const auto value = parse_duration(text);
            const bool off = zero_is_off && value == std::chrono::milliseconds{0};
            if (!value || (!off && (*value < duration_min || *value > duration_max))) {
                return std::string("allowed ") + (zero_is_off ? "0 for off, or " : "") +
                       "1ms to 24h, with a unit ms, s, m or h";
            }
            field(to) = *value;
            return {};
        },
        [field](const Target& from) { return print_duration(field(from)); });
}

template <class Field>
key<settings> size(std::string name, Field field, std::size_t min, std::size_t max) {
    return row<settings>(
        std::move(name),
        [field, min, max](settings& to, std::string_view text) -> std::string {
            const auto value = parse_size(text);
            if (!value || *value < min || *value > max) {
                return "allowed " + print_size(min) + " to " + print_size(max) +
                       ", in bytes or with KiB, MiB or GiB";
            }
            field(to) = *value;
            return {};
        },
        [field](const settings& from) { return print_size(field(from)); });
}

template <class Field>
key<settings> count(std::string name, Field field, std::uint64_t min, std::uint64_t max) {
    return row<settings>(
        std::move(name),
        [field, min, max](settings& to, std::string_view text) -> std::string {
            const auto value = parse_count(text);
            if (!value || *value < min || *value > max) {
                return "allowed " + std::to_string(min) + " to " + std::to_string(max);
            }
            auto& member = field(to);
            member = static_cast<std::remove_reference_t<decltype(member)>>(*value);
            return {};
        },
        [field](const settings& from) { return std::to_string(field(from)); });
}

// A share from 0 to 1.
template <class Field>
key<settings> share(std::string name, Field field) {
    return row<settings>(
        std::move(name),
        [field](settings& to, std::string_view text) -> std::string {
            const auto value = parse_share(text);
            if (!value) {
                return "allowed 0 to 1, as in 0.5";
            }
            field(to) = *value;
            return {};
        },
        [field](const settings& from) { return print_share(field(from)); });
}

template <class Value>
struct word {
    std::string text;
    Value value;
};

template <class Value>
std::string words_list(const std::vector<word<Value>>& words) {
    std::string list;
    for (const word<Value>& w : words) {
        list += (list.empty() ? "" : ", ") + w.text;
    }
    return list;
}

// One of a few words; of words with equal values the first is printed.
template <class Target, class Value, class Field>
key<Target> choice(std::string name, Field field, std::vector<word<Value>> words,
                   std::string later = {}) {
    return row<Target>(
        std::move(name),
        [field, words, later](Target& to, std::string_view text) -> std::string {
            for (const word<Value>& w : words) {
                if (w.text == text) {
                    field(to) = w.value;
                    return {};
                }
            }
            const std::string allowed = "allowed " + words_list(words);
            return text == later ? "has no effect in this version; " + allowed : allowed;
        },
        [field, words](const Target& from) -> std::string {
            for (const word<Value>& w : words) {
                if (w.value == field(from)) {
                    return w.text;
                }
            }
            return {};
        });
}

} // namespace proxy::config
