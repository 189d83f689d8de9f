#include "proxy/demo/model_query.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::demo;

BOOST_AUTO_TEST_SUITE(demo_model_query)

BOOST_AUTO_TEST_CASE(a_plain_name_has_no_options) {
    const auto query = read_model_query("leak-hermes");
    BOOST_TEST(query.name == "leak-hermes");
    BOOST_TEST(!query.pace.has_value());
    BOOST_TEST(query.per_write == 1U);
    BOOST_TEST(!query.framing.has_value());
    BOOST_TEST(!query.gzip);
    BOOST_TEST(query.error.empty());
}

BOOST_AUTO_TEST_CASE(options_are_read) {
    const auto query = read_model_query("bench?tokens=7&pace_us=250&per_write=16&framing=length");
    BOOST_TEST(query.name == "bench");
    BOOST_TEST(query.tokens == 7U);
    BOOST_TEST(query.pace.value().count() == 250);
    BOOST_TEST(query.per_write == 16U);
    BOOST_TEST((query.framing == framing::length));
    BOOST_TEST(read_model_query("x?pace_ms=3").pace.value().count() == 3000);
    BOOST_TEST(read_model_query("x?coding=gzip").gzip);
    BOOST_TEST((read_model_query("x?framing=close").framing == framing::close));
    BOOST_TEST((read_model_query("x?framing=chunked").framing == framing::chunked));
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_is_named) {
    for (const std::string option :
         {"speed=9", "tokens=", "tokens=-1", "tokens=1x", "per_write=0", "framing=zip", "coding=br",
          "coding=", "pace_ms", "tokens=10000001"}) {
        BOOST_TEST_CONTEXT(option) {
            const auto query = read_model_query("bench?" + option);
            BOOST_TEST(query.error.find(option) != std::string::npos);
        }
    }
    BOOST_TEST(read_model_query("bench?").error.empty());
}

BOOST_AUTO_TEST_SUITE_END()
