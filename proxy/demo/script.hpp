// What the scripted model plays, as data: named answers made of raw writes, a pace and a fault.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxy::demo {

/// How an answer's connection ends.
enum class ending {
    whole, ///< in good order, by the answer's framing
    cut,   ///< FIN before the framing's end
    reset, ///< RST in the middle of the body
    stall, ///< silence until the client leaves
};

/// How the end of a streamed body is marked.
enum class framing { chunked, length, close };

/// One response. `writes` go out one by one, each in a write of its own.
struct answer {
    unsigned status = 200;
    std::vector<std::pair<std::string, std::string>>
        headers;                     ///< beside the usual; content-type wins
    std::vector<std::string> writes; ///< the streamed body, SSE framing included
    std::string usage_event;         ///< goes before the last write if the request asks for usage
    std::string body;     ///< the answer to a request that is not streamed, and to status >= 400
    std::string raw_head; ///< not empty: sent in place of our head; writes go out unframed
    demo::framing framing = demo::framing::chunked;
    demo::ending end = demo::ending::whole;
    std::chrono::milliseconds first_byte_delay{0};
    std::optional<std::chrono::microseconds> pace; ///< between writes; none: the server's
};

/// A model of the scripted server. The first answer is played to every request but a correction
/// (recognised by its line, as a model would), which gets the second; with one answer, both get it.
struct script {
    std::string name;
    std::string summary; ///< what it shows, one line; /v1/models carries it
    std::vector<answer> answers;
};

/// The scripts that are always there, in the order that /v1/models lists them.
std::vector<script> built_in_scripts();

} // namespace proxy::demo
