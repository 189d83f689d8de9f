#include "proxy/telemetry/counters.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/base/version.hpp"
#include "proxy/telemetry/log.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <set>
#include <utility>

namespace proxy::telemetry {

namespace {

using prometheus::Counter;
using prometheus::Histogram;
using turn::outcome;
using turn::shadow_verdict;
using family = prometheus::Family<Counter>;

constexpr std::array routes{"chat", "completions", "other", "refused"};
constexpr std::array classes{"none", "2xx", "3xx", "4xx", "5xx"};
constexpr std::array outcomes{outcome::clean,    outcome::sanitized, outcome::corrected,
                              outcome::failed,   outcome::passed,    outcome::error,
                              outcome::cancelled};
static_assert(static_cast<std::size_t>(outcomes.back()) + 1 == outcomes.size()); // an index, too
constexpr std::array verdicts{shadow_verdict::clean, shadow_verdict::sanitize,
                              shadow_verdict::correct, shadow_verdict::fail};

const Histogram::BucketBoundaries seconds{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300};

// The values that a label may have: those that were given, and as many new ones as there is room
// for; any other becomes "other".
class label_values {
  public:
    label_values(std::vector<std::string> known, std::size_t most)
        : known_(known.begin(), known.end()), most_(most) {}

    std::string of(const std::string& value) {
        const std::lock_guard lock(mutex_);
        const bool room = known_.size() < most_;
        return known_.contains(value) || (room && known_.insert(value).second) ? value : "other";
    }

  private:
    std::mutex mutex_;
    std::set<std::string> known_;
    std::size_t most_;
};

// Index of a route of ours.
std::size_t route_index(std::string_view name) {
    const auto found = std::find(routes.begin(), routes.end(), name);
    return found == routes.end() ? 2 : static_cast<std::size_t>(found - routes.begin());
}

std::size_t class_index(unsigned status) {
    return status >= 200 && status < 600 ? status / 100 - 1 : 0;
}

double in_seconds(std::chrono::microseconds time) {
    return std::chrono::duration<double>(time).count();
}

} // namespace

struct counters::impl {
    prometheus::Registry registry;
    label_values formats;
    label_values codes{{}, limits::error_codes_counted_max};
    mutable std::mutex reading; // one reader at a time: it sets what is only known then

    family& exchanges = count("exchanges_total", "Exchanges that ended, by route and outcome");
    family& statuses = count("answers_total", "Answers to clients, by class of their status");
    family& spans = count("stripped_spans_total", "Spans of markup taken out, by format");
    family& chars = count("stripped_characters_total", "Characters of these spans");
    family& shadow_spans = count("shadow_spans_total", "Spans found and left in place, by format");
    family& shadow_chars = count("shadow_characters_total", "Characters of these spans");
    family& would = count("shadow_turns_total", "Watched turns, by what enforcing had come to");
    family& corrections = count("corrections_total", "Correction requests, by their turn's end");
    family& errors = count("errors_total", "Errors that this proxy gave its clients, by code");
    family& tokens = count("tokens_total", "Tokens that upstreams told, by kind");
    Counter& budget = count("budget_spent_total", "Corrections that the budget forbade").Add({});
    Counter& retries = count("retries_total", "Requests sent again, not a byte written").Add({});
    Counter& nulled =
        count("token_lists_nulled_total", "Token lists that did not spell their text").Add({});
    Counter& lost = count("log_lines_lost_total", "Log lines lost to a full queue").Add({});
    prometheus::Gauge& in_progress = prometheus::BuildGauge()
                                         .Name("unscaffold_exchanges_in_progress")
                                         .Help("Exchanges that have not ended")
                                         .Register(registry)
                                         .Add({});

    std::array<std::array<Counter*, outcomes.size()>, routes.size()> exchange{};
    std::array<Counter*, classes.size()> status{};
    std::array<Histogram*, routes.size()> first_token{};
    std::array<Histogram*, routes.size()> total{};

    explicit impl(std::vector<std::string> names)
        : formats(std::move(names), 0) { // no room: the catalog's names are all there are
        make_series();
        prometheus::BuildGauge()
            .Name("unscaffold_build_info")
            .Help("Always 1; the version is a label")
            .Register(registry)
            .Add({{"version", base::version}})
            .Set(1);
    }

