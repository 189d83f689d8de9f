// Reads the proxy's log in its JSON form: the line of each turn and the warnings for its spans.
#pragma once

#include "bench/soak/recording.hpp"
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace bench::soak {

struct log_entry {
    std::string request_id;
    std::variant<log_turn, log_span> what;
};

/// Nothing for other lines.
std::optional<log_entry> read_log_line(std::string_view line);

} // namespace bench::soak
