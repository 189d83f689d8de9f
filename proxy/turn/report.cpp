#include "proxy/turn/report.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>

namespace proxy::turn {

std::string_view to_string(outcome value) {
    switch (value) {
    case outcome::clean:
        return "clean";
    case outcome::sanitized:
        return "sanitized";
    case outcome::corrected:
        return "corrected";
    case outcome::failed:
        return "failed";
    case outcome::passed:
        return "passed";
    case outcome::error:
        return "error";
    case outcome::cancelled:
        return "cancelled";
    }
    return "unknown";
}

std::string_view to_string(shadow_verdict value) {
    switch (value) {
    case shadow_verdict::none:
        return "";
    case shadow_verdict::clean:
        return "clean";
    case shadow_verdict::sanitize:
        return "sanitize";
    case shadow_verdict::correct:
        return "correct";
    case shadow_verdict::fail:
        return "fail";
    }
    return "";
}

void note_span(report& to, const scaffold::span& found, std::uint32_t choice, unsigned attempt) {
    const std::string name = found.fmt != nullptr ? found.fmt->name : std::string(found.rule);
    to.scaffold_chars += found.chars;
    ++to.spans;
    auto sum = std::find_if(to.formats.begin(), to.formats.end(),
                            [&](const format_sum& known) { return known.name == name; });
    if (sum == to.formats.end()) {
        sum = to.formats.insert(sum, {name});
    }
    ++sum->spans;
    sum->chars += found.chars;
    if (to.logged.size() < limits::spans_logged_max) {
        to.logged.push_back(
            {choice, attempt, name, found.rule, found.offset, found.chars, found.excerpt});
    }
}

} // namespace proxy::turn
