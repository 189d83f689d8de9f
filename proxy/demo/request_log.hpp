// What the scripted model was asked: tests assert on it in the process or over HTTP.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxy::demo {

/// Requests remembered, bytes of each body, and bytes of all remembered bodies.
inline constexpr std::size_t records_max = 256;
inline constexpr std::size_t record_body_max = std::size_t{1} << 20;
inline constexpr std::size_t record_bodies_max = std::size_t{16} << 20;

/// How far a request has come.
enum class progress {
    active,         ///< being answered
    answered,       ///< the script was played to its end (its fault included)
    closed_by_peer, ///< the client left before it was
};

std::string_view to_string(progress value);

/// One request to a script, as the server saw it.
struct request_record {
    std::uint64_t number = 0; ///< from 1, in the order of arrival
    std::string model;        ///< as asked, with its options
    std::string method;
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers; ///< in the order they came
    std::string body;                                         ///< its first record_body_max bytes
    std::size_t body_bytes = 0;
    bool correction = false; ///< carried the correction line
    unsigned status = 0;
    progress state = progress::active;
    std::size_t writes = 0; ///< writes of the script done
    std::chrono::system_clock::time_point began;
    std::chrono::system_clock::time_point ended; ///< zero while active
};

/// The last requests. All members may be called from any thread.
class request_log {
public:
    /// Remembers `record`, sets its number and start, and gives the number.
    std::uint64_t begin(request_record record);

    /// The answer to `number` is at its end.
    void end(std::uint64_t number, unsigned status, progress state, std::size_t writes);

    std::vector<request_record> records() const;
    std::uint64_t count() const;
    std::uint64_t count(std::string_view model) const; ///< `model` without its options

    /// Waits until `count` requests have come and none is active; false after `limit`.
    bool wait_idle(std::uint64_t count, std::chrono::milliseconds limit) const;

    void clear();

    /// {"count":…,"active":…,"requests":[…]}
    std::string json() const;

private:
    void forget_oldest();

    mutable std::mutex mutex_;
    mutable std::condition_variable idle_;
    std::deque<request_record> records_;
    std::map<std::string, std::uint64_t, std::less<>> by_model_;
    std::uint64_t last_number_ = 0;
    std::uint64_t count_ = 0;
    std::size_t active_ = 0;
    std::size_t body_bytes_ = 0;
};

} // namespace proxy::demo
