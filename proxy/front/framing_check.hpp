// The gate in front of everything: reads a request's head strictly and refuses whatever two readers
// could understand in two ways (RFC 9112; request smuggling). Nothing is forwarded before it
// passed.
#pragma once

#include "proxy/base/limits.hpp"
#include "proxy/upstream/body_decoder.hpp"
#include "proxy/upstream/fields.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace proxy::front {

struct head_limits {
    std::size_t head_bytes = limits::head_bytes_max;
    std::size_t header_lines = limits::header_lines_max;
    std::size_t target_bytes = limits::target_bytes_max;
};

/// A request that passed; all views point into the bytes that were read.
struct request_head {
    std::string_view method;
    std::string_view target; ///< origin form with its query, `?` and a query, or `*`; byte for byte
    bool http_1_0 = false;
    upstream::field_list fields;
    upstream::framing framing = upstream::framing::none; ///< none, length or chunked
    std::uint64_t content_length = 0;                    ///< with framing::length
    bool keep_alive = false;                             ///< the client allows another request
    bool expects_continue = false;
};

/// Why a request is refused. The connection must be closed behind the answer: what follows in it
/// can't be told apart from a body.
struct refusal {
    unsigned status = 400;
    std::string_view message; ///< a sentence for the client, without its bytes
};

/// Checks `head`, which upstream::head_length() delimited, and reads it into `out`.
std::optional<refusal> check_request_head(std::string_view head, const head_limits& bounds,
                                          request_head& out);

/// Checks what can be said of a head that has not ended yet: a first byte that begins no request,
/// and the size limits.
std::optional<refusal> check_partial_head(std::string_view bytes, const head_limits& bounds);

} // namespace proxy::front
