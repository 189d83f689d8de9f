// The same exchanges over real sockets, with what only HTTP shows: headers and forwarded requests.
#include "tests/replay/expectations.hpp"
#include "tests/replay/http_player.hpp"
#include "tests/replay/score.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>

using namespace tests::replay;

namespace {

/// As in replay_test.cpp.
const std::map<std::string, std::string> not_covered;

} // namespace

BOOST_AUTO_TEST_SUITE(replay_http)

BOOST_DATA_TEST_CASE(the_client_gets_what_the_case_says, boost::unit_test::data::make(case_names()),
                     name) {
    const auto one = load_case(name);
    const auto wrong = problems(one, play_http(one));
    std::string lines;
    for (const auto& line : wrong) {
        lines += "\n    " + line;
    }
    score::of("over sockets").add(one.category, wrong.empty());
    if (not_covered.contains(name)) {
        BOOST_TEST(!wrong.empty(), name << " passes: remove it from not_covered");
    } else {
        BOOST_TEST(wrong.empty(), name << lines);
    }
}

BOOST_AUTO_TEST_SUITE_END()
