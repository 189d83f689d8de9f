// An upstream that gives prepared answers and keeps what it was asked.
#pragma once

#include "tests/integration/scripted_upstream.hpp"
#include "tests/integration/sockets.hpp"

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace proxy::tests {

// Answers the requests in their order, whatever connection they come on, and keeps them.
class answering_model {
  public:
    explicit answering_model(std::vector<std::string> answers)
        : answers_(std::move(answers)),
          upstream_([this](wire& client, unsigned) { serve(client); }) {}

    std::uint16_t port() const { return upstream_.port(); }

    std::vector<wire::message> asked() {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

    unsigned connections() const { return upstream_.connections(); }

  private:
    void serve(wire& client) {
        while (true) {
            auto message = client.read_message();
            if (message.head.empty()) {
                return;
            }
            std::string answer;
            {
                const std::lock_guard lock(mutex_);
                asked_.push_back(std::move(message));
                if (asked_.size() > answers_.size()) {
                    throw std::runtime_error("it was asked more often than it has answers");
                }
                answer = answers_[asked_.size() - 1];
            }
            if (answer.empty() || !client.try_send(answer)) {
                return;
            }
        }
    }

    std::mutex mutex_;
    std::vector<std::string> answers_;
    std::vector<wire::message> asked_;
    scripted_upstream upstream_;
};

} // namespace proxy::tests
