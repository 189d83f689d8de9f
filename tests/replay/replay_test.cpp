// Whole exchanges made after public bug reports, played through the core: as written and at splits.
#include "tests/replay/core_player.hpp"
#include "tests/replay/expectations.hpp"
#include "tests/replay/score.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>
#include <set>

using namespace tests::replay;

namespace {

/// Cases about headers, which only replay_http_test sees. One that passes here must leave the list.
const std::set<std::string> over_sockets_only = {"155-both-length-and-chunked"};

constexpr std::size_t all_splits_up_to = 16384;
constexpr std::size_t seeded_splits = 500;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) {
        text += "\n    " + line;
    }
    return text;
}

/// Positions to cut `size` bytes in two at: all, or seeded ones where that would be too many.
std::vector<std::size_t> cuts(std::size_t size) {
    std::vector<std::size_t> out;
    if (size <= all_splits_up_to) {
        for (std::size_t at = 1; at < size; ++at) {
            out.push_back(at);
        }
        return out;
    }
    std::minstd_rand random(1);
    std::uniform_int_distribution<std::size_t> position(1, size - 1);
    for (std::size_t i = 0; i < seeded_splits; ++i) {
        out.push_back(position(random));
    }
    return out;
}

/// Cases whose first answer is a stream: a JSON answer is collected before it is read.
std::vector<std::string> streamed_names() {
    auto names = case_names();
    std::erase_if(names, [](const std::string& name) {
        return !load_case(name).upstream.front().is_stream();
    });
    return names;
}

} // namespace

BOOST_AUTO_TEST_SUITE(replay)

BOOST_DATA_TEST_CASE(the_client_gets_what_the_case_says, boost::unit_test::data::make(case_names()),
                     name) {
    const auto one = load_case(name);
    const auto got = play_core(one, as_written(one, 0), as_written(one, 1));
    const auto wrong = problems(one, got);
    if (over_sockets_only.contains(name)) {
        BOOST_TEST(!wrong.empty(), name << " passes: remove it from over_sockets_only");
        return;
    }
    score::of("core").add(one.category, wrong.empty());
    BOOST_TEST(wrong.empty(), name << joined(wrong));
}

BOOST_DATA_TEST_CASE(the_split_of_the_bytes_does_not_matter,
                     boost::unit_test::data::make(streamed_names()), name) {
    const auto one = load_case(name);
    const auto whole = [&](std::size_t i) {
        return i < one.upstream.size() ? one.upstream[i].body() : std::string();
    };
    const auto first = whole(0);
    const auto second = whole(1);
    const auto want = play_core(one, {first}, {second});
    for (const std::size_t size : {1U, 2U, 3U, 7U, 64U}) {
        const auto got = play_core(one, in_pieces(first, size), in_pieces(second, size));
        BOOST_TEST(got.body == want.body, name << " in pieces of " << size);
        BOOST_TEST(got.requests == want.requests, name << " in pieces of " << size);
    }
    for (const auto at : cuts(first.size())) {
        const auto got = play_core(one, {first.substr(0, at), first.substr(at)}, {second});
        BOOST_TEST_REQUIRE(got.body == want.body, name << " cut at " << at);
    }
    const auto again = second.empty() ? std::vector<std::size_t>() : cuts(second.size());
    for (const auto at : again) {
        const auto got = play_core(one, {first}, {second.substr(0, at), second.substr(at)});
        BOOST_TEST_REQUIRE(got.body == want.body, name << " second answer cut at " << at);
    }
    BOOST_TEST(play_core(one, as_written(one, 0), as_written(one, 1)).body == want.body);
}

BOOST_AUTO_TEST_CASE(what_is_left_to_sockets_exists) {
    const auto names = case_names();
    BOOST_TEST(names.size() == 77U);
    for (const auto& name : over_sockets_only) {
        BOOST_TEST((std::ranges::find(names, name) != names.end()), name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
