#include "proxy/demo/request_log.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>

using namespace proxy::demo;

namespace {

request_record asked(std::string model, std::string body = "{}") {
    request_record record;
    record.model = std::move(model);
    record.method = "POST";
    record.target = "/v1/chat/completions";
    record.headers = {{"authorization", "Bearer \"x\""}};
    record.body = std::move(body);
    return record;
}

} // namespace

BOOST_AUTO_TEST_SUITE(demo_request_log)

BOOST_AUTO_TEST_CASE(requests_are_counted_for_each_model_without_its_options) {
    request_log log;
    log.begin(asked("a?pace_ms=1"));
    log.begin(asked("a"));
    log.begin(asked("b"));
    BOOST_TEST(log.count() == 3U);
    BOOST_TEST(log.count("a") == 2U);
    BOOST_TEST(log.count("c") == 0U);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_request_is_kept_with_it) {
    request_log log;
    const auto first = log.begin(asked("a"));
    const auto second = log.begin(asked("b"));
    log.end(first, 200, progress::closed_by_peer, 5);
    const auto records = log.records();
    BOOST_TEST(records.at(0).number == first);
    BOOST_TEST((records.at(0).state == progress::closed_by_peer));
    BOOST_TEST(records.at(0).writes == 5U);
    BOOST_TEST((records.at(0).ended >= records.at(0).began));
    BOOST_TEST(records.at(1).number == second);
    BOOST_TEST((records.at(1).state == progress::active));
}

BOOST_AUTO_TEST_CASE(old_requests_and_long_bodies_are_forgotten) {
    request_log log;
    for (std::size_t i = 0; i < records_max + 5; ++i) {
        log.end(log.begin(asked("a")), 200, progress::answered, 0);
    }
    BOOST_TEST(log.records().size() == records_max);
    BOOST_TEST(log.records().front().number == 6U);
    BOOST_TEST(log.count() == records_max + 5);

    log.clear();
    const auto kept = record_bodies_max / record_body_max;
    for (std::size_t i = 0; i < kept + 3; ++i) {
        log.begin(asked("a", std::string(record_body_max + 1, 'x')));
    }
    BOOST_TEST(log.records().size() == kept);
    BOOST_TEST(log.records().front().body.size() == record_body_max);
    BOOST_TEST(log.records().front().body_bytes == record_body_max + 1);
}

BOOST_AUTO_TEST_CASE(waiting_ends_when_nothing_is_active_or_the_time_is_over) {
    using std::chrono::milliseconds;
    request_log log;
    BOOST_TEST(log.wait_idle(0, milliseconds(0)));
    BOOST_TEST(!log.wait_idle(1, milliseconds(1)));
    const auto number = log.begin(asked("a"));
    BOOST_TEST(!log.wait_idle(1, milliseconds(1)));
    std::thread other([&] { log.end(number, 200, progress::answered, 1); });
    BOOST_TEST(log.wait_idle(1, milliseconds(10'000)));
    other.join();
}

BOOST_AUTO_TEST_CASE(a_request_that_ends_after_clear_is_no_longer_active) {
    request_log log;
    const auto number = log.begin(asked("a"));
    log.clear();
    log.end(number, 200, progress::answered, 1);
    BOOST_TEST(log.records().empty());
    BOOST_TEST(log.wait_idle(0, std::chrono::milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(the_log_is_json) {
    request_log log;
    BOOST_TEST(boost::json::parse(log.json()).at("requests").as_array().empty());
    log.end(log.begin(asked("a\"b", "{\"x\":\"\n\"}")), 429, progress::answered, 3);
    log.begin(asked("c"));
    const auto parsed = boost::json::parse(log.json());
    BOOST_TEST(parsed.at("count").as_int64() == 2);
    BOOST_TEST(parsed.at("active").as_int64() == 1);
    const auto& first = parsed.at("requests").at(0);
    BOOST_TEST(first.at("model").as_string() == "a\"b");
    BOOST_TEST(first.at("body").as_string() == "{\"x\":\"\n\"}");
    BOOST_TEST(first.at("body_bytes").as_int64() == 9);
    BOOST_TEST(first.at("status").as_int64() == 429);
    BOOST_TEST(first.at("state").as_string() == "answered");
    BOOST_TEST(first.at("headers").at("authorization").as_string() == "Bearer \"x\"");
    BOOST_TEST(first.at("ended_unix_ms").as_int64() >= first.at("began_unix_ms").as_int64());
    BOOST_TEST(parsed.at("requests").at(1).at("state").as_string() == "active");
}

BOOST_AUTO_TEST_SUITE_END()
