// Shadow mode: an answer is watched, and what the proxy would have done with it is told. The client
// gets the upstream's bytes from the caller; nothing here is held back, changed or asked again.
#pragma once

#include "proxy/chat/request_view.hpp"
#include "proxy/scaffold/catalog.hpp"
#include "proxy/turn/body_turn.hpp"
#include "proxy/turn/sanitizer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::turn {

class shadow {
  public:
    /// What the answer's body is; undecided: a first byte `{` means JSON.
    enum class form : std::uint8_t { undecided, stream, json };

    /// `formats` and `work` must outlive the shadow; `body`, the client's request, only this call.
    /// A JSON answer larger than `json_bytes_max` is not looked at.
    shadow(const turn_settings& settings, const scaffold::catalog& formats, workspace& work,
           std::string_view body, form answer, std::size_t json_bytes_max);

    /// Takes the bytes of one read, with limits::json_padding readable bytes behind them.
    void take(std::string_view bytes);

    /// The answer's body has ended.
    void end(upstream_end how);

    /// The client left.
    void cancelled();

    /// What was found. `outcome` is passed (or error, cancelled), `would` is what enforcing would
    /// have come to; no corrections, and no error of ours.
    report facts() const;

  private:
    void obey(action next);
    void take_json(std::string_view bytes);

    sanitizer stream_;
    body_turn json_;
    output thrown_away_;
    std::string collected_; // JSON answer so far
    std::size_t json_bytes_max_;
    form form_;
    bool corrects_ = false;
    bool unseen_ = false; // too large to be looked at
};

} // namespace proxy::turn
