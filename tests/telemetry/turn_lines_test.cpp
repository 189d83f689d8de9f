#include "proxy/telemetry/turn_lines.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy;
using namespace proxy::telemetry;
using config::log_format;
using std::chrono::microseconds;

namespace {

turn::report full_report() {
    turn::report report;
    report.outcome = turn::outcome::corrected;
    report.scaffold_chars = 123;
    report.spans = 1;
    report.formats = {{"hermes", 1, 100}, {"qwen3_coder", 1, 23}};
    report.corrections = 1;
    report.finish = "stop";
    report.model = "qwen3";
    report.prompt_tokens = 20;
    report.completion_tokens = 7;
    report.logged.push_back({.choice = 2,
                             .attempt = 1,
                             .format = "hermes",
                             .rule = "payload",
                             .offset = 5,
                             .chars = 123,
                             .excerpt = "<tool_call>\n{\"name\": \"x\"}"});
    return report;
}

turn_record full_record(const turn::report& report) {
    turn_record record;
    record.report = &report;
    record.request_id = "req-1";
    record.route = "chat";
    record.model = "asked";
    record.upstream = "main";
    record.status = 200;
    record.retries = 1;
    record.first_token = microseconds(12'034);
    record.total = microseconds(1'000'007);
    record.overhead = microseconds(250);
    return record;
}

} // namespace

BOOST_AUTO_TEST_SUITE(turn_lines)

BOOST_AUTO_TEST_CASE(a_failure_is_told_with_its_reason) {
    turn_record record;
    record.outcome = turn::outcome::error;
    record.status = 502;
    record.error_code = "upstream_unavailable";
    BOOST_TEST(turn_line(record, log_format::text).ends_with(" error=upstream_unavailable"));
    record.reason = "It refused the connection.";
    BOOST_TEST(turn_line(record, log_format::text)
                   .ends_with(" error=upstream_unavailable reason=\"It refused the connection.\""));
    BOOST_TEST(turn_line(record, log_format::json)
                   .ends_with(",\"reason\":\"It refused the connection.\""));
}

BOOST_AUTO_TEST_CASE(a_full_turn_reads_like_this) {
    const turn::report report = full_report();
    const turn_record record = full_record(report);
    BOOST_TEST(turn_line(record, log_format::text) ==
               "turn retries=1 scaffold_stripped=123 request_id=req-1 route=chat model=qwen3 "
               "upstream=main status=200 "
               "outcome=corrected formats=hermes,qwen3_coder first_token_ms=12.034 "
               "total_ms=1000.007 overhead_ms=0.250 "
               "corrections=1 prompt_tokens=20 completion_tokens=7 finish=stop");
    BOOST_TEST(
        turn_line(record, log_format::json) ==
        "\"message\":\"turn\",\"retries\":1,\"scaffold_stripped\":123,\"request_id\":\"req-1\","
        "\"route\":\"chat\","
        "\"model\":\"qwen3\",\"upstream\":\"main\",\"status\":200,\"outcome\":\"corrected\","
        "\"formats\":[\"hermes\",\"qwen3_coder\"],\"first_token_ms\":12.034,\"total_ms\":1000.007,"
        "\"overhead_ms\":0.250,\"corrections\":1,\"prompt_tokens\":20,\"completion_tokens\":7,"
        "\"finish\":\"stop\"");
}

BOOST_AUTO_TEST_CASE(a_turn_of_which_nothing_is_known_still_has_both_counters) {
    turn_record record;
    BOOST_TEST(turn_line(record, log_format::text) ==
               "turn retries=0 scaffold_stripped=0 status=0 outcome=passed");
    record.outcome = turn::outcome::error;
    record.error_code = "upstream_unavailable";
    record.status = 502;
    record.model = "asked";
    BOOST_TEST(turn_line(record, log_format::text) ==
               "turn retries=0 scaffold_stripped=0 model=asked status=502 outcome=error "
               "error=upstream_unavailable");
}

BOOST_AUTO_TEST_CASE(what_an_upstream_sends_behind_its_end_is_told) {
    turn::report report;
    report.bytes_after_end = 42;
    turn_record record;
    record.report = &report;
    BOOST_TEST(turn_line(record, log_format::text).find(" bytes_after_end=42") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_watched_turn_says_what_would_have_been_done_and_that_it_was_not) {
    turn::report report = full_report();
    report.outcome = turn::outcome::passed;
    report.would = turn::shadow_verdict::correct;
    report.corrections = 0;
    report.model.clear();
    report.prompt_tokens = report.completion_tokens = 0;
    turn_record record;
    record.report = &report;
    BOOST_TEST(turn_line(record, log_format::text) ==
               "turn retries=0 scaffold_stripped=0 status=0 outcome=passed would=correct "
               "would_strip=123 formats=hermes,qwen3_coder finish=stop");
    BOOST_TEST(span_line(record, report.logged[0], log_format::text)
                   .starts_with("span left in place format=hermes rule=payload"));
}

BOOST_AUTO_TEST_CASE(a_correction_by_another_upstream_names_both) {
    turn_record record;
    record.upstream = "main";
    record.correction_upstream = "spare";
    BOOST_TEST(
        turn_line(record, log_format::text) ==
        "turn retries=0 scaffold_stripped=0 upstream=main correction_upstream=spare status=0 "
        "outcome=passed");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_turn_stands_before_one_of_the_record) {
    turn::report report;
    report.outcome = turn::outcome::failed;
    report.error_code = "malformed_reply";
    report.budget_spent = true;
    turn_record record;
    record.report = &report;
    record.error_code = "other";
    BOOST_TEST(turn_line(record, log_format::text) ==
               "turn retries=0 scaffold_stripped=0 status=0 outcome=failed budget=spent "
               "error=malformed_reply");
}

BOOST_AUTO_TEST_CASE(a_span_reads_like_this) {
    const turn::report report = full_report();
    const turn_record record = full_record(report);
    BOOST_TEST(span_line(record, report.logged[0], log_format::text) ==
               "stripped span request_id=req-1 model=qwen3 format=hermes rule=payload attempt=1 "
               "choice=2 offset=5 chars=123 "
               "text=\"<tool_call>\\n{\\\"name\\\": \\\"x\\\"}\"");
    BOOST_TEST(span_line(record, report.logged[0], log_format::json) ==
               "\"message\":\"stripped "
               "span\",\"request_id\":\"req-1\",\"model\":\"qwen3\",\"format\":\"hermes\","
               "\"rule\":\"payload\",\"attempt\":1,\"choice\":2,\"offset\":5,\"chars\":123,"
               "\"text\":\"<tool_call>\\n{\\\"name\\\": \\\"x\\\"}\"");
}

BOOST_AUTO_TEST_CASE(foreign_strings_can_forge_nothing_and_are_capped) {
    turn_record record;
    const std::string id = "a\nturn retries=9 \"b\" \x1b[31m";
    record.request_id = id;
    const std::string model(1'000, 'm');
    record.model = model;
    const std::string line = turn_line(record, log_format::text);
    BOOST_TEST(line.find("request_id=\"a\\nturn retries=9 \\\"b\\\" \\x1b[31m\"") !=
               std::string::npos);
    BOOST_TEST(line.find("model=" + std::string(128, 'm') + " ") != std::string::npos);
    BOOST_TEST(line.find('\n') == std::string::npos);
    const std::string json = turn_line(record, log_format::json);
    BOOST_TEST(json.find("\"request_id\":\"a\\nturn retries=9 \\\"b\\\" \\u001b[31m\"") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_span_shows_200_characters_and_no_more) {
    turn_record record;
    turn::logged_span span;
    for (int i = 0; i < 300; ++i) {
        span.excerpt += "\xc3\xa9";
    }
    std::string shown;
    for (int i = 0; i < 200; ++i) {
        shown += "\xc3\xa9";
    }
    const std::string line = span_line(record, span, log_format::text);
    BOOST_TEST(line.ends_with("text=\"" + shown + "\""));
}

BOOST_AUTO_TEST_CASE(planted_secrets_stay_out_of_every_line) {
    const std::vector<std::string> secrets{"planted-bearer", "planted-cookie"};
    turn::report report = full_report();
    report.model = "m-planted-bearer";
    report.finish = "planted-cookie";
    report.logged[0].excerpt = "<tool_call>{\"a\":\"planted-bearer\",\"b\":\"sk-unplanned12345\"}";
    turn_record record = full_record(report);
    record.credentials = secrets;
    record.request_id = "id-planted-cookie";
    record.route = "planted-bearer";
    for (const log_format format : {log_format::text, log_format::json}) {
        for (const std::string& line :
             {turn_line(record, format), span_line(record, report.logged[0], format)}) {
            BOOST_TEST_CONTEXT(line) {
                BOOST_TEST(line.find("planted-bearer") == std::string::npos);
                BOOST_TEST(line.find("planted-cookie") == std::string::npos);
                BOOST_TEST(line.find("sk-unplanned") == std::string::npos);
                BOOST_TEST(line.find("***") != std::string::npos);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_secret_cut_by_the_cap_does_not_show_either) {
    const std::vector<std::string> secrets{"planted-secret-of-the-request"};
    turn_record record;
    record.credentials = secrets;
    const std::string model = std::string(110, 'm') + secrets[0];
    record.model = model;
    BOOST_TEST(turn_line(record, log_format::text).find("planted") == std::string::npos);
    turn::logged_span span;
    span.excerpt = std::string(190, 'x') + ' ' + secrets[0];
    BOOST_TEST(span_line(record, span, log_format::text).find("planted") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(messages_stay_one_line) {
    BOOST_TEST(message_line("value \"x\":\nno", log_format::text) == "value \"x\":\\nno");
    BOOST_TEST(message_line("value \"x\":\nno", log_format::json) ==
               "\"message\":\"value \\\"x\\\":\\nno\"");
}

BOOST_AUTO_TEST_SUITE_END()
