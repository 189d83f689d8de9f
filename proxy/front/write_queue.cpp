#include "proxy/front/write_queue.hpp"

#include "proxy/base/free_memory.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/upstream/would_block.hpp"

#include <algorithm>

namespace proxy::front {

namespace {

// Past this, the sent part of the queue is cut off at its front.
constexpr std::size_t compact_bytes = limits::write_queue_high;

} // namespace

bool write_queue::send(upstream::byte_sink& to, std::span<const iovec> pieces) {
    if (!empty()) {
        keep(pieces, 0);
        return true;
    }
    const auto wrote = to.write(pieces);
    if (wrote < 0 && !upstream::would_block(errno)) {
        return false;
    }
    keep(pieces, wrote < 0 ? 0 : static_cast<std::size_t>(wrote));
    return true;
}

bool write_queue::flush(upstream::byte_sink& to) {
    while (!empty()) {
        const iovec rest{waiting_.data() + sent_, size()};
        const auto wrote = to.write({&rest, 1});
        if (wrote < 0) {
            return upstream::would_block(errno);
        }
        sent_ += static_cast<std::size_t>(wrote);
        if (sent_ > compact_bytes) {
            waiting_.erase(0, sent_);
            sent_ = 0;
        }
    }
    base::free_memory(waiting_);
    sent_ = 0;
    return true;
}

void write_queue::keep(std::span<const iovec> pieces, std::size_t written) {
    for (const auto& piece : pieces) {
        if (written >= piece.iov_len) {
            written -= piece.iov_len;
            continue;
        }
        waiting_.append(static_cast<const char*>(piece.iov_base) + written,
                        piece.iov_len - written);
        written = 0;
    }
}

} // namespace proxy::front
