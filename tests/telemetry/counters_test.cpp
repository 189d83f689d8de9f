#include "proxy/base/limits.hpp"
#include "proxy/telemetry/counters.hpp"

#include "tests/support/metrics.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <vector>

using namespace proxy;
using namespace proxy::telemetry;
using std::chrono::microseconds;
using turn::outcome;
using turn::shadow_verdict;

namespace {

using samples = std::map<std::string, double>;

samples counted(const counters& all, std::size_t in_progress = 0) {
    return ::tests::read_metrics(all.text(in_progress));
}

// The samples that differ from a process that has done nothing, without those of the histograms.
samples changed(const counters& all) {
    static const samples before = counted(counters({}));
    samples now = counted(all);
    std::erase_if(now, [](const auto& each) {
        const auto old = before.find(each.first);
        return each.first.find("_seconds") != std::string::npos ||
               each.second == (old == before.end() ? 0 : old->second);
    });
    return now;
}

turn_record record_of(const turn::report& report, unsigned status = 200) {
    turn_record record;
    record.report = &report;
    record.route = "chat";
    record.status = status;
    return record;
}

} // namespace

BOOST_AUTO_TEST_SUITE(counting)

BOOST_AUTO_TEST_CASE(each_kind_of_exchange_moves_its_own_counters_and_no_other) {
    const struct {
        const char* what;
        void (*set)(turn::report&);
        samples expected;
    } rows[] = {
        {"clean",
         [](turn::report&) {},
         {{"unscaffold_exchanges_total{outcome=\"clean\",route=\"chat\"}", 1}}},
        {"sanitized",
         [](turn::report& r) {
             r.outcome = outcome::sanitized;
             r.formats = {{"hermes", 2, 50}, {"mistral", 1, 10}};
         },
         {{"unscaffold_exchanges_total{outcome=\"sanitized\",route=\"chat\"}", 1},
          {"unscaffold_stripped_spans_total{format=\"hermes\"}", 2},
          {"unscaffold_stripped_spans_total{format=\"mistral\"}", 1},
          {"unscaffold_stripped_characters_total{format=\"hermes\"}", 50},
          {"unscaffold_stripped_characters_total{format=\"mistral\"}", 10}}},
        {"corrected",
         [](turn::report& r) {
             r.outcome = outcome::corrected;
             r.formats = {{"hermes", 1, 58}};
             r.corrections = 1;
             r.prompt_tokens = 20;
             r.completion_tokens = 7;
         },
         {{"unscaffold_exchanges_total{outcome=\"corrected\",route=\"chat\"}", 1},
          {"unscaffold_corrections_total{outcome=\"corrected\"}", 1},
          {"unscaffold_stripped_spans_total{format=\"hermes\"}", 1},
          {"unscaffold_stripped_characters_total{format=\"hermes\"}", 58},
          {"unscaffold_tokens_total{kind=\"prompt\"}", 20},
          {"unscaffold_tokens_total{kind=\"completion\"}", 7}}},
        {"failed twice",
         [](turn::report& r) {
             r.outcome = outcome::failed;
             r.corrections = 1;
             r.error_code = "malformed_reply";
         },
         {{"unscaffold_exchanges_total{outcome=\"failed\",route=\"chat\"}", 1},
          {"unscaffold_corrections_total{outcome=\"failed\"}", 1},
          {"unscaffold_errors_total{code=\"malformed_reply\"}", 1}}},
        {"failed, no budget",
         [](turn::report& r) {
             r.outcome = outcome::failed;
             r.budget_spent = true;
             r.error_code = "malformed_reply";
         },
         {{"unscaffold_exchanges_total{outcome=\"failed\",route=\"chat\"}", 1},
          {"unscaffold_budget_spent_total", 1},
          {"unscaffold_errors_total{code=\"malformed_reply\"}", 1}}},
        {"cancelled in its correction",
         [](turn::report& r) {
             r.outcome = outcome::cancelled;
             r.corrections = 1;
         },
         {{"unscaffold_exchanges_total{outcome=\"cancelled\",route=\"chat\"}", 1},
          {"unscaffold_corrections_total{outcome=\"cancelled\"}", 1}}},
        {"watched",
         [](turn::report& r) {
             r.outcome = outcome::passed;
             r.would = shadow_verdict::correct;
             r.formats = {{"hermes", 1, 58}};
         },
         {{"unscaffold_exchanges_total{outcome=\"passed\",route=\"chat\"}", 1},
          {"unscaffold_shadow_turns_total{would=\"correct\"}", 1},
          {"unscaffold_shadow_spans_total{format=\"hermes\"}", 1},
          {"unscaffold_shadow_characters_total{format=\"hermes\"}", 58}}},
        {"token lists",
         [](turn::report& r) { r.token_lists_nulled = 4; },
         {{"unscaffold_exchanges_total{outcome=\"clean\",route=\"chat\"}", 1},
          {"unscaffold_token_lists_nulled_total", 4}}},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            counters all({"hermes", "mistral"});
            turn::report report;
            row.set(report);
            all.add(record_of(report));
            samples expected = row.expected;
            expected["unscaffold_answers_total{class=\"2xx\"}"] = 1;
            const samples found = changed(all);
            for (const auto& [name, value] : found) {
                BOOST_TEST(::tests::sample(expected, name) == value, name << " is " << value);
            }
            BOOST_TEST(found.size() == expected.size());
        }
    }
}

