// Idle connections to one upstream, of one thread. A connection is given out only if it is young
// and silent: bytes that came without a question belong to no answer.
#pragma once

#include "proxy/upstream/body_decoder.hpp"
#include "proxy/upstream/socket.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace proxy::upstream {

class pool {
  public:
    pool(io_loop& loop, std::chrono::milliseconds idle_limit);
    ~pool();

    /// The connection that was used last and is still fit; null if there is none.
    std::unique_ptr<socket> take();

    /// Keeps a connection whose last answer was read whole.
    void put(std::unique_ptr<socket> connection);

    /// Takes over a connection whose answer has said all but the end of its framing. It is kept if
    /// exactly that follows within limits::tail_wait_ms, and closed otherwise.
    void settle(std::unique_ptr<socket> connection, const body_decoder& rest);

    /// Closes what has become too old; to be called with each tick.
    void sweep();

    void clear();

    std::size_t idle() const { return idle_.size(); }

  private:
    struct entry {
        std::unique_ptr<socket> connection;
        std::int64_t since_ms;
    };

    class tail;
    friend class tail;
    void drop(const tail* done);

    io_loop& loop_;
    std::int64_t idle_limit_ms_;
    std::vector<entry> idle_; // oldest first
    std::vector<std::unique_ptr<tail>> tails_;
};

} // namespace proxy::upstream
