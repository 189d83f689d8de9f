#include "proxy/telemetry/log.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <future>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace proxy;
using namespace proxy::telemetry;

namespace {

/// Runs `body` with the log going into a list, and gives the lines.
template <class Body>
std::vector<std::string> lines_of(config::log_settings settings, Body body) {
    std::vector<std::string> lines; // written by the log's thread, read after its end
    start_logging(settings, [&](std::string_view line) { lines.emplace_back(line); });
    body();
    stop_logging();
    return lines;
}

turn::report report_with_spans(std::size_t count) {
    turn::report report;
    report.outcome = turn::outcome::sanitized;
    report.scaffold_chars = 10 * count;
    for (std::size_t i = 0; i < count; ++i) {
        turn::logged_span span;
        span.format = "hermes";
        span.excerpt = "<tool_call>" + std::to_string(i);
        report.logged.push_back(span);
    }
    return report;
}

std::size_t count_with(const std::vector<std::string>& lines, std::string_view part) {
    return static_cast<std::size_t>(
        std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
            return line.find(part) != std::string::npos;
        }));
}

} // namespace

BOOST_AUTO_TEST_SUITE(log_lines)

BOOST_AUTO_TEST_CASE(text_lines_have_utc_time_level_and_message) {
    const auto lines = lines_of({}, [] {
        info("listening");
        warn("two\nlines");
        error("bad");
        debug("not shown at info");
    });
    BOOST_REQUIRE_EQUAL(lines.size(), 3u);
    const std::string time = R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z )";
    BOOST_TEST(std::regex_match(lines[0], std::regex(time + "info listening")), lines[0]);
    BOOST_TEST(std::regex_match(lines[1], std::regex(time + R"(warning two\\nlines)")), lines[1]);
    BOOST_TEST(std::regex_match(lines[2], std::regex(time + "error bad")), lines[2]);
}

BOOST_AUTO_TEST_CASE(json_lines_are_one_object_each) {
    config::log_settings settings;
    settings.format = config::log_format::json;
    const auto lines = lines_of(settings, [] {
        info("say \"hi\"");
        log_turn({});
    });
    BOOST_REQUIRE_EQUAL(lines.size(), 2u);
    const std::string head = R"(\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","level":"info",)";
    BOOST_TEST(std::regex_match(lines[0], std::regex(head + R"("message":"say \\"hi\\""\})")),
               lines[0]);
    BOOST_TEST(
        std::regex_match(
            lines[1],
            std::regex(
                head +
                R"("message":"turn","retries":0,"scaffold_stripped":0,"status":0,"outcome":"passed"\})")),
        lines[1]);
}

BOOST_AUTO_TEST_CASE(a_percent_or_brace_in_a_message_is_no_format) {
    const auto lines = lines_of({}, [] { info("{} %v %s {0}"); });
    BOOST_REQUIRE_EQUAL(lines.size(), 1u);
    BOOST_TEST(lines[0].ends_with(" info {} %v %s {0}"), lines[0]);
}

BOOST_AUTO_TEST_CASE(a_turn_gives_one_line_and_one_warning_for_each_span) {
    const turn::report report = report_with_spans(3);
    turn_record record;
    record.report = &report;
    const auto lines = lines_of({}, [&] { log_turn(record); });
    BOOST_REQUIRE_EQUAL(lines.size(), 4u);
    BOOST_TEST(count_with(lines, " warning stripped span ") == 3u);
    BOOST_TEST(lines[2].ends_with("text=\"<tool_call>2\""), lines[2]);
    BOOST_TEST(lines[3].find(" info turn retries=0 scaffold_stripped=30 ") != std::string::npos,
               lines[3]);
}

BOOST_AUTO_TEST_CASE(at_most_eight_spans_of_a_turn_are_shown) {
    const turn::report report = report_with_spans(20);
    turn_record record;
    record.report = &report;
    const auto lines = lines_of({}, [&] { log_turn(record); });
    BOOST_TEST(count_with(lines, "stripped span") == 8u);
    BOOST_TEST(count_with(lines, "scaffold_stripped=200") == 1u);
}

