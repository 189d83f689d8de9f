#include "proxy/demo/model_server.hpp"
#include "proxy/demo/playlist.hpp"

#include "tests/support/client_view.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::demo;

namespace {

std::string all_of(const playlist& list) {
    std::string bytes;
    for (std::size_t i = 0; i < list.size(); ++i) {
        bytes += list.at(i);
    }
    return bytes;
}

} // namespace

BOOST_AUTO_TEST_SUITE(demo_playlist)

BOOST_AUTO_TEST_CASE(a_script_is_played_in_order) {
    answer told;
    told.writes = {"a", "bc", "d"};
    told.usage_event = "U";
    BOOST_TEST(all_of({told, false}) == "abcd");
    BOOST_TEST(all_of({told, true}) == "abcUd");
    BOOST_TEST(playlist(told, true).bytes() == 5U);
}

BOOST_AUTO_TEST_CASE(an_answer_without_writes_is_empty) {
    answer told;
    told.usage_event = "U";
    BOOST_TEST(playlist(told, true).size() == 0U);
}

BOOST_AUTO_TEST_CASE(the_synthetic_stream_says_its_text) {
    for (const std::size_t tokens : {0U, 1U, 32U, 33U, 1000U}) {
        BOOST_TEST_CONTEXT(tokens) {
            const auto list = playlist::synthetic(tokens, false);
            BOOST_TEST(list.size() == tokens + 3);
            const auto bytes = all_of(list);
            BOOST_TEST(list.bytes() == bytes.size());
            const auto view = tests::read_stream(bytes);
            BOOST_TEST(view.unreadable == 0U);
            BOOST_TEST(view.first().content == bench_text(tokens));
            BOOST_TEST(view.first().finishes == std::vector<std::string>{"stop"});
            BOOST_TEST(view.ends_with_done);
            BOOST_TEST(view.usages.empty());
        }
    }
    BOOST_TEST(tests::read_stream(all_of(playlist::synthetic(3, true))).usages.size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_synthetic_text_holds_openers_of_markup_now_and_then) {
    const auto text = bench_text(64);
    BOOST_TEST(text.find('<') != std::string::npos);
    BOOST_TEST(text.find('[') != std::string::npos);
    const auto list = playlist::synthetic(100, false);
    const auto mean = list.bytes() / list.size();
    BOOST_TEST(mean >= 250U); // frames of the size that model servers send
    BOOST_TEST(mean <= 300U);
}

BOOST_AUTO_TEST_CASE(neighbours_of_one_round_lie_one_behind_the_other) {
    const auto list = playlist::synthetic(10, false);
    BOOST_TEST(static_cast<const void*>(list.at(2).data() + list.at(2).size()) ==
               static_cast<const void*>(list.at(3).data()));
}

BOOST_AUTO_TEST_SUITE_END()
