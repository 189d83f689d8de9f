// The table that decides a turn without visible text, as one pure function.
#pragma once

#include <string_view>

namespace proxy::turn {

/// What is known when an attempt has ended whole.
struct attempt_facts {
    bool answered = false;      ///< visible text, structured call or refusal went out
    bool markup = false;        ///< call or result markup was stripped, or seen in reasoning
    bool exempt_finish = false; ///< a finish reason that is never corrected
    bool second = false;        ///< this was the second attempt
    bool may_correct = false;   ///< switched on, request readable, budget left
    bool empty_counts = false;  ///< a plain empty turn, and recovery.empty's conditions are met
};

enum class verdict {
    finish,  ///< the terminal events leave as they came
    correct, ///< the one correction request
    fail,    ///< the error event
};

verdict decide(const attempt_facts& facts);

/// content_filter, error, abort, cancelled: the upstream itself ended the reply.
bool is_exempt_finish(std::string_view finish_reason);

} // namespace proxy::turn
