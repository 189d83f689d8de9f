// Whether and how one turn may be asked again: the client's request, kept as long as it may be
// needed, and the conditions of the configuration.
#pragma once

#include "proxy/chat/request_view.hpp"
#include "proxy/scaffold/format.hpp"
#include "proxy/turn/correction.hpp"
#include "proxy/turn/report.hpp"
#include "proxy/turn/sanitizer.hpp"
#include "proxy/turn/verdict.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace proxy::turn {

/// What the request says about the text that will come.
scaffold::context context_of(const chat::request_view& request, const turn_settings& settings);

class recovery {
  public:
    /// `body`, which `request` was read from, must stay unchanged while wants_body() is true.
    recovery(const turn_settings& settings, const chat::request_view& request,
             std::string_view body);

    /// True while a correction is possible, the budget apart.
    bool wants_body() const { return kept_ != nullptr; }

    /// True if the request lets a plain empty turn count as a failure.
    bool empty_counts() const { return empty_counts_; }

    /// The verdict over `facts`; whether a correction may be made is filled in here. A correction
    /// that only the budget forbids is noted in `to`.
    verdict judge(attempt_facts facts, report& to) const;

    /// No correction will be made: the client's body is not needed any more.
    void settle() { kept_.reset(); }

    /// The correction request for `reason`. wants_body() must be true.
    std::string body(correction_reason reason) const;

  private:
    struct kept {
        chat::request_view request;
        std::string_view body;
        correction_options options;
        const correction_gate* gate;
    };

    std::unique_ptr<kept> kept_;
    bool empty_counts_ = false;
};

} // namespace proxy::turn
