#include "bench/soak/log_lines.hpp"

#include <boost/json/parse.hpp>

namespace bench::soak {

namespace {

namespace json = boost::json;

std::string word(const json::object& line, std::string_view key) {
    const auto* value = line.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::size_t number(const json::object& line, std::string_view key) {
    const auto* value = line.if_contains(key);
    return value != nullptr && value->is_int64() && value->as_int64() >= 0
               ? static_cast<std::size_t>(value->as_int64())
               : 0;
}

} // namespace

std::optional<log_entry> read_log_line(std::string_view text) {
    auto ec = boost::system::error_code{};
    const auto value = json::parse(text, ec);
    if (ec || !value.is_object()) {
        return std::nullopt;
    }
    const auto& line = value.as_object();
    const auto message = word(line, "message");
    auto entry = log_entry{word(line, "request_id"), {}};
    if (message == "turn") {
        auto turn = log_turn{};
        turn.outcome = word(line, "outcome");
        turn.status = static_cast<int>(number(line, "status"));
        turn.stripped = number(line, "scaffold_stripped");
        turn.corrections = static_cast<unsigned>(number(line, "corrections"));
        turn.retries = static_cast<unsigned>(number(line, "retries"));
        entry.what = std::move(turn);
        return entry;
    }
    if (message == "stripped span") {
        auto span = log_span{};
        span.attempt = static_cast<unsigned>(number(line, "attempt"));
        span.choice = number(line, "choice");
        span.offset = number(line, "offset");
        span.chars = number(line, "chars");
        span.rule = word(line, "rule");
        entry.what = std::move(span);
        return entry;
    }
    return std::nullopt;
}

} // namespace bench::soak