    family& count(const char* name, const char* help) {
        return prometheus::BuildCounter()
            .Name(std::string("unscaffold_") + name)
            .Help(help)
            .Register(registry);
    }

    prometheus::Family<Histogram>& time(const char* name, const char* help) {
        return prometheus::BuildHistogram()
            .Name(std::string("unscaffold_") + name)
            .Help(help)
            .Register(registry);
    }

    // Series that are there from the start, so that their first increase is seen as one.
    void make_series() {
        auto& first = time("first_token_seconds", "Request read to first visible byte");
        auto& whole = time("exchange_seconds", "Request read to last byte written");
        for (std::size_t r = 0; r < routes.size(); ++r) {
            first_token[r] = &first.Add({{"route", routes[r]}}, seconds);
            total[r] = &whole.Add({{"route", routes[r]}}, seconds);
            for (std::size_t o = 0; o < outcomes.size(); ++o) {
                exchange[r][o] = &exchanges.Add(
                    {{"route", routes[r]}, {"outcome", std::string(to_string(outcomes[o]))}});
            }
        }
        for (std::size_t c = 0; c < classes.size(); ++c) {
            status[c] = &statuses.Add({{"class", classes[c]}});
        }
        for (const auto verdict : verdicts) {
            would.Add({{"would", std::string(to_string(verdict))}});
        }
        for (const auto end : {outcome::corrected, outcome::failed}) {
            corrections.Add({{"outcome", std::string(to_string(end))}});
        }
    }

    void add_report(const turn::report& report) {
        const bool watched = report.would != shadow_verdict::none;
        if (watched) {
            would.Add({{"would", std::string(to_string(report.would))}}).Increment();
        }
        for (const auto& sum : report.formats) {
            const prometheus::Labels label{{"format", formats.of(sum.name)}};
            (watched ? shadow_spans : spans).Add(label).Increment(static_cast<double>(sum.spans));
            (watched ? shadow_chars : chars).Add(label).Increment(static_cast<double>(sum.chars));
        }
        if (report.corrections > 0) {
            corrections.Add({{"outcome", std::string(to_string(report.outcome))}})
                .Increment(report.corrections);
        }
        if (report.budget_spent) {
            budget.Increment();
        }
        nulled.Increment(static_cast<double>(report.token_lists_nulled));
        if (report.prompt_tokens > 0 || report.completion_tokens > 0) {
            tokens.Add({{"kind", "prompt"}}).Increment(static_cast<double>(report.prompt_tokens));
            tokens.Add({{"kind", "completion"}})
                .Increment(static_cast<double>(report.completion_tokens));
        }
    }
};

counters::counters(std::vector<std::string> formats)
    : impl_(std::make_unique<impl>(std::move(formats))) {}

counters::~counters() = default;

void counters::add(const turn_record& record) {
    auto& all = *impl_;
    const auto route = route_index(record.route);
    const auto end = record.report != nullptr ? record.report->outcome : record.outcome;
    all.exchange[route][static_cast<std::size_t>(end)]->Increment();
    all.status[class_index(record.status)]->Increment();
    all.retries.Increment(record.retries);
    if (record.first_token) {
        all.first_token[route]->Observe(in_seconds(*record.first_token));
    }
    if (record.total) {
        all.total[route]->Observe(in_seconds(*record.total));
    }
    std::string code(record.error_code);
    if (record.report != nullptr) {
        all.add_report(*record.report);
        code = record.report->error_code.empty() ? code : record.report->error_code;
    }
    if (!code.empty()) {
        all.errors.Add({{"code", all.codes.of(code)}}).Increment();
    }
}

std::string counters::text(std::size_t in_progress) const {
    auto& all = *impl_;
    const std::lock_guard lock(all.reading);
    all.in_progress.Set(static_cast<double>(in_progress));
    all.lost.Increment(static_cast<double>(lines_lost()) - all.lost.Value());
    return prometheus::TextSerializer().Serialize(all.registry.Collect());
}

} // namespace proxy::telemetry
