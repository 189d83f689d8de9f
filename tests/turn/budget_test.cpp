#include "proxy/turn/budget.hpp"

#include <boost/test/unit_test.hpp>

using proxy::turn::correction_budget;

namespace {

void note(correction_budget& budget, int times, bool failed) {
    for (int i = 0; i < times; ++i) {
        budget.note(failed);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(budget)

BOOST_AUTO_TEST_CASE(ten_failures_are_always_allowed) {
    correction_budget budget(0.0);
    note(budget, 9, true);
    BOOST_CHECK(budget.allows());
    note(budget, 1, true);
    BOOST_CHECK(!budget.allows());
}

BOOST_AUTO_TEST_CASE(past_the_floor_the_share_of_the_last_turns_counts) {
    correction_budget budget(0.5);
    note(budget, 100, false);
    note(budget, 99, true); // 99 of 199: the limit is 99
    BOOST_CHECK(!budget.allows());
    note(budget, 1, false); // 99 of 200: the limit is 100
    BOOST_CHECK(budget.allows());
    note(budget, 1, true); // the oldest good turn is forgotten: 100 of 200
    BOOST_CHECK(!budget.allows());
}

BOOST_AUTO_TEST_CASE(old_failures_are_forgotten) {
    correction_budget budget(0.1);
    note(budget, 20, true);
    BOOST_CHECK(!budget.allows());
    note(budget, static_cast<int>(correction_budget::window), false);
    BOOST_CHECK_EQUAL(budget.failures(), 0U);
    BOOST_CHECK(budget.allows());
}

BOOST_AUTO_TEST_CASE(a_failure_counts_for_exactly_two_hundred_turns) {
    correction_budget budget(0.0);
    note(budget, 10, true);
    note(budget, 190, false); // the first failure is the oldest of the 200
    BOOST_CHECK_EQUAL(budget.failures(), 10U);
    BOOST_CHECK(!budget.allows());
    note(budget, 1, false);
    BOOST_CHECK_EQUAL(budget.failures(), 9U);
    BOOST_CHECK(budget.allows());
}

BOOST_AUTO_TEST_CASE(the_floor_is_ten_until_the_share_is_more) {
    for (const int good : {0, 9, 10, 11, 30}) {
        correction_budget budget(0.5);
        note(budget, good, false);
        int failures = 0;
        while (budget.allows()) {
            budget.note(true);
            ++failures;
        }
        // One more is made while the failures are below half of the turns, or below ten.
        BOOST_CHECK_EQUAL(failures, std::max(10, good - 1));
    }
}

BOOST_AUTO_TEST_CASE(a_full_ratio_never_runs_out_before_the_window) {
    correction_budget budget(1.0);
    note(budget, 199, true);
    BOOST_CHECK(!budget.allows());
    note(budget, 1, false);
    BOOST_CHECK(budget.allows());
}

BOOST_AUTO_TEST_SUITE_END()
