// Two connected TCP sockets on loopback: `near` is non-blocking and meant for the code under test.
#pragma once

#include <string_view>
#include <utility>

namespace proxy::tests {

class tcp_pair {
  public:
    tcp_pair();
    ~tcp_pair();
    tcp_pair(const tcp_pair&) = delete;
    tcp_pair& operator=(const tcp_pair&) = delete;

    /// Gives `near` away.
    int take_near() { return std::exchange(near, -1); }

    void send_far(std::string_view bytes) const;
    void close_far();
    void reset_far();

    /// True if the near side was closed; what was sent before is skipped.
    bool far_sees_end() const;

    int near = -1;

  private:
    int far_ = -1;
};

} // namespace proxy::tests
