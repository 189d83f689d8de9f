// What a client has not taken yet. A write is tried at once; only what the socket refuses is
// copied, so a stream whose client keeps up owns no buffer.
#pragma once

#include "proxy/upstream/byte_sink.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace proxy::front {

class write_queue {
  public:
    /// Writes `pieces` to `to` in one call, behind what is queued already, and keeps what was not
    /// taken. False when the connection is broken.
    bool send(upstream::byte_sink& to, std::span<const iovec> pieces);

    /// Goes on with what is queued. False when the connection is broken.
    bool flush(upstream::byte_sink& to);

    /// Bytes not taken yet.
    std::size_t size() const { return waiting_.size() - sent_; }

    bool empty() const { return size() == 0; }

  private:
    void keep(std::span<const iovec> pieces, std::size_t written);

    std::string waiting_;
    std::size_t sent_ = 0; // of waiting_
};

} // namespace proxy::front
