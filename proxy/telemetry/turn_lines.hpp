// The lines of a turn as text, without time and level: pure functions, for the log and its tests.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/telemetry/turn_record.hpp"

#include <string>

namespace proxy::telemetry {

/// The one line of a turn. As text: `turn retries=N scaffold_stripped=N` and then key=value pairs;
/// as JSON: the same as members without the braces around them, for a prefix to stand before.
std::string turn_line(const turn_record& record, config::log_format format);

/// The warning for one stripped span: where, which format, its first characters masked and escaped.
std::string span_line(const turn_record& record, const turn::logged_span& span,
                      config::log_format format);

/// An ordinary message, as the same two forms.
std::string message_line(std::string_view message, config::log_format format);

} // namespace proxy::telemetry
