// The scripted model: an HTTP/1.1 server that plays transcripts and faults, chosen by the request's
// model name. One fake serves the demo, the tests and the benchmarks.
//
//   POST …/chat/completions     plays the script named by `model`; `name?pace_ms=20&per_write=4`
//                               overrides its pace and writes, `coding=gzip` compresses unasked,
//                               `bench?tokens=1000` is synthetic
//   GET  …/models               lists the scripts
//   POST …/echo                 gives the body back with its content type
//   GET, DELETE /demo/requests  what was asked, as JSON; forgets it
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/demo/request_log.hpp"
#include "proxy/demo/script.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::demo {

struct model_options {
    config::address listen{"127.0.0.1", 0}; ///< port 0: any free one, see port()
    unsigned threads = 1;
    std::chrono::microseconds pace{0}; ///< between writes, where a script has none of its own
    std::vector<script> scripts;       ///< beside the built-in ones; equal names replace those
};

/// Runs its own threads between start() and stop(). All members may be called from any thread.
class model_server {
public:
    explicit model_server(model_options options);
    ~model_server(); ///< stops

    model_server(const model_server&) = delete;
    model_server& operator=(const model_server&) = delete;

    /// Listens and starts the threads. Throws std::system_error if the address, which must be an
    /// IP address, can't be had. Once only.
    void start();

    /// The port that is listened on; after start().
    std::uint16_t port() const;

    /// Closes every connection at once and joins the threads. May be repeated.
    void stop();

    /// The last requests, oldest first; the number of all since the start or clear_requests().
    std::vector<request_record> requests() const;
    std::uint64_t request_count() const;
    std::uint64_t request_count(std::string_view model) const;

    /// Waits until `count` requests have come and none is active; false after `limit`.
    bool wait_idle(std::uint64_t count, std::chrono::milliseconds limit) const;

    void clear_requests();

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

/// The text of `tokens` events of the synthetic model `bench`, to compare streams with.
std::string bench_text(std::size_t tokens);

} // namespace proxy::demo
