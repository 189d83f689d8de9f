#include "proxy/turn/verdict.hpp"

#include <boost/test/unit_test.hpp>

using proxy::turn::attempt_facts;
using proxy::turn::decide;
using proxy::turn::verdict;

BOOST_AUTO_TEST_SUITE(verdict_table)

// All 64 rows against the sentences of the design, said once more in another order.
BOOST_AUTO_TEST_CASE(every_row_follows_the_table) {
    for (unsigned bits = 0; bits < 64; ++bits) {
        const attempt_facts f{(bits & 1) != 0, (bits & 2) != 0,  (bits & 4) != 0,
                              (bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0};
        verdict expected = verdict::finish;
        const bool first_and_silent = !f.answered && !f.exempt_finish && !f.second;
        if (first_and_silent && f.markup) {
            expected = f.may_correct ? verdict::correct : verdict::fail;
        }
        if (first_and_silent && !f.markup && f.empty_counts && f.may_correct) {
            expected = verdict::correct;
        }
        if (f.second && !f.answered) {
            expected = verdict::fail;
        }
        BOOST_CHECK_MESSAGE(decide(f) == expected, "row " << bits);
    }
}

BOOST_AUTO_TEST_CASE(a_second_attempt_is_never_corrected) {
    for (unsigned bits = 0; bits < 32; ++bits) {
        const attempt_facts f{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, true,
                              (bits & 8) != 0, (bits & 16) != 0};
        BOOST_CHECK(decide(f) != verdict::correct);
    }
}

BOOST_AUTO_TEST_CASE(finish_reasons_that_forbid_a_correction) {
    for (const char* reason : {"content_filter", "error", "abort", "cancelled"}) {
        BOOST_CHECK(proxy::turn::is_exempt_finish(reason));
    }
    for (const char* reason : {"stop", "length", "tool_calls", "", "eos", "Content_Filter"}) {
        BOOST_CHECK(!proxy::turn::is_exempt_finish(reason));
    }
}

BOOST_AUTO_TEST_SUITE_END()
