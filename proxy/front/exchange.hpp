// One request and its answer: chooses the upstream, drives the call and, on sanitized paths, the
// turn's sanitizer, and writes what they give. It obeys the sanitizer and decides nothing about
// text.
#pragma once

#include "proxy/chat/request_view.hpp"
#include "proxy/front/answer_writer.hpp"
#include "proxy/front/error_answer.hpp"
#include "proxy/front/request_reader.hpp"
#include "proxy/front/route.hpp"
#include "proxy/turn/body_turn.hpp"
#include "proxy/turn/sanitizer.hpp"
#include "proxy/turn/shadow.hpp"
#include "proxy/upstream/call.hpp"
#include "proxy/upstream/content_decoder.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::front {

class exchange final : public upstream::call_sink {
  public:
    exchange(worker& owner, session& client, std::unique_ptr<client_request> request);
    ~exchange();

    /// Why a request is refused for its head alone; nothing for one that is served.
    static std::optional<refusal> fault_of_head(const front::request_head& head,
                                                const config::settings& settings);

    /// May answer, and be buried, before it returns.
    void start();

    /// The client has taken so much that the upstream may go on.
    void client_drained();

    /// The client left: the upstream's connection is closed at once.
    void client_gone();

    /// To be called with each tick: deadlines, keep-alive comments, the verdict's limit.
    void sweep();

    /// Ends the answer now: loudly where a stream can still be told, else as an error or by
    /// breaking it off.
    void end_now();

  private:
    using clock = std::chrono::steady_clock;

    /// What the bytes of the answer's body are for.
    enum class reading : std::uint8_t {
        nothing,   ///< no head yet
        undecided, ///< no media type: the first byte decides
        bytes,     ///< to the client as they are
        turn,      ///< through the sanitizer
        body,      ///< JSON: collected, and sanitized as a whole
        refusal,   ///< a second request's refusal, for its message
        over,      ///< nobody wants more
    };

    /// What an answer that simply streams has no use for.
    struct kept_texts {
        explicit kept_texts(body_memory& memory) : collected_memory(memory) {}

        std::string reason;      // of a failure, for the log; our own words only
        std::string second_body; // of the correction
        std::string refusal;     // body of a refused correction
        std::string stream_head; // while undecided: the head if it is a stream
        std::string body_head;   // of a JSON answer, its framing and empty line still missing
        std::string collected;   // JSON answer so far
        memory_claim collected_memory;
    };

    /// What is to be done once a read has been told.
    enum class next_step : std::uint8_t { none, correct, finish, break_off };

    // The request's side (exchange.cpp)
    void send_first(std::size_t index);
    std::string request_head(std::size_t index, std::size_t body_bytes, bool changed_body) const;
    std::size_t correction_index() const;
    bool is_post() const;

    bool looks() const { return mode_ != config::upstream_mode::off; }

    void answer_error(error_answer error);
    void finish();
    void break_off();
    void report(turn::outcome outcome);

    // The answer's side (exchange_answer.cpp)
    void on_head(const upstream::response_head& head) override;
    void on_data(std::string_view bytes) override;
    void on_end(turn::upstream_end how) override;
    void on_read_done() override;
    void on_failed(const upstream::call_failure& failure) override;
    void on_no_memory() override;
    void first_failed(const upstream::call_failure& failure);
    void begin_answer(const upstream::response_head& head, bool edited);
    std::string answer_head(const upstream::response_head& head, answer_framing framing,
                            bool is_stream);
    bool is_last();
    void answer_options();
    void answer_whole(const std::string& text, turn::outcome outcome);
    turn::turn_settings turn_settings() const;
    void begin_turn();
    void begin_shadow(const upstream::response_head& head);
    void watch(std::string_view bytes);
    bool returns_prompt() const;
    void begin_body(const upstream::response_head& head);
    void collect(std::string_view bytes);
    void body_ended(turn::upstream_end how);
    void obey_body(turn::action action, std::string_view body);
    void answer_body(std::string_view body);
    void refuse_second(std::string_view upstream_message);
    bool begin_decoding(const upstream::response_head& head);
    void take(std::string_view bytes);
    void body_over(turn::upstream_end how);
    void decide(std::string_view bytes);
    void second_head(const upstream::response_head& head);
    void obey(turn::action action);
    void settle();
    void start_correction();
    bool flush(bool last);
    kept_texts& kept();
    bool needs_request() const;
    void let_request_go();

    worker& owner_;
    session& client_;
    std::unique_ptr<client_request> request_; // null once nothing can need it any more
    upstream::call call_;
    answer_writer answer_;
    std::unique_ptr<upstream::content_decoder> decoder_; // of an answer that came compressed
    std::unique_ptr<turn::sanitizer> turn_;              // of a streamed answer
    std::unique_ptr<turn::body_turn> body_turn_;         // of a JSON answer
    std::unique_ptr<turn::shadow> shadow_;               // of an answer that is only watched
    std::unique_ptr<kept_texts> kept_;
    std::string request_id_;               // the client's, or one of ours
    std::vector<std::string> credentials_; // of the request, once it is let go
    std::size_t upstream_index_ = 0;
    clock::time_point started_ = clock::now();
    std::optional<clock::time_point> first_token_;
    std::int64_t last_write_ms_ = 0;
    std::int64_t verdict_since_ms_ = 0; // 0: no verdict is awaited
    unsigned status_ = 0;               // sent to the client
    unsigned retries_ = 0;
    std::string_view error_code_; // of our own error; a constant
    surface surface_ = surface::other;
    std::optional<config::upstream_mode> asked_mode_;         // by the request
    config::upstream_mode mode_ = config::upstream_mode::off; // off too on other surfaces
    reading reading_ = reading::nothing;
    next_step next_ = next_step::none;
    bool counted_ = false;    // against limits.streams
    bool correcting_ = false; // the second request is under way
    bool surplus_ = false;    // the upstream sent more than was wanted
    bool finished_ = false;
    bool last_ = false; // the answer says `close`: nothing behind it is read (RFC 9112 9.6)
};

} // namespace proxy::front
