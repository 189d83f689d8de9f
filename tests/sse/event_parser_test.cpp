#include "proxy/sse/event_parser.hpp"
#include "tests/sse/reading.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(event_parser)

BOOST_AUTO_TEST_SUITE_END()
