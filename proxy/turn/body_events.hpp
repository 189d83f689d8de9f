// A whole JSON completion as the events of a stream, for a correction that was asked for as a
// stream and answered with one body: it then takes the way of every streamed answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proxy::turn {

struct body_events {
    std::string bytes; ///< for each choice its text and its finish, then usage, then [DONE]
    std::string usage; ///< the raw usage object; empty if the body has none
};

/// The events that say what `completion` says; values keep their bytes, save line ends between
/// them. With `tells_usage` its usage becomes a chunk of its own. Nothing if it is no JSON object
/// with a list of choices.
std::optional<body_events> events_of(std::string_view completion, bool tells_usage);

} // namespace proxy::turn
