#include "proxy/turn/verdict.hpp"

namespace proxy::turn {

verdict decide(const attempt_facts& facts) {
    if (facts.answered) {
        return verdict::finish;
    }
    if (facts.second) {
        return verdict::fail;
    }
    if (facts.exempt_finish) {
        return verdict::finish;
    }
    if (!facts.markup) {
        return facts.empty_counts && facts.may_correct ? verdict::correct : verdict::finish;
    }
    return facts.may_correct ? verdict::correct : verdict::fail;
}

bool is_exempt_finish(std::string_view finish_reason) {
    return finish_reason == "content_filter" || finish_reason == "error" ||
           finish_reason == "abort" || finish_reason == "cancelled";
}

} // namespace proxy::turn