BOOST_AUTO_TEST_CASE(what_no_sanitizer_saw_counts_by_its_record) {
    counters all({});
    turn_record record;
    record.outcome = outcome::error;
    record.route = "other";
    record.status = 502;
    record.retries = 2;
    record.error_code = "upstream_unavailable";
    all.add(record);
    record.route = "refused";
    record.status = 400;
    record.retries = 0;
    record.error_code = "bad_request";
    all.add(record);
    record.route = "elsewhere";
    record.outcome = outcome::passed;
    record.status = 304;
    record.error_code = {};
    all.add(record);
    record.outcome = outcome::cancelled;
    record.status = 0;
    all.add(record);
    const samples expected{
        {"unscaffold_exchanges_total{outcome=\"error\",route=\"other\"}", 1},
        {"unscaffold_exchanges_total{outcome=\"error\",route=\"refused\"}", 1},
        {"unscaffold_exchanges_total{outcome=\"passed\",route=\"other\"}", 1},
        {"unscaffold_exchanges_total{outcome=\"cancelled\",route=\"other\"}", 1},
        {"unscaffold_answers_total{class=\"5xx\"}", 1},
        {"unscaffold_answers_total{class=\"4xx\"}", 1},
        {"unscaffold_answers_total{class=\"3xx\"}", 1},
        {"unscaffold_answers_total{class=\"none\"}", 1},
        {"unscaffold_retries_total", 2},
        {"unscaffold_errors_total{code=\"upstream_unavailable\"}", 1},
        {"unscaffold_errors_total{code=\"bad_request\"}", 1},
    };
    BOOST_TEST((changed(all) == expected), all.text(0));
}

BOOST_AUTO_TEST_CASE(a_status_that_no_answer_has_counts_as_none) {
    for (const unsigned status : {0u, 101u, 199u, 600u, 999u}) {
        counters all({});
        all.add(record_of({}, status));
        BOOST_TEST(::tests::sample(counted(all), "unscaffold_answers_total{class=\"none\"}") == 1);
    }
}

