#include "proxy/telemetry/turn_lines.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/telemetry/credentials.hpp"
#include "proxy/telemetry/escape_text.hpp"

#include <cstdint>

namespace proxy::telemetry {

namespace {

// One line's fields in either form.
class fields {
  public:
    fields(config::log_format format, std::string_view message)
        : json_(format == config::log_format::json) {
        if (json_) {
            out_ = "\"message\":\"" + std::string(message) + '"';
        } else {
            out_ = message;
        }
    }

    void number(std::string_view name, std::uint64_t value) {
        begin(name);
        out_ += std::to_string(value);
    }

    void word(std::string_view name, std::string_view value) {
        if (value.empty()) {
            return;
        }
        begin(name);
        string(value);
    }

    // Milliseconds with three decimals, which both forms read as a number.
    void duration(std::string_view name, std::optional<std::chrono::microseconds> value) {
        if (!value) {
            return;
        }
        const auto us = static_cast<std::uint64_t>(std::max<std::int64_t>(0, value->count()));
        const std::string decimals = std::to_string(1'000 + us % 1'000).substr(1);
        begin(name);
        out_ += std::to_string(us / 1'000) + "." + decimals;
    }

    void list(std::string_view name, const std::vector<std::string>& values) {
        if (values.empty()) {
            return;
        }
        begin(name);
        std::string_view separator;
        std::string joined;
        out_ += json_ ? "[" : "";
        for (const std::string& value : values) {
            (json_ ? out_ : joined).append(separator);
            json_ ? string(value) : static_cast<void>(joined.append(value));
            separator = ",";
        }
        json_ ? static_cast<void>(out_ += ']') : string(joined);
    }

    // Always in quotes, in both forms.
    void text(std::string_view name, std::string_view value) {
        begin(name);
        out_ += '"';
        append_escaped(out_, value, json_ ? quoting::json : quoting::text);
        out_ += '"';
    }

    std::string take() { return std::move(out_); }

  private:
    void begin(std::string_view name) {
        out_.append(json_ ? ",\"" : " ").append(name).append(json_ ? "\":" : "=");
    }

    void string(std::string_view value) {
        if (!json_) {
            append_value(out_, value);
            return;
        }
        out_ += '"';
        append_escaped(out_, value, quoting::json);
        out_ += '"';
    }

    bool json_;
    std::string out_;
};

// Request ids are random runs themselves, so only known prefixes and the request's own keys go.
std::string shown(const turn_record& record, std::string_view foreign) {
    return mask_secrets(first_bytes(foreign, limits::logged_value_bytes_max), record.credentials,
                        shapes::prefixes);
}

std::string_view model_of(const turn_record& record) {
    const bool reported = record.report != nullptr && !record.report->model.empty();
    return reported ? std::string_view(record.report->model) : record.model;
}

std::vector<std::string> names_of(const std::vector<turn::format_sum>& formats) {
    std::vector<std::string> names;
    for (const turn::format_sum& f : formats) {
        names.push_back(f.name);
    }
    return names;
}

void add_report(fields& line, const turn_record& record) {
    const turn::report& report = *record.report;
    if (report.corrections > 0) {
        line.number("corrections", report.corrections);
    }
    if (report.token_lists_nulled > 0) {
        line.number("token_lists_nulled", report.token_lists_nulled);
    }
    if (report.bytes_after_end > 0) {
        line.number("bytes_after_end", report.bytes_after_end);
    }
    line.word("budget", report.budget_spent ? "spent" : "");
    if (report.prompt_tokens > 0 || report.completion_tokens > 0) {
        line.number("prompt_tokens", report.prompt_tokens);
        line.number("completion_tokens", report.completion_tokens);
    }
    line.word("finish", shown(record, report.finish));
}

} // namespace

std::string turn_line(const turn_record& record, config::log_format format) {
    static const turn::report none;
    const turn::report& report = record.report != nullptr ? *record.report : none;
    fields line(format, "turn");
    line.number("retries", record.retries);
    const bool watched = report.would != turn::shadow_verdict::none;
    line.number("scaffold_stripped", watched ? 0 : report.scaffold_chars);
    line.word("request_id", shown(record, record.request_id));
    line.word("route", shown(record, record.route));
    line.word("model", shown(record, model_of(record)));
    line.word("upstream", record.upstream);
    line.word("correction_upstream", record.correction_upstream);
    line.number("status", record.status);
    line.word("outcome", to_string(record.report != nullptr ? report.outcome : record.outcome));
    if (watched) {
        line.word("would", to_string(report.would));
        line.number("would_strip", report.scaffold_chars);
    }
    line.list("formats", names_of(report.formats));
    line.duration("first_token_ms", record.first_token);
    line.duration("total_ms", record.total);
    line.duration("overhead_ms", record.overhead);
    if (record.report != nullptr) {
        add_report(line, record);
    }
    line.word("error", report.error_code.empty() ? record.error_code : report.error_code);
    line.word("reason", record.reason);
    return line.take();
}

std::string span_line(const turn_record& record, const turn::logged_span& span,
                      config::log_format format) {
    const bool watched =
        record.report != nullptr && record.report->would != turn::shadow_verdict::none;
    fields line(format, watched ? "span left in place" : "stripped span");
    line.word("request_id", shown(record, record.request_id));
    line.word("model", shown(record, model_of(record)));
    line.word("format", span.format);
    line.word("rule", span.rule);
    line.number("attempt", span.attempt);
    line.number("choice", span.choice);
    line.number("offset", span.offset);
    line.number("chars", span.chars);
    line.text("text", mask_secrets(first_chars(span.excerpt, limits::span_excerpt_chars),
                                   record.credentials));
    return line.take();
}

std::string message_line(std::string_view message, config::log_format format) {
    std::string out;
    if (format == config::log_format::text) {
        append_one_line(out, message);
        return out;
    }
    out = "\"message\":\"";
    append_escaped(out, message, quoting::json);
    return out + '"';
}

} // namespace proxy::telemetry
