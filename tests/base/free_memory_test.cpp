#include "proxy/base/free_memory.hpp"

#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(free_memory)

BOOST_AUTO_TEST_CASE(a_freed_string_is_empty_and_owns_nothing) {
    const tests::allocation_count since;
    std::string text(10'000, 'a');
    BOOST_TEST(since.live_bytes() > 10'000);
    proxy::base::free_memory(text);
    BOOST_TEST(text.empty());
    BOOST_TEST(since.live_bytes() == 0);
    text = "again";
    BOOST_TEST(text == "again");
}

BOOST_AUTO_TEST_CASE(a_freed_vector_is_empty_and_owns_nothing) {
    const tests::allocation_count since;
    std::vector<int> numbers(10'000, 1);
    proxy::base::free_memory(numbers);
    BOOST_TEST(numbers.empty());
    BOOST_TEST(since.live_bytes() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
