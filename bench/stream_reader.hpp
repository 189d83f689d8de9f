// Reads one HTTP/1.1 answer after the other from a connection and, inside a streamed one, the
// events of an OpenAI-compatible server. Fast rather than complete: it looks for the few members it
// needs by their bytes and expects events of one data line, as all known servers send them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

/// What the reader finds. Views are valid during the call.
class stream_sink {
  public:
    virtual ~stream_sink() = default;

    /// The inside of `delta.content`, escapes as they came. `sent_ns` is when the bench upstream
    /// wrote the event, 0 where it does not say.
    virtual void on_text(std::string_view raw, std::uint64_t sent_ns) = 0;

    /// An event whose data is an error object.
    virtual void on_error(std::string_view data) = 0;
};

class stream_reader {
  public:
    enum class state {
        head,     ///< waits for a status line or is in a head
        body,     ///< in a body
        complete, ///< the answer is whole; next() for the next one
        broken,   ///< not the HTTP that this reader understands
    };

    explicit stream_reader(stream_sink& sink) : sink_(sink) {}

    /// Takes the bytes of one read. What stands behind a complete answer is ignored: the load
    /// client never pipelines.
    state feed(std::string_view bytes);

    /// The connection was closed; whole if the answer had no other end.
    state closed();

    /// Makes ready for the next answer.
    void next();

    int status() const { return status_; }

    bool keep_alive() const { return keep_alive_; }

    bool saw_done() const { return saw_done_; }

    bool saw_finish() const { return saw_finish_; }

    std::uint64_t events() const { return events_; }

    /// The start of the body of an answer that is not a stream (an error's message).
    std::string_view other_body() const { return other_body_; }

  private:
    enum class framing { chunked, length, until_close };
    enum class chunk_part { size, data, data_end, trailer };

    std::string_view take_head(std::string_view bytes);
    void read_head(std::string_view head);
    void take_chunked(std::string_view bytes);
    std::string_view take_chunk_line(std::string_view bytes);
    void take_body(std::string_view bytes);
    void take_line(std::string_view line);
    void take_data(std::string_view data);

    stream_sink& sink_;
    state state_ = state::head;
    framing framing_ = framing::until_close;
    chunk_part part_ = chunk_part::size;
    std::uint64_t left_ = 0; // of the chunk or the whole body
    std::string head_;
    std::string line_;       // an unfinished line of the stream
    std::string chunk_line_; // an unfinished line of the chunked framing
    std::string other_body_;
    int status_ = 0;
    bool keep_alive_ = true;
    bool event_stream_ = false;
    bool saw_done_ = false;
    bool saw_finish_ = false;
    std::uint64_t events_ = 0;
};

} // namespace bench
