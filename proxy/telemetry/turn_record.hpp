// What is known of one exchange when it has ended: the turn's own report, and what only the sockets
// and clocks around it know.
#pragma once

#include "proxy/turn/report.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace proxy::telemetry {

/// All views belong to the caller and must last only for the call that takes the record.
struct turn_record {
    const turn::report* report = nullptr;          ///< null for an exchange that no sanitizer saw
    turn::outcome outcome = turn::outcome::passed; ///< counts only where `report` is null
    std::string_view request_id;                   ///< the client's or ours
    std::string_view route; ///< "chat", "completions", "other": never the target, it may hold keys
    std::string_view model; ///< as the client asked; counts where the report has none
    std::string_view upstream;            ///< name of the upstream that answered, or was tried last
    std::string_view correction_upstream; ///< of the correction, where it went to another
    unsigned status = 0;                  ///< sent to the client; 0 for none
    unsigned retries = 0;        ///< requests repeated because not one byte had been written
    std::string_view error_code; ///< of an error of ours that the report does not know
    std::string_view reason;     ///< why it was refused or failed, in our own words; may be empty
    std::optional<std::chrono::microseconds> first_token; ///< request read to first visible byte
    std::optional<std::chrono::microseconds> total;       ///< request read to last byte written
    std::optional<std::chrono::microseconds> overhead;    ///< time spent in our own code
    std::span<const std::string>
        credentials; ///< of the request (see credentials.hpp), to be masked
};

} // namespace proxy::telemetry
