// One client connection: reads requests one after the other, lets an exchange answer each, owns
// what the client has not taken yet, and notices at once when the client leaves.
#pragma once

#include "proxy/front/request_reader.hpp"
#include "proxy/front/worker.hpp"
#include "proxy/front/write_queue.hpp"
#include "proxy/upstream/forwarded.hpp"
#include "proxy/upstream/socket.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace proxy::front {

class session final : public upstream::ready_handler {
  public:
    /// Takes over `fd`, which must be non-blocking.
    session(worker& owner, int fd);
    ~session();

    /// `place`: where the worker keeps this session.
    void start(session_list::iterator place);

    session_list::iterator place() const { return place_; }

    // For the exchange in progress:

    /// Writes at once what the client takes and queues the rest. False when the connection is
    /// broken: the exchange then calls gone().
    bool write(std::span<const iovec> pieces);

    /// Bytes that the client has not taken yet.
    std::size_t queued() const { return queue_.size(); }

    /// The answer is written or queued whole. With `close` the connection ends behind it.
    void answer_done(bool close);

    /// The answer can't be completed: the connection is closed without its end; with `reset`, in a
    /// way that no client can take for an end.
    void answer_broken(bool reset);

    /// The client has closed its connection or its sending side, whatever of it is unread.
    bool has_left() const { return socket_->peer_left(); }

    /// What `forwarded` tells an upstream of this client.
    upstream::forwarded_parts forwarded() const;

    /// The client left: the exchange is told, the connection closed.
    void gone();

    /// Memory ran out on the way: the connection is given up, the others go on.
    void on_no_memory() override;

    // For the worker:

    /// To be called with each tick: deadlines. While the worker drains, a connection is closed soon
    /// after nothing is in progress on it.
    void sweep();

    /// Ends the exchange in progress, loudly where that can still be told, and closes.
    void end_now();

  private:
    enum class phase : std::uint8_t {
        idle,      ///< nothing of a request has come
        head,      ///< part of a head
        body,      ///< a head, part of its body
        answering, ///< an exchange is in progress
        flushing,  ///< the answer waits to be taken
        lingering, ///< the last answer is sent; what the client still sends is thrown away
        closed,
    };

    /// What follows when the queue has run empty.
    enum class after_flush : std::uint8_t { next_request, linger, close };

    void on_readable() override;
    void on_writable() override;

    bool is_reading() const;
    void take_input(std::string_view bytes);
    void begin_exchange();
    void keep_input(std::string_view bytes);
    void refuse(const refusal& why);
    void finish_after(after_flush next);
    void queue_ran_empty();
    void read_next();
    void enter(phase next);
    void begin_lingering();
    void sweep_reading();
    void close();

    worker& owner_;
    std::unique_ptr<upstream::socket> socket_;
    session_list::iterator place_;
    request_reader reader_;
    write_queue queue_;
    std::unique_ptr<exchange> exchange_;
    std::int64_t since_ms_ = 0;    // the phase began
    std::int64_t progress_ms_ = 0; // the client took something last
    std::size_t lingered_ = 0;     // bytes thrown away
    phase phase_ = phase::idle;
    after_flush after_flush_ = after_flush::next_request;
    bool served_ = false;       // a request was read before
    bool close_after_ = false;  // the connection ends behind the answer in progress
    bool taking_ = false;       // take_input() is under way
    bool input_paused_ = false; // as much of the next requests is kept as may be
};

} // namespace proxy::front
