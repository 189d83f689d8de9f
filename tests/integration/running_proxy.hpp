// The real server in front of an upstream of the test, with what it reported.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/front/server.hpp"
#include "proxy/telemetry/turn_record.hpp"

#include "tests/integration/sockets.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::tests {

/// Settings with one upstream `http://127.0.0.1:<port><path>` and one thread.
config::settings settings_for(std::uint16_t port, const std::string& path = "/v1");

/// What is kept of a turn record.
struct record {
    std::string outcome;
    std::string would; ///< in shadow mode
    std::string error_code;
    std::string reason;
    std::string request_id;
    std::string upstream;
    std::string correction_upstream;
    unsigned status = 0;
    unsigned retries = 0;
    unsigned corrections = 0;
    std::uint64_t scaffold_chars = 0;
    std::uint64_t bytes_after_end = 0;
    bool budget_spent = false;
    bool sanitized = false; ///< a sanitizer saw it
};

class running_proxy {
  public:
    explicit running_proxy(config::settings settings);

    front::server& server() { return *server_; }

    wire connect(int receive_bytes = 0) { return connect_to(server_->port(), receive_bytes); }

    wire connect_to_admin() { return connect_to(server_->admin_port()); }

    /// The records of the first `count` exchanges that ended; waits for them.
    std::vector<record> records(std::size_t count);

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<record> records_;
    std::unique_ptr<front::server> server_;
};

/// A chat request as clients send it.
std::string chat_request(std::string_view body = R"({"model":"m","stream":true,"messages":[]})");

/// A request with a body and extra header lines, each ending in CRLF.
std::string request(std::string_view method, std::string_view target, std::string_view lines = "",
                    std::string_view body = "");

/// One content event of a stream.
std::string content_event(std::string_view text);
std::string finish_event(std::string_view reason = "stop");

inline constexpr std::string_view done_event = "data: [DONE]\n\n";

inline constexpr std::string_view stream_head =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// `bytes` as one chunk of a chunked body.
std::string chunk(std::string_view bytes);

inline constexpr std::string_view last_chunk = "0\r\n\r\n";

} // namespace proxy::tests
