// Reads the head of an upstream's response, strictly, and settles how its body is framed
// (RFC 9112 6.3). Whatever two readers could understand in two ways is refused or not reused.
#pragma once

#include "proxy/upstream/body_decoder.hpp"
#include "proxy/upstream/fields.hpp"

#include <cstdint>
#include <string_view>

namespace proxy::upstream {

/// All views point into the bytes that were read.
struct response_head {
    unsigned status = 0;
    std::string_view reason;
    bool http_1_0 = false;
    field_list fields;
    upstream::framing framing = framing::none;
    std::uint64_t content_length = 0; ///< with framing::length
    bool reusable = false;            ///< the connection can serve another request behind the body

    /// 1xx: another head follows.
    bool interim() const { return status < 200; }
};

/// Reads `head`, which head_length() delimited. `to_head_request`: the request was a HEAD. Gives an
/// empty text, or a sentence that says what is wrong: the answer is then a 502, and the connection
/// must be closed.
std::string_view read_response_head(std::string_view head, bool to_head_request,
                                    response_head& out);

} // namespace proxy::upstream
