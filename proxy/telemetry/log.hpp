// The log of the process: lines to standard error from a thread of its own, as text or JSON. The
// queue is bounded and its oldest lines are lost, never the time of a stream.
//
// Before start_logging() and after stop_logging() every function here does nothing.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/telemetry/turn_record.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::telemetry {

/// Where lines go instead of standard error: each whole, without its line end, on the log's thread.
using line_sink = std::function<void(std::string_view line)>;

/// Starts the log. Colours are used for text on a terminal unless NO_COLOR is set. `secrets` are
/// masked in every turn's lines beside the credentials of its request: our own keys. Call from one
/// thread, before the threads that log; not twice without stop_logging().
void start_logging(const config::log_settings& settings, line_sink sink = {},
                   std::vector<std::string> secrets = {});

/// Writes what is queued and ends the log; no thread may be logging. Says how many lines were lost,
/// if any were.
void stop_logging();

/// Lines lost so far because the queue was full.
std::uint64_t lines_lost();

/// One line; `message` is escaped so that it stays one. From any thread, does not block.
void debug(std::string_view message);
void info(std::string_view message);
void warn(std::string_view message);
void error(std::string_view message);

/// The one line of a turn, and before it a warning for each of its stripped spans unless log.spans
/// is off. A turn that failed is a warning itself. From any thread, does not block.
void log_turn(const turn_record& record);

} // namespace proxy::telemetry
