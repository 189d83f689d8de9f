// One connection to the admin listener: one request, one answer, closed within a fixed time.
#pragma once

#include "proxy/front/admin_dialog.hpp"
#include "proxy/front/write_queue.hpp"
#include "proxy/upstream/io_loop.hpp"
#include "proxy/upstream/socket.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace proxy::front {

class admin_session final : public upstream::ready_handler {
  public:
    /// Takes over `fd`, which must be non-blocking. `from` must outlive the session.
    admin_session(upstream::io_loop& loop, int fd, const admin_source& from);

    /// To be called with each tick: the time limits.
    void sweep();

    /// The connection is closed; the session may be destroyed outside of its handlers.
    bool closed() const { return socket_ == nullptr; }

  private:
    void on_readable() override;
    void on_writable() override;

    void on_no_memory() override { close(); }

    void answer(std::string_view text);
    void sent();

    void close() { socket_.reset(); }

    upstream::io_loop& loop_;
    std::unique_ptr<upstream::socket> socket_;
    admin_dialog dialog_;
    write_queue queue_;
    std::int64_t deadline_ms_;
    std::size_t thrown_away_ = 0; // bytes behind the request
    bool answered_ = false;
};

} // namespace proxy::front
