// What many tests want of an upstream: a short answer, and streams that wait until they are told.
#pragma once

#include "tests/integration/scripted_upstream.hpp"

#include <future>
#include <string>

namespace proxy::tests {

/// A whole answer with the body `ok`.
extern const std::string ok_answer;

/// A script: every request of the connection gets `ok_answer`.
void serve_ok(wire& client, unsigned number);

/// Chat streams that say "one", and "two" and their end behind `go_on()`; every other request gets
/// `ok_answer`.
class waiting_streams {
  public:
    waiting_streams();

    std::uint16_t port() const { return model_.port(); }

    const scripted_upstream& model() const { return model_; }

    /// Once; streams that begin later do not wait.
    void go_on() { go_.set_value(); }

  private:
    void serve(wire& client);
    bool stream(wire& client);

    std::promise<void> go_;
    std::shared_future<void> going_;
    scripted_upstream model_; // the last one: its scripts use the others
};

} // namespace proxy::tests