BOOST_AUTO_TEST_CASE(times_are_counted_in_seconds_by_route) {
    counters all({});
    const turn::report report;
    turn_record record = record_of(report);
    record.first_token = microseconds(70'000);
    record.total = microseconds(1'500'000);
    all.add(record);
    record.first_token = {};
    record.total = microseconds(400'000'000);
    all.add(record);
    const samples found = counted(all);
    const auto of = [&](const std::string& name) {
        return ::tests::sample(found, "unscaffold_" + name);
    };
    BOOST_TEST(of("first_token_seconds_count{route=\"chat\"}") == 1);
    BOOST_TEST(of("first_token_seconds_sum{route=\"chat\"}") == 0.07);
    BOOST_TEST(of("first_token_seconds_bucket{route=\"chat\",le=\"0.05\"}") == 0);
    BOOST_TEST(of("first_token_seconds_bucket{route=\"chat\",le=\"0.1\"}") == 1);
    BOOST_TEST(of("exchange_seconds_count{route=\"chat\"}") == 2);
    BOOST_TEST(of("exchange_seconds_sum{route=\"chat\"}") == 401.5);
    BOOST_TEST(of("exchange_seconds_bucket{route=\"chat\",le=\"2.5\"}") == 1);
    BOOST_TEST(of("exchange_seconds_bucket{route=\"chat\",le=\"300\"}") == 1);
    BOOST_TEST(of("exchange_seconds_bucket{route=\"chat\",le=\"+Inf\"}") == 2);
    BOOST_TEST(of("exchange_seconds_count{route=\"other\"}") == 0);
}

BOOST_AUTO_TEST_CASE(names_that_are_not_known_never_become_labels) {
    counters all({"hermes"});
    turn::report report;
    for (int i = 0; i < 1'000; ++i) {
        report.formats = {{"hermes", 1, 1}, {"made_up_" + std::to_string(i), 1, 2}};
        report.error_code = "code_" + std::to_string(i);
        report.model = "model_" + std::to_string(i);
        report.finish = "finish_" + std::to_string(i);
        all.add(record_of(report));
    }
    const samples found = counted(all);
    BOOST_TEST(::tests::sample(found, "unscaffold_stripped_spans_total{format=\"hermes\"}") ==
               1'000);
    BOOST_TEST(::tests::sample(found, "unscaffold_stripped_spans_total{format=\"other\"}") ==
               1'000);
    BOOST_TEST(::tests::sample(found, "unscaffold_stripped_characters_total{format=\"other\"}") ==
               2'000);
    const auto codes = std::ranges::count_if(
        found, [](const auto& each) { return each.first.starts_with("unscaffold_errors_total"); });
    BOOST_TEST(static_cast<std::size_t>(codes) == limits::error_codes_counted_max + 1);
    BOOST_TEST(::tests::sample(found, "unscaffold_errors_total{code=\"other\"}") ==
               1'000. - static_cast<double>(limits::error_codes_counted_max));
    const std::string text = all.text(0);
    for (const char* foreign : {"model_", "finish_", "made_up_"}) {
        BOOST_TEST(text.find(foreign) == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(what_can_happen_is_listed_before_it_does) {
    const samples found = counted(counters({"hermes"}), 17);
    for (const char* name : {"unscaffold_exchanges_total{outcome=\"failed\",route=\"completions\"}",
                             "unscaffold_answers_total{class=\"5xx\"}",
                             "unscaffold_corrections_total{outcome=\"failed\"}",
                             "unscaffold_shadow_turns_total{would=\"fail\"}",
                             "unscaffold_budget_spent_total", "unscaffold_retries_total"}) {
        BOOST_TEST(found.contains(name), name);
        BOOST_TEST(::tests::sample(found, name) == 0);
    }
    BOOST_TEST(::tests::sample(found, "unscaffold_exchanges_in_progress") == 17);
    BOOST_TEST(::tests::sample(found, "unscaffold_build_info{version=\"0.1.0\"}") == 1);
}

BOOST_AUTO_TEST_CASE(threads_that_count_at_once_lose_nothing) {
    counters all({"hermes"});
    constexpr int each = 2'000;
    const auto work = [&all] {
        turn::report report;
        report.outcome = outcome::failed;
        report.formats = {{"hermes", 1, 3}};
        report.error_code = "malformed_reply";
        turn_record record = record_of(report);
        record.total = microseconds(1'000);
        for (int i = 0; i < each; ++i) {
            all.add(record);
        }
    };
    std::thread first(work);
    std::thread second(work);
    for (int i = 0; i < 20; ++i) {
        (void)counted(all); // a reader in between
    }
    first.join();
    second.join();
    const samples found = counted(all);
    for (const char* name : {"unscaffold_exchanges_total{outcome=\"failed\",route=\"chat\"}",
                             "unscaffold_errors_total{code=\"malformed_reply\"}",
                             "unscaffold_stripped_spans_total{format=\"hermes\"}",
                             "unscaffold_exchange_seconds_count{route=\"chat\"}"}) {
        BOOST_TEST(::tests::sample(found, name) == 2 * each, name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
