// What came of playing a case: what the client got and what the upstream was asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tests::replay {

struct played {
    std::string body;                  ///< what the client was sent, without the transfer coding
    std::vector<std::string> requests; ///< bodies of the requests to the upstream
    bool in_order = true;              ///< the client's body ended in good order
    std::vector<std::string>
        after_write;                 ///< the client's body after each write of the first answer
    std::optional<std::string> head; ///< the response head in lower case, where there was HTTP
    std::string fault;               ///< not empty: why it could not be played
};

} // namespace tests::replay
