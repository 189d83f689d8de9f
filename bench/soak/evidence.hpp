// A recording with what can be read out of it: the answers of both attempts as they stand in the
// bytes that were written, and the client's. All checks begin here.
#pragma once

#include "bench/soak/answer_facts.hpp"
#include "bench/soak/recording.hpp"
#include <vector>

namespace bench::soak {

struct attempt_facts {
    int status = 0;
    bool is_stream = false;
    bool valid_head = false;
    bool whole = false;    ///< by its framing, and nothing of it can have been lost on the way
    bool ended = false;    ///< whole, and a stream that is looked at said its end too
    bool said_end = false; ///< [DONE] or every finish was written, however the body then ended
    bool lossy = false;    ///< what was written last may not have arrived
    std::string body;      ///< without framing and content coding
    answer_facts facts;
};

struct evidence {
    const recording& of;
    std::vector<attempt_facts> attempts;
    answer_facts client;
    bool client_is_stream = false;
    bool client_saw_all = false; ///< it stayed to the end of a 2xx answer
    bool sanitized = false;      ///< a path and an answer that the proxy looks at

    /// The attempt whose answer the client got; null for none.
    const attempt_facts* last() const { return attempts.empty() ? nullptr : &attempts.back(); }
};

evidence read_evidence(const recording& of);

/// `text` without the spans that the log names for a choice of an attempt; nothing is left of it
/// when a span lies outside.
std::string without_spans(const std::string& text, const std::vector<log_span>& spans,
                          unsigned attempt, std::size_t choice);

/// Nothing but ASCII white space.
bool is_blank(std::string_view text);

} // namespace bench::soak
