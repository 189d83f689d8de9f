// N streams at once against one base URL, on one epoll loop; every stream that ends is asked for
// again on its kept connection. Counts events, times and errors, and compares all texts.
#pragma once

#include "bench/histogram.hpp"
#include "bench/options.hpp"
#include "bench/socket.hpp"
#include "bench/stream_reader.hpp"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// What was counted since reset().
struct load_figures {
    std::uint64_t events = 0; ///< with text
    std::uint64_t bytes = 0;
    std::uint64_t reads = 0;
    std::uint64_t streams_begun = 0;
    std::uint64_t streams_complete = 0; ///< finish and [DONE] seen, text compared to its end
    std::uint64_t cut_short = 0;        ///< the answer ended without [DONE]
    std::uint64_t mismatches = 0;       ///< text other than the expected, once a stream
    std::uint64_t failed = 0;           ///< connection, framing or status errors
    std::uint64_t error_events = 0;
    std::string first_error;
    histogram first_text_ns; ///< from the request's write to the first text
    histogram delay_ns;      ///< from the upstream's write of an event to its read here

    std::uint64_t errors() const { return cut_short + mismatches + failed + error_events; }
};

/// The text that all streams of one model must have: the longest seen so far, or given.
class expected_text {
  public:
    /// The text is known to its end: it may not go on.
    void fix(std::string text);

    /// True when `piece` is what stands at `offset`, or goes on where the text ends so far.
    bool matches(std::size_t offset, std::string_view piece);

    /// True when a complete stream may end at `offset`: all complete streams must end there.
    bool ends_at(std::size_t offset);

    const std::string& text() const { return text_; }

  private:
    std::string text_;
    std::size_t end_ = 0; // of the first complete stream; 0: none yet
    bool fixed_ = false;
};

class load_client {
  public:
    /// Resolves the URL. Throws std::runtime_error or std::system_error.
    load_client(const load_options& options, std::string model);
    ~load_client();
    load_client(const load_client&) = delete;
    load_client& operator=(const load_client&) = delete;

    /// Opens all streams.
    void start();

    /// Runs the loop for `seconds`, or until no stream runs.
    void run(double seconds);

    /// From now on a stream that ends is not asked for again.
    void stop_repeating() { repeating_ = false; }

    load_figures& figures() { return figures_; }

    expected_text& expected() { return expected_; }

  private:
    class stream;

    void handle(stream& peer, std::uint32_t events);
    void read(stream& peer);
    void finished(stream& peer);
    void failed(stream& peer, const std::string& what);
    void open(stream& peer);
    void send_request(stream& peer);
    void watch(stream& peer, std::uint32_t events, int operation);

    base_url url_;
    endpoint peer_;
    std::string request_;
    fd epoll_;
    std::vector<std::unique_ptr<stream>> streams_;
    std::vector<char> buffer_;
    std::size_t running_ = 0;
    bool repeating_ = true;
    load_figures figures_;
    expected_text expected_;
};

/// The request that every stream sends, head and body.
std::string make_request(const base_url& url, const load_options& options, std::string_view model);

/// The first model that GET <url>/models names. Blocks. Throws when there is none.
std::string first_model(const load_options& options);

} // namespace bench
