#include "proxy/telemetry/log.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/telemetry/turn_lines.hpp"

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace proxy::telemetry {

namespace {

class callback_sink : public spdlog::sinks::base_sink<std::mutex> {
  public:
    explicit callback_sink(line_sink lines) : lines_(std::move(lines)) {}

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        lines_({line.data(), line.size()});
    }

    void flush_() override {}

  private:
    line_sink lines_;
};

struct running_log {
    config::log_format format = config::log_format::text;
    bool spans = true;
    std::vector<std::string> secrets;
    std::shared_ptr<spdlog::async_logger> logger;
    // Ends before the logger: its thread, in a library that no sanitizer sees into, is then never
    // the last to hold it.
    std::shared_ptr<spdlog::details::thread_pool> pool;
};

struct log_owner {
    std::unique_ptr<running_log> log;
    std::atomic<running_log*> current{nullptr}; // what the threads that log go by
};

log_owner& owner() {
    static log_owner instance;
    return instance;
}

std::unique_ptr<spdlog::formatter> make_formatter(config::log_format format, const char* line_end) {
    const bool json = format == config::log_format::json;
    return std::make_unique<spdlog::pattern_formatter>(
        json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
             : "%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v",
        spdlog::pattern_time_type::utc, line_end);
}

std::shared_ptr<spdlog::sinks::sink> make_sink(config::log_format format, line_sink sink) {
    std::shared_ptr<spdlog::sinks::sink> result;
    if (sink) {
        result = std::make_shared<callback_sink>(std::move(sink));
        result->set_formatter(make_formatter(format, ""));
        return result;
    }
    const char* const no_color = std::getenv("NO_COLOR"); // https://no-color.org
    const bool plain =
        (no_color != nullptr && *no_color != '\0') || format == config::log_format::json;
    // "automatic" means colours on a terminal only.
    result = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
        plain ? spdlog::color_mode::never : spdlog::color_mode::automatic);
    result->set_formatter(make_formatter(format, "\n"));
    return result;
}

void write(spdlog::level::level_enum severity, std::string_view message) {
    running_log* const log = owner().current.load(std::memory_order_acquire);
    if (log != nullptr && log->logger->should_log(severity)) {
        log->logger->log(severity, message_line(message, log->format));
    }
}

void write_spans(running_log& log, const turn_record& record) {
    if (record.report == nullptr || !log.spans || !log.logger->should_log(spdlog::level::warn)) {
        return;
    }
    const auto& spans = record.report->logged;
    const std::size_t count = std::min(spans.size(), limits::spans_logged_max);
    for (std::size_t i = 0; i < count; ++i) {
        log.logger->log(spdlog::level::warn, span_line(record, spans[i], log.format));
    }
}

bool failed(const turn_record& record) {
    const turn::outcome outcome =
        record.report != nullptr ? record.report->outcome : record.outcome;
    return outcome == turn::outcome::failed || outcome == turn::outcome::error;
}

} // namespace

void start_logging(const config::log_settings& settings, line_sink sink,
                   std::vector<std::string> secrets) {
    PROXY_ENSURE(owner().log == nullptr);
    auto log = std::make_unique<running_log>();
    log->format = settings.format;
    log->spans = settings.spans;
    log->secrets = std::move(secrets);
    log->pool = std::make_shared<spdlog::details::thread_pool>(limits::log_queue_lines_max, 1);
    log->logger = std::make_shared<spdlog::async_logger>(
        "unscaffold", make_sink(settings.format, std::move(sink)), log->pool,
        spdlog::async_overflow_policy::overrun_oldest);
    log->logger->set_level(spdlog::level::from_str(settings.level));
    owner().log = std::move(log);
    owner().current.store(owner().log.get(), std::memory_order_release);
}

void stop_logging() {
    if (owner().log == nullptr) {
        return;
    }
    const std::uint64_t lost = lines_lost();
    if (lost > 0) {
        warn(std::to_string(lost) + " log lines were lost: the log was written faster than read");
    }
    owner().current.store(nullptr, std::memory_order_release);
    owner().log.reset(); // the pool's end writes what is queued
}

std::uint64_t lines_lost() {
    running_log* const log = owner().current.load(std::memory_order_acquire);
    return log == nullptr ? 0 : log->pool->overrun_counter();
}

void debug(std::string_view message) {
    write(spdlog::level::debug, message);
}

void info(std::string_view message) {
    write(spdlog::level::info, message);
}

void warn(std::string_view message) {
    write(spdlog::level::warn, message);
}

void error(std::string_view message) {
    write(spdlog::level::err, message);
}

void log_turn(const turn_record& finished) {
    running_log* const log = owner().current.load(std::memory_order_acquire);
    if (log == nullptr) {
        return;
    }
    turn_record record = finished;
    std::vector<std::string> secrets = log->secrets;
    secrets.insert(secrets.end(), finished.credentials.begin(), finished.credentials.end());
    record.credentials = secrets;
    write_spans(*log, record);
    const auto severity = failed(record) ? spdlog::level::warn : spdlog::level::info;
    if (log->logger->should_log(severity)) {
        log->logger->log(severity, turn_line(record, log->format));
    }
}

} // namespace proxy::telemetry
