// What the process has done since its start, as Prometheus metrics. One call for each exchange that
// ended; nothing here is touched for an event. Every label value is one of ours: what a client or a
// model chose never becomes one.
#pragma once

#include "proxy/telemetry/turn_record.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace proxy::telemetry {

class counters {
  public:
    /// `formats`: the catalog's names, which spans are counted by; other names count as "other".
    explicit counters(std::vector<std::string> formats);
    ~counters();
    counters(const counters&) = delete;
    counters& operator=(const counters&) = delete;

    /// Counts an exchange that ended. From any thread; a few atomic additions and short locks.
    void add(const turn_record& record);

    /// All metrics in the text format 0.0.4, `in_progress` exchanges as a gauge among them. From
    /// any thread.
    std::string text(std::size_t in_progress) const;

    /// The media type of text().
    static constexpr const char* media_type = "text/plain; version=0.0.4; charset=utf-8";

  private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace proxy::telemetry
