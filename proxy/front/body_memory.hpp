// The bound over all bodies that are kept at a time, whoever sent them (`limits.memory`).
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace proxy::front {

/// Counts over all threads.
class body_memory {
  public:
    explicit body_memory(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    /// False, and nothing is counted, when that would be too much.
    bool take(std::size_t bytes) {
        if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= bytes_max_) {
            return true;
        }
        give_back(bytes);
        return false;
    }

    void give_back(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

    std::size_t used() const { return used_.load(std::memory_order_relaxed); }

  private:
    std::size_t bytes_max_;
    std::atomic<std::size_t> used_{0};
};

/// What one body takes of it, given back at its end.
class memory_claim {
  public:
    /// `of` must outlive the claim.
    explicit memory_claim(body_memory& of) : of_(&of) {}

    ~memory_claim() { release(); }

    memory_claim(memory_claim&& other) noexcept
        : of_(other.of_), bytes_(std::exchange(other.bytes_, 0)) {}

    memory_claim& operator=(memory_claim&&) = delete;

    bool grow(std::size_t bytes) {
        if (!of_->take(bytes)) {
            return false;
        }
        bytes_ += bytes;
        return true;
    }

    void release() { of_->give_back(std::exchange(bytes_, 0)); }

  private:
    body_memory* of_;
    std::size_t bytes_ = 0;
};

} // namespace proxy::front
