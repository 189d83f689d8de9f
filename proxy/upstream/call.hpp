// One request to one upstream and its answer, as events. The only retry there is lives here: a
// request of which not one byte was written goes to a fresh connection or the next address.
#pragma once

#include "proxy/turn/sanitizer.hpp"
#include "proxy/upstream/dialer.hpp"
#include "proxy/upstream/endpoint.hpp"
#include "proxy/upstream/response_head.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::upstream {

enum class call_fault {
    unreachable,     ///< no connection
    connect_timeout, ///< no connection within the limit
    local,           ///< this process has no descriptor left
    interrupted,     ///< closed or reset before the head was whole
    bad_head,        ///< the head can't be trusted
    no_answer,       ///< no head within the first-byte limit
};

struct call_failure {
    call_fault fault = call_fault::unreachable;
    std::string_view detail; ///< a sentence about the upstream, for a bad head
    bool unwritten = false;  ///< not one byte of the request was written: another may be tried
};

/// Who drives an exchange. Order: on_head() or on_failed() once; behind a head, on_data() pieces
/// and at last on_end(). on_read_done() follows when what one read brought has been told, always as
/// the last thing: only there, and in on_failed(), may the call be started again.
class call_sink {
  public:
    virtual void on_head(const response_head& head) = 0;

    /// `bytes` lie in the thread's read buffer (json_padding readable bytes behind).
    virtual void on_data(std::string_view bytes) = 0;
    virtual void on_end(turn::upstream_end how) = 0;
    virtual void on_read_done() = 0;
    virtual void on_failed(const call_failure& failure) = 0;

    /// Memory ran out inside the call or the sink; nothing is told any more.
    virtual void on_no_memory() = 0;

  protected:
    ~call_sink() = default;
};

class call final : public ready_handler, public dial_sink {
  public:
    call(io_loop& loop, call_sink& sink) : loop_(loop), sink_(sink) {}

    /// Sends `head` and `body`; `body` must stay until sent() or the end. May call the sink before
    /// it returns. `target` must outlive the call.
    void start(endpoint& target, std::string head, std::string_view body, bool is_head_request);

    /// No more data until resume(); time that passes meanwhile is not the upstream's.
    void pause();
    void resume();

    /// Gives up at once: the connection is closed, nothing is told any more.
    void cancel();

    /// The answer is not needed any more. Its connection goes back to the pool if it can, also when
    /// only the end of the framing is missing; `spoiled` closes it in any case.
    void release(bool spoiled);

    /// To be called with each tick: deadlines.
    void sweep();

    /// Requests repeated because not one byte had been written.
    unsigned repeats() const { return repeats_; }

    bool active() const { return state_ != state::idle && state_ != state::ended; }

  private:
    enum class state : std::uint8_t { idle, dialing, sending, head, body, complete, ended };

    void on_connected(std::unique_ptr<socket> connection) override;
    void on_dial_failed(dial_fault fault) override;
    void on_readable() override;
    void on_writable() override;
    void on_no_memory() override;

    void dial();
    void send();
    void send_failed();
    void take(std::string_view bytes);
    std::optional<std::string_view> take_head(std::string_view bytes);
    bool take_one_head(std::string_view head);
    void take_body(std::string_view bytes);
    void closed(bool orderly);
    void end(turn::upstream_end how);
    void fail(call_fault fault, std::string_view detail = {});

    io_loop& loop_;
    call_sink& sink_;
    endpoint* endpoint_ = nullptr;
    std::unique_ptr<dialer> dialer_;
    std::unique_ptr<socket> socket_;
    std::string request_; // the head to send; freed once sent
    std::string_view request_body_;
    std::size_t sent_ = 0;
    std::string partial_; // the beginning of a response head
    body_decoder decoder_;
    std::int64_t deadline_ms_ = 0; // of the phase; in the body, of the next byte
    unsigned repeats_ = 0;
    unsigned interim_ = 0;
    state state_ = state::idle;
    bool is_head_request_ = false;
    bool pooled_ = false;   // the connection served a request before
    bool reusable_ = false; // as the response head says
    bool extra_ = false;    // bytes came behind the body
    bool paused_ = false;
};

} // namespace proxy::upstream
