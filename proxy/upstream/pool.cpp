#include "proxy/upstream/pool.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/upstream/would_block.hpp"

#include <algorithm>

namespace proxy::upstream {

class pool::tail final : public ready_handler {
  public:
    tail(pool& owner, std::unique_ptr<socket> connection, const body_decoder& rest)
        : since_ms(owner.loop_.clock_ms()), owner_(owner), connection_(std::move(connection)),
          rest_(rest) {
        connection_->set_handler(this);
        connection_->resume_reading();
    }

    void on_readable() override {
        const auto buffer = owner_.loop_.read_buffer();
        const auto got = connection_->read(buffer);
        if (got < 0 && would_block(errno)) {
            return;
        }
        bool fit = got > 0;
        if (fit) {
            std::string_view input(buffer.data(), static_cast<std::size_t>(got));
            fit = !rest_.next(input) && !rest_.failed() && input.empty();
        }
        if (fit && !rest_.complete()) {
            return;
        }
        if (fit) {
            owner_.put(std::move(connection_));
        }
        owner_.drop(this);
    }

    void on_writable() override {}

    void on_no_memory() override { owner_.drop(this); }

    const std::int64_t since_ms;

  private:
    pool& owner_;
    std::unique_ptr<socket> connection_;
    body_decoder rest_;
};

pool::pool(io_loop& loop, std::chrono::milliseconds idle_limit)
    : loop_(loop), idle_limit_ms_(idle_limit.count()) {}

pool::~pool() = default;

std::unique_ptr<socket> pool::take() {
    while (!idle_.empty()) {
        auto last = std::move(idle_.back());
        idle_.pop_back();
        if (loop_.clock_ms() - last.since_ms < idle_limit_ms_ && last.connection->silent()) {
            return std::move(last.connection);
        }
    }
    return nullptr;
}

void pool::put(std::unique_ptr<socket> connection) {
    connection->pause_reading();
    connection->set_handler(nullptr);
    if (idle_.size() >= limits::pool_idle_max) {
        idle_.erase(idle_.begin());
    }
    idle_.push_back({std::move(connection), loop_.clock_ms()});
}

void pool::settle(std::unique_ptr<socket> connection, const body_decoder& rest) {
    tails_.push_back(std::make_unique<tail>(*this, std::move(connection), rest));
}

void pool::sweep() {
    const auto now = loop_.clock_ms();
    const auto fresh = std::find_if(idle_.begin(), idle_.end(), [&](const entry& e) {
        return now - e.since_ms < idle_limit_ms_;
    });
    idle_.erase(idle_.begin(), fresh);
    std::erase_if(tails_, [&](const std::unique_ptr<tail>& t) {
        return now - t->since_ms > std::int64_t{limits::tail_wait_ms};
    });
}

void pool::clear() {
    idle_.clear();
    tails_.clear();
}

void pool::drop(const tail* done) {
    std::erase_if(tails_, [&](const std::unique_ptr<tail>& t) { return t.get() == done; });
}

} // namespace proxy::upstream
