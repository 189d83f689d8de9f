// Recordings for the tests of the checks: exchanges in which everything is right, to be broken.
#pragma once

#include "bench/soak/composer.hpp"
#include "bench/soak/recording.hpp"
#include <string>
#include <string_view>

namespace bench::soak {

/// An exchange with a stream, `text` from the model server and `shown` at the client.
recording forged_stream(std::string_view text, std::string_view shown);

/// The bytes of that client's body: role, one event for each token, finish and [DONE].
std::string forged_body(std::string_view text, unsigned attempt = 1);

/// The wire bytes of a whole answer with that body.
std::string forged_answer(std::string_view body);

/// Markup and white space, then an answer to the second request.
recording forged_correction();

/// A passed path: the same bytes on both sides.
recording forged_passing();

} // namespace bench::soak
