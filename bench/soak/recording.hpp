// What is kept of one exchange on all its sides: what the client sent and got, what the model
// server was asked and wrote, what the proxy's log says. The checks of the invariants need nothing
// else, so a test can forge any of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench::soak {

enum class surface { chat, completions, passed, malformed };

enum class attempt_end {
    kept,      ///< the answer was written to its end, the connection stays
    closed,    ///< FIN by the model server
    reset,     ///< RST by the model server: bytes that were written may be lost
    killed,    ///< the same, with all other connections of the server
    peer_left, ///< the proxy closed before the answer was written
};

/// One request that reached the model server.
struct attempt {
    std::string request_head; ///< through its blank line
    std::string request_body;
    std::string sent;  ///< the answer, as bytes of the connection
    std::string plain; ///< its body undone from its content coding; empty where it has none
    attempt_end end = attempt_end::kept;
    bool untrusted = false; ///< an answer that may not be passed on: the client must see an error
    bool early = false;     ///< the answer was written before the request was whole
    bool opaque = false;    ///< its text is not known (a bomb, an endless line)
    std::int64_t began_ns = 0; ///< the request was whole
    std::int64_t last_write_ns = 0;
    std::int64_t closed_ns = 0; ///< the proxy's close was seen, or ours; 0: kept
};

/// When the last thing came that an answer's end may wait for: the request, a byte, or our close.
inline std::int64_t last_sign_ns(const attempt& of) {
    const auto ours = of.end == attempt_end::kept || of.end == attempt_end::peer_left
                          ? std::int64_t{0}
                          : of.closed_ns;
    return std::max({of.began_ns, of.last_write_ns, ours});
}

enum class client_end {
    whole,    ///< the answer was read to the end that its framing gives
    cut,      ///< the connection ended inside the answer
    left,     ///< this client went before the end
    timeout,  ///< the end did not come
    unserved, ///< the connection ended before the first byte of an answer
};

struct client_side {
    std::string request_head;
    std::string request_body;
    std::string head; ///< of the answer
    std::string body; ///< of the answer, without its framing
    int status = 0;
    client_end end = client_end::unserved;
    std::int64_t left_ns = 0;     ///< it left; 0: it did not
    std::int64_t end_ns = 0;      ///< the end was seen
    bool slow = false;            ///< it reads late, so the time of the end says nothing
    bool may_be_unserved = false; ///< reused connection, pipelined request
    bool refused = false;         ///< no connection was to be had
    bool whole_request = true;    ///< the proxy got all of the request
};

struct log_span {
    unsigned attempt = 1;
    std::size_t choice = 0;
    std::size_t offset = 0; ///< bytes, in the choice's text of that attempt
    std::size_t chars = 0;
    std::string rule;
};

struct log_turn {
    std::string outcome;
    int status = 0;
    std::size_t stripped = 0; ///< characters
    unsigned corrections = 0;
    unsigned retries = 0;
};

struct recording {
    std::string nonce;
    std::string name; ///< of the plan, for the report
    soak::surface surface = surface::chat;
    bool identical = false; ///< nothing may be edited: the answer passes with identical bytes
    std::vector<std::string> leaked; ///< markup that the model server wrote and nobody may see
    bool disturbed = false; ///< the model server was killed or the proxy restarted meanwhile
    bool drained = false;   ///< the proxy was draining or not there meanwhile
    std::int64_t end_limit_ns = 1'000'000'000; ///< from the last upstream byte to the end
    client_side client;
    std::vector<attempt> attempts;
    std::vector<log_span> spans;
    std::vector<log_turn> turns;
};

} // namespace bench::soak
