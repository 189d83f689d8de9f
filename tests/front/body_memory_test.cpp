#include "proxy/front/body_memory.hpp"
#include "proxy/front/request_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace proxy::front;

namespace {

std::string post(std::size_t bytes) {
    return "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" +
           std::string(bytes, 'b');
}

} // namespace

BOOST_AUTO_TEST_SUITE(kept_bodies)

BOOST_AUTO_TEST_CASE(claims_are_counted_and_given_back) {
    body_memory memory(100);
    {
        memory_claim first(memory);
        memory_claim second(memory);
        BOOST_TEST(first.grow(60));
        BOOST_TEST(!second.grow(41));
        BOOST_TEST(second.grow(40));
        BOOST_TEST(!first.grow(1));
        BOOST_TEST(memory.used() == 100u);
        first.release();
        BOOST_TEST(second.grow(60));
        const memory_claim moved(std::move(second));
        BOOST_TEST(memory.used() == 100u);
    }
    BOOST_TEST(memory.used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_request_beyond_the_bound_is_refused_and_the_next_one_read) {
    const client_keys everybody;
    body_memory memory(1'000);
    const request_rules rules{head_limits(), 10'000, everybody, memory};
    request_reader first(rules);
    BOOST_REQUIRE((first.feed(post(700)) == request_reader::progress::ready));
    auto kept = first.take();
    request_reader second(rules);
    BOOST_TEST((second.feed(post(301)) == request_reader::progress::refused));
    BOOST_TEST(second.why().status == 503u);
    BOOST_TEST(memory.used() == 700u);
    kept.reset();
    request_reader third(rules);
    BOOST_TEST((third.feed(post(1'000)) == request_reader::progress::ready));
}

BOOST_AUTO_TEST_CASE(a_body_that_is_still_coming_counts_as_far_as_it_came) {
    const client_keys everybody;
    body_memory memory(1'000);
    {
        const request_rules rules{head_limits(), 10'000, everybody, memory};
        request_reader reader(rules);
        const auto wire = post(900);
        BOOST_TEST(
            (reader.feed(wire.substr(0, wire.size() - 400)) == request_reader::progress::more));
        BOOST_TEST(memory.used() == 500u);
    }
    BOOST_TEST(memory.used() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
