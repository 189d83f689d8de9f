// The proxy's own failures as whole HTTP answers: the JSON error object that every client shows,
// with the statuses of RFC 9110.
#pragma once

#include <string>
#include <string_view>

namespace proxy::front {

/// What Allow says where nothing else is known.
inline constexpr std::string_view usual_methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

struct error_answer {
    unsigned status = 500;
    std::string_view message{};
    std::string_view code{}; ///< empty: the usual one of the status
    std::string_view type{}; ///< likewise
    bool close = false;      ///< the connection ends behind this answer
    bool head_only = false;  ///< answers a HEAD request
    bool final_word = false; ///< `x-should-retry: false`: asking again would not help
    std::string_view request_id{};
    std::string_view allow{}; ///< methods that a 405 names; empty: those of the client listener
};

/// The answer's head and body.
std::string write_error(const error_answer& error);

/// The `code` that goes with a status when nothing more exact is known.
std::string_view usual_code(unsigned status);

} // namespace proxy::front
