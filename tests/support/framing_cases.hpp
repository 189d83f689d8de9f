// Messages that two readers could take for two different ones, and honest ones beside them. The
// parsers are tested with them directly, the running proxy over sockets.
#pragma once

#include <string>
#include <vector>

namespace tests {

struct framing_case {
    std::string name;
    std::string bytes;
};

struct refused_head {
    std::string name;
    std::string bytes;
    unsigned status = 400;
};

struct chunked_body {
    std::string name;
    std::string bytes;
    std::string data;
    std::string rest = ""; ///< bytes behind the message
};

/// Request heads whose body has no one length.
const std::vector<refused_head>& doubtful_framing();

/// Request heads that are not written as HTTP/1.1 writes them, or ask for what is not served.
const std::vector<refused_head>& doubtful_syntax();

/// Request heads that are taken.
const std::vector<framing_case>& honest_heads();

const std::vector<chunked_body>& good_chunked_bodies();
const std::vector<framing_case>& bad_chunked_bodies();

/// Response heads of an upstream that can't be trusted.
const std::vector<framing_case>& bad_answer_heads();

} // namespace tests
