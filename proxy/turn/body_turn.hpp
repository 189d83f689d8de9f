// A turn whose answer is one JSON body instead of a stream: the same filter, the same verdict, the
// same correction, on the whole text at once. Nothing is sent before the verdict.
#pragma once

#include "proxy/chat/request_view.hpp"
#include "proxy/json/scan.hpp"
#include "proxy/json/splices.hpp"
#include "proxy/scaffold/catalog.hpp"
#include "proxy/turn/own_events.hpp"
#include "proxy/turn/recovery.hpp"
#include "proxy/turn/report.hpp"
#include "proxy/turn/sanitizer.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace proxy::turn {

class body_turn {
  public:
    /// `formats` must outlive the turn; `body`, the client's request that `request` was read from,
    /// must stay unchanged while wants_body() is true.
    body_turn(const turn_settings& settings, const scaffold::catalog& formats,
              const chat::request_view& request, std::string_view body);

    /// Takes the body of an answer with a 2xx status. action::finish: `out` is the body to send
    /// with status(); action::correct: send correction_body() and take() its answer too.
    action take(std::string_view answer, std::string& out);

    /// The second request brought no JSON answer with a 2xx status.
    action second_refused(std::string_view upstream_message, std::string& out);

    std::string correction_body() const;

    /// Behind action::finish: 0 for the upstream's own status, else the status to send.
    unsigned status() const { return status_; }

    bool wants_body() const { return recovery_.wants_body(); }

    /// The client left; nothing more is decided.
    void cancelled();

    const report& facts() const { return facts_; }

  private:
    void take_choice(json::value_view choice);
    void take_text(json::value_view holder, std::string_view key, json::value_view choice,
                   std::uint32_t index);
    void take_reasoning(json::value_view message, std::uint32_t index);
    void take_finish(json::value_view choice, bool has_call);
    void note(std::uint32_t index, bool in_reasoning);
    void replace(std::string_view old, std::string_view text);
    void take_identity(json::value_view root);
    void take_usage(json::value_view root);
    action decide_turn(std::string& out);
    action fail(std::string_view code, std::string message, std::string& out);
    action close(turn::outcome outcome);

    turn_settings settings_;
    const scaffold::catalog& formats_;
    recovery recovery_;
    correction_reason reason_ = correction_reason::markup;
    scaffold::context context_;
    identity who_;
    std::string first_usage_;
    std::string usage_;
    std::string_view answer_; // the body in hand
    json::splices edits_;
    scaffold::decisions decided_;
    report facts_;
    unsigned status_ = 0;
    bool second_ = false;
    bool answered_ = false;
    bool markup_ = false;
    bool exempt_finish_ = false;
    bool all_stopped_ = true;
    bool reasoning_seen_ = false;
};

/// The value of the answer's x-unscaffold field: `clean`, `sanitized; spans=2; chars=118`,
/// `corrected` or `failed`.
std::string summary(const report& facts);

} // namespace proxy::turn
