#include "proxy/sse/event_writer.hpp"

#include "tests/sse/reading.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(event_writer)

BOOST_AUTO_TEST_CASE(a_data_event_ends_in_a_blank_line) {
    std::string out = "before";
    proxy::sse::append_data_event(out, R"({"a":1})");
    BOOST_TEST(out == "beforedata: {\"a\":1}\n\n");
}

BOOST_AUTO_TEST_CASE(a_comment_has_a_blank_line_only_if_asked_for) {
    std::string out;
    proxy::sse::append_comment(out, "keep-alive", true);
    proxy::sse::append_comment(out, "keep-alive", false);
    BOOST_TEST(out == ": keep-alive\n\n: keep-alive\n");
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back) {
    std::string out;
    proxy::sse::append_comment(out, "c", false);
    proxy::sse::append_data_event(out, R"({"text":" x"})");
    out += proxy::sse::done_event;
    BOOST_TEST(tests::outline(tests::read_whole(out)) == "comment\n"
                                                         "event|data={\"text\":\" x\"}\n"
                                                         "event|data=[DONE]\n");
}

BOOST_AUTO_TEST_SUITE_END()
