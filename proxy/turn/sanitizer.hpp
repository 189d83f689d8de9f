// The whole response path of one turn as one sans-I/O class: upstream bytes in, downstream bytes
// and an action out. Sockets, tests, fuzzer and benchmark drive it in the same way; the loop obeys,
// it never decides. Everything is decided per event, never per read: the same bytes at any split
// give the same output.
//
// Life of a streamed turn, seen from the loop:
//   push() for each read            -> proceed
//   end() when the body ended        -> correct: ask again with correction_body(), then
//     begin_second(), push(), end()     or second_body() when it was answered with JSON, or
//                                       second_refused() when it brought no answer
//   any call                         -> finish: write the output, end the body in good order
#pragma once

#include "proxy/base/limits.hpp"
#include "proxy/chat/request_view.hpp"
#include "proxy/scaffold/catalog.hpp"
#include "proxy/turn/correction.hpp"
#include "proxy/turn/output.hpp"
#include "proxy/turn/report.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace proxy::turn {

enum class action {
    proceed, ///< write the output, read on
    correct, ///< write the output, then send correction_body() and go on with begin_second()
    finish,  ///< write the output, end the body in good order; nothing more is taken
};

/// How the upstream's body ended.
enum class upstream_end {
    whole,   ///< last chunk, or Content-Length reached, or close of a close-delimited body
    cut,     ///< FIN or RST before the framing's end, or broken framing
    stalled, ///< no byte within the idle limit
};

enum class reasoning_mode { pass, detect };

/// When a plain empty turn (nothing stripped, nothing said) is asked again: valid silence exists.
enum class empty_mode { off, no_tools, always };

/// Says whether one more correction may be made now. Asked at a verdict; must be quick.
class correction_gate {
  public:
    virtual bool allows() const = 0;

  protected:
    ~correction_gate() = default;
};

struct turn_settings {
    bool legacy_completions = false; ///< /v1/completions: sentinels only, never corrected
    bool recovery_enabled = true;
    std::uint64_t recovery_max_tokens = 0;
    empty_mode recovery_empty = empty_mode::off;
    const correction_gate* gate = nullptr; ///< null: no budget; must outlive the turn
    std::string_view recovery_model;       ///< model of the correction; empty: the client's
    bool flatten_tool_history = false;     ///< in the correction, for upstreams that need it
    reasoning_mode reasoning = reasoning_mode::detect;
    std::size_t event_bytes_max = limits::event_bytes_max;
};

/// Scratch that all turns of one thread share; nothing in it lives from one call to the next.
struct workspace;

struct workspace_delete {
    void operator()(workspace* w) const;
};

using workspace_ptr = std::unique_ptr<workspace, workspace_delete>;

workspace_ptr make_workspace();

class sanitizer {
  public:
    /// `formats` and `work` must outlive the sanitizer. `body` is the client's request body,
    /// already read as `request`; it must stay unchanged while wants_body() is true.
    sanitizer(const turn_settings& settings, const scaffold::catalog& formats, workspace& work,
              const chat::request_view& request, std::string_view body);
    ~sanitizer();

    /// Takes the body bytes of one upstream read, with limits::json_padding readable bytes behind
    /// them; views to them in `out` are valid as long as the bytes are.
    action push(std::string_view bytes, output& out);

    /// The upstream's body has ended.
    action end(upstream_end how, output& out);

    /// True while finish, usage and [DONE] wait for the verdict; after limits::verdict_wait_seconds
    /// the loop calls verdict_timeout().
    bool awaiting_verdict() const;
    action verdict_timeout(output& out);

    /// Behind action::correct: the request to send. Built from the client's body.
    std::string correction_body() const;

    /// The second upstream answered 2xx with a stream: push() and end() now feed the second
    /// attempt.
    void begin_second();

    /// The second upstream answered 2xx with one JSON body: all of it, as if it had been streamed.
    action second_body(std::string_view json, output& out);

    /// The second request brought no answer: refused, unreachable, a status >= 400, neither
    /// SSE nor JSON.
    /// `upstream_message` becomes part of the error's message; may be empty.
    action second_refused(std::string_view upstream_message, output& out);

    /// True once the client has been sent a visible byte, structured call or refusal.
    bool answered() const;

    /// False once the client's body can't be needed any more.
    bool wants_body() const;

    /// Appends a keep-alive comment if the proxy itself is what causes the silence (held text,
    /// correction). The loop calls it when nothing was written for `recovery.keepalive`.
    void keepalive(output& out);

    /// The client left; nothing more is decided.
    void cancelled();

    /// True once an action::finish was given.
    bool finished() const;

    /// True if the upstream connection can't be reused after this turn (bytes behind the end).
    bool upstream_spoiled() const;

    const report& facts() const;

  private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace proxy::turn
