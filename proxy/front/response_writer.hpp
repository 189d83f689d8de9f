// Writes the head of the answer to a client: the upstream's fields byte for byte, less what belongs
// to its own connection, with our own framing.
#pragma once

#include "proxy/upstream/response_head.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::front {

/// How the body of an answer is delimited towards the client.
enum class answer_framing : std::uint8_t {
    none,    ///< no body; a length of the upstream is told (HEAD, 304)
    length,  ///< as many bytes as the upstream said
    chunked, ///< of unknown length, HTTP/1.1
    close,   ///< of unknown length, HTTP/1.0
};

struct answer_plan {
    answer_framing framing = answer_framing::none;
    bool close = false;            ///< the connection ends behind this answer
    bool decoded = false;          ///< the upstream's content coding was undone
    bool edited = false;           ///< the body may not be the upstream's: no digest of it stays
    bool is_stream = false;        ///< tell proxies in between not to buffer or keep it
    std::string_view date{};       ///< written as Date if the upstream sent none
    std::string_view request_id{}; ///< written as x-request-id if the upstream sent none
};

/// The framing that fits what the upstream sent and what the client can read. `edited`: the length
/// may change on the way.
answer_framing choose_framing(const upstream::response_head& head, bool client_http_1_0,
                              bool edited);

/// The head, its empty line included.
std::string write_response_head(const upstream::response_head& head, const answer_plan& plan);

} // namespace proxy::front