BOOST_AUTO_TEST_CASE(our_own_keys_are_masked_like_those_of_the_request) {
    turn::report report = report_with_spans(1);
    report.logged[0].excerpt = "<tool_call>our-own-key their-key";
    const std::vector<std::string> theirs{"their-key"};
    turn_record record;
    record.report = &report;
    record.credentials = theirs;
    std::vector<std::string> lines;
    start_logging({}, [&](std::string_view line) { lines.emplace_back(line); },
                  {"our-own-key", ""});
    log_turn(record);
    stop_logging();
    BOOST_REQUIRE_EQUAL(lines.size(), 2u);
    BOOST_TEST(lines[0].ends_with("text=\"<tool_call>*** ***\""), lines[0]);
}

BOOST_AUTO_TEST_CASE(spans_off_leaves_the_turn_line_alone) {
    const turn::report report = report_with_spans(3);
    turn_record record;
    record.report = &report;
    config::log_settings settings;
    settings.spans = false;
    const auto lines = lines_of(settings, [&] { log_turn(record); });
    BOOST_REQUIRE_EQUAL(lines.size(), 1u);
    BOOST_TEST(count_with(lines, "<tool_call>") == 0u);
}

BOOST_AUTO_TEST_CASE(levels_decide_what_is_written) {
    struct row {
        const char* level;
        std::size_t lines;
    };

    turn::report good;
    turn::report bad;
    bad.outcome = turn::outcome::failed;
    turn_record good_record, bad_record;
    good_record.report = &good;
    bad_record.report = &bad;
    for (const row& r : {row{"trace", 6}, row{"debug", 6}, row{"info", 5}, row{"warn", 3},
                         row{"error", 1}, row{"off", 0}}) {
        BOOST_TEST_CONTEXT(r.level) {
            config::log_settings settings;
            settings.level = r.level;
            const auto lines = lines_of(settings, [&] {
                debug("d");
                info("i");
                warn("w");
                error("e");
                log_turn(good_record);
                log_turn(bad_record);
            });
            BOOST_TEST(lines.size() == r.lines);
        }
    }
}

BOOST_AUTO_TEST_CASE(without_a_running_log_nothing_happens) {
    info("before");
    log_turn({});
    BOOST_TEST(lines_lost() == 0u);
    stop_logging();
    const auto lines = lines_of({}, [] { info("within"); });
    info("after");
    BOOST_REQUIRE_EQUAL(lines.size(), 1u);
    BOOST_TEST(lines[0].ends_with("within"));
}

BOOST_AUTO_TEST_CASE(a_reader_that_hangs_costs_old_lines_and_no_time) {
    std::promise<void> stuck, release;
    const auto released = release.get_future().share();
    std::vector<std::string> lines;
    bool first = true;
    start_logging({}, [&](std::string_view line) {
        if (std::exchange(first, false)) {
            stuck.set_value();
            released.wait();
        }
        lines.emplace_back(line);
    });
    info("first");
    stuck.get_future().wait();
    for (int i = 0; i < 20'000; ++i) { // would hang here for ever if the queue blocked
        info("line " + std::to_string(i));
    }
    BOOST_TEST(lines_lost() > 0u);
    release.set_value();
    stop_logging();
    BOOST_TEST(lines.size() < 20'000u);
    BOOST_TEST(count_with(lines, " info line 19999") == 1u);
    BOOST_TEST(count_with(lines, "log lines were lost") == 1u);
}

BOOST_AUTO_TEST_CASE(lines_of_several_threads_stay_whole) {
    const auto lines = lines_of({}, [] {
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([t] {
                for (int i = 0; i < 200; ++i) {
                    info("thread " + std::to_string(t) + " line " + std::to_string(i) + " end");
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    });
    BOOST_TEST(lines.size() == 800u);
    BOOST_TEST(count_with(lines, " end") == 800u);
}

BOOST_AUTO_TEST_SUITE_END()
