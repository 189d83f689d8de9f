#include "proxy/front/http_date.hpp"

#include <boost/test/unit_test.hpp>

#include <ctime>
#include <string>

using namespace proxy::front;

BOOST_AUTO_TEST_SUITE(dates)

BOOST_AUTO_TEST_CASE(are_written_as_http_writes_them) {
    const struct {
        std::time_t when;
        std::string text;
    } rows[] = {
        {784'111'777, "Sun, 06 Nov 1994 08:49:37 GMT"}, // the example of RFC 9110 5.6.7
        {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
        {951'782'399, "Mon, 28 Feb 2000 23:59:59 GMT"},
        {951'782'400, "Tue, 29 Feb 2000 00:00:00 GMT"},
        {4'102'444'799, "Thu, 31 Dec 2099 23:59:59 GMT"},
    };

    for (const auto& row : rows) {
        BOOST_TEST(http_date(row.when) == row.text);
    }
}

BOOST_AUTO_TEST_CASE(this_moment_is_one_of_the_seconds_around_the_call) {
    const auto before = std::time(nullptr);
    const std::string now(http_date_now());
    const auto after = std::time(nullptr);
    bool found = false;
    for (auto when = before; when <= after; ++when) {
        found = found || http_date(when) == now;
    }
    BOOST_TEST(found, now);
}

BOOST_AUTO_TEST_SUITE_END()
