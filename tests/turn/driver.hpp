// Drives a sanitizer the way the socket loop does, from bytes in memory.
#pragma once

#include "proxy/scaffold/catalog.hpp"
#include "proxy/turn/sanitizer.hpp"

#include "tests/support/cuttings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// One upstream answer: its body and how the body ended.
struct answer {
    std::string body;
    proxy::turn::upstream_end end = proxy::turn::upstream_end::whole;
    std::optional<std::string> refused; ///< second request only: no answer, this message
    bool json = false;                  ///< second request only: one JSON body
};

struct result {
    std::string downstream;
    std::optional<std::string> correction; ///< the second request's body
    bool finished = false;
    proxy::turn::report facts;
};

/// Plays up to two answers to `request` through a sanitizer; the body of answer `cut_answer` is cut
/// into reads of `lengths`, the other is one read.
result play(const proxy::scaffold::catalog& formats, const proxy::turn::turn_settings& settings,
            std::string_view request, const std::vector<answer>& answers, std::size_t cut_answer,
            const std::vector<std::size_t>& lengths);

/// Plays both answers whole.
result play_whole(const proxy::scaffold::catalog& formats,
                  const proxy::turn::turn_settings& settings, std::string_view request,
                  const std::vector<answer>& answers);

} // namespace tests
