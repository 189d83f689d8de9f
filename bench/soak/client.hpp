// The recording client: sends what a plan says, behaves as it says, and keeps every byte of the
// answer. One thread each; connections are kept where plan and proxy allow it.
#pragma once

#include "bench/soak/http_reader.hpp"
#include "bench/soak/link.hpp"
#include "bench/soak/registry.hpp"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench::soak {

class client {
  public:
    client(registry& exchanges, std::uint16_t port) : exchanges_(exchanges), port_(port) {}

    /// One exchange from its beginning to its end, and those that are pipelined behind it. False
    /// when no connection was to be had.
    bool run(std::vector<plan> plans);

  private:
    using running = std::shared_ptr<exchange>;

    bool connect(const plan& what);
    void send(const std::vector<running>& all, std::vector<client_side>& sides);
    void drip(const std::string& bytes);
    void leave(way how, client_side& side);
    bool leave_early(const exchange& of, client_side& side);
    void read_answer(const exchange& of, client_side& side);
    client_end read_to_end(const exchange& of, client_side& side, http_reader& reader);

    registry& exchanges_;
    std::uint16_t port_;
    link link_;
    bool reused_ = false;
    std::string pending_; // bytes behind the answer that was read last
};

} // namespace bench::soak
