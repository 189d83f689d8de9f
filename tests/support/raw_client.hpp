// A blocking HTTP client made of a bare socket, so that tests see every byte and every kind of end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tests {

enum class stream_end { fin, rst, timeout };

struct response {
    unsigned status = 0;
    std::string head; ///< status line and header lines, lower case
    std::string body; ///< as on the wire, chunk framing included
    stream_end end = stream_end::fin;

    /// The value of a header line, empty when absent; `name` in lower case.
    std::string header(std::string_view name) const;

    /// The body without its chunk framing; throws std::runtime_error if that is broken.
    std::string data() const;
};

class raw_client {
  public:
    /// Connects to 127.0.0.1:`port`; throws std::system_error. Reads wait at most `limit`.
    explicit raw_client(std::uint16_t port,
                        std::chrono::milliseconds limit = std::chrono::seconds(10));

    /// Connects to a unix socket.
    explicit raw_client(const std::string& path,
                        std::chrono::milliseconds limit = std::chrono::seconds(10));
    ~raw_client();
    raw_client(const raw_client&) = delete;
    raw_client& operator=(const raw_client&) = delete;

    void send(std::string_view bytes);

    /// Reads until `text` has come; gives all bytes so far. Throws std::runtime_error at the end.
    std::string read_until(std::string_view text);

    /// Reads to the end of the connection, whatever it is.
    response read_response();

    /// Reads one response that has a content-length or is chunked; the connection stays usable.
    response read_one();

    void close();

  private:
    bool read_some();

    int fd_ = -1;
    std::string received_;
    stream_end end_ = stream_end::fin;
};

/// A POST of `body` to `target` with a content-length; `extra` holds whole header lines.
std::string post(std::string_view target, std::string_view body, std::string_view extra = "");

/// The body of a chat request: model, stream, and optionally one tool (lookup_tide) and more
/// members.
std::string chat_body(std::string_view model, bool stream, bool tools = false,
                      std::string_view more = "");

} // namespace tests
