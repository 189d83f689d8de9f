#include "proxy/demo/model_query.hpp"

#include <charconv>
#include <cstdint>

namespace proxy::demo {

namespace {

std::optional<std::uint64_t> number(std::string_view text, std::uint64_t max) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value > max) {
        return std::nullopt;
    }
    return value;
}

std::optional<framing> framing_named(std::string_view name) {
    if (name == "chunked") {
        return framing::chunked;
    }
    if (name == "length") {
        return framing::length;
    }
    if (name == "close") {
        return framing::close;
    }
    return std::nullopt;
}

/// Takes one `key=value`; false when it is not one of ours.
bool take_option(model_query& query, std::string_view key, std::string_view value) {
    if (key == "framing") {
        query.framing = framing_named(value);
        return query.framing.has_value();
    }
    if (key == "coding") {
        query.gzip = value == "gzip";
        return query.gzip;
    }
    const auto parsed = number(value, 10'000'000);
    if (!parsed) {
        return false;
    }
    if (key == "pace_ms") {
        query.pace = std::chrono::milliseconds(*parsed);
    } else if (key == "pace_us") {
        query.pace = std::chrono::microseconds(*parsed);
    } else if (key == "per_write" && *parsed > 0) {
        query.per_write = *parsed;
    } else if (key == "tokens") {
        query.tokens = *parsed;
    } else {
        return false;
    }
    return true;
}

} // namespace

model_query read_model_query(std::string_view model) {
    model_query query;
    const auto mark = model.find('?');
    query.name = model.substr(0, mark);
    if (mark == std::string_view::npos) {
        return query;
    }
    auto rest = model.substr(mark + 1);
    while (!rest.empty()) {
        const auto option = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), option.size() + 1));
        const auto equals = option.find('=');
        const auto value =
            equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1);
        if (!take_option(query, option.substr(0, equals), value)) {
            query.error = "model option not understood: " + std::string(option);
            return query;
        }
    }
    return query;
}

} // namespace proxy::demo
