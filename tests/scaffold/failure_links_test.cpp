// Failure links: each names the longest other match in progress, and a search that follows them
// passes over no place where a marker may start.
#include "proxy/scaffold/catalog.hpp"
#include "proxy/scaffold/failure_links.hpp"
#include "proxy/scaffold/marker_builder.hpp"
#include "proxy/scaffold/matcher.hpp"

#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::tests {

namespace {

using scaffold::anchor_kind;
using scaffold::catalog;
using scaffold::format;
using scaffold::matcher;
using scaffold::trie_builder;

constexpr auto root = trie_builder::root_any;
constexpr std::size_t lost = 0;

/// The node that `text` leads to from the root, or `lost`.
std::size_t node_behind(const trie_builder& trie, std::string_view text) {
    std::uint32_t at = root;
    for (const char c : text) {
        const auto& edges = trie.nodes[at].edges;
        const auto next = edges.find(static_cast<unsigned char>(c));
        if (next == edges.end()) {
            return lost;
        }
        at = next->second;
    }
    return at;
}

/// The longest end of `text` that is shorter than it and begins a marker.
std::string_view longest_other(const trie_builder& trie, std::string_view text) {
    for (auto rest = text.substr(1); !rest.empty(); rest.remove_prefix(1)) {
        if (node_behind(trie, rest) != lost) {
            return rest;
        }
    }
    return {};
}

/// Walks from the root at random and compares the link of each node on the way.
void check_links(const trie_builder& trie, std::uint32_t walks) {
    const auto links = scaffold::find_failure_links(trie);
    std::mt19937 random(7);
    std::size_t compared = 0;
    for (std::uint32_t walk = 0; walk < walks; ++walk) {
        std::string text;
        std::uint32_t at = root;
        while (!trie.nodes[at].edges.empty() && text.size() < 100) {
            const auto& edges = trie.nodes[at].edges;
            const auto chosen = static_cast<std::ptrdiff_t>(random() % edges.size());
            const auto& [byte, target] = *std::next(edges.begin(), chosen);
            text += static_cast<char>(byte);
            at = target;
            if (links[at].stop) {
                break;
            }
            const auto other = longest_other(trie, text);
            BOOST_REQUIRE_EQUAL(links[at].back, other.size());
            BOOST_REQUIRE_EQUAL(links[at].node, node_behind(trie, other));
            ++compared;
        }
    }
    BOOST_TEST(compared > walks);
}

scaffold::marker_builder built_of(const std::vector<format>& formats) {
    scaffold::marker_builder build;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        build.add_format(formats[i], static_cast<std::uint16_t>(i));
    }
    return build;
}

format with(std::vector<std::string> open, bool fold) {
    format fmt;
    fmt.name = fold ? "folded" : "plain";
    fmt.cls = scaffold::format_class::sentinel;
    for (auto& literal : open) {
        fmt.open.push_back({std::move(literal), fold});
    }
    return fmt;
}

/// True if a marker starts with `text`, or may start.
bool may_start(const matcher& markers, std::string_view text) {
    auto probe = markers.start(anchor_kind::anywhere);
    return markers.follow(probe, text, false) != matcher::outcome::none;
}

/// Goes over all of `text` with skip(), past each stop by one byte; checks that nothing on the way
/// was a marker's start or matters to code context.
void check_skips(const matcher& markers, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto run = markers.skip(text.substr(at));
        for (std::size_t i = at; i < at + run; ++i) {
            const bool context = std::string_view("`\n\\").find(text[i]) != std::string_view::npos;
            BOOST_REQUIRE_MESSAGE(!context && !may_start(markers, text.substr(i)),
                                  text << " at " << i);
        }
        at += run + 1;
    }
}

std::string pick(std::mt19937& random, const std::vector<std::string>& of, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        const auto& piece = of[random() % of.size()];
        text += piece.substr(0, random() % (piece.size() + 1));
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(failure_links)

BOOST_AUTO_TEST_CASE(a_link_names_the_longest_other_match_in_progress) {
    check_links(built_of({with({"<a<b>", "<b<a>", "<b[c]", "[<]<a[<", "aab", "aaab"}, false)}).trie,
                200);
    check_links(built_of({with({"<｜a▁<｜b>", "<｜b>", "|<｜", "▁a"}, true)}).trie, 200);
}

BOOST_AUTO_TEST_CASE(the_links_of_the_catalog_are_right) {
    check_links(built_of(tests::formats().formats()).trie, 20'000);
}

BOOST_AUTO_TEST_CASE(where_spellings_disagree_the_search_stops) {
    const auto build = built_of({with({"x<｜a▁b>", "<｜a_c>"}, true)});
    const auto links = scaffold::find_failure_links(build.trie);
    BOOST_TEST(!links[node_behind(build.trie, "x<")].stop);
    BOOST_TEST(links[node_behind(build.trie, "x<")].back == 1U);
    BOOST_TEST(links[node_behind(build.trie, "x<|")].stop); // "<|" and "<｜" differ in length
}

BOOST_AUTO_TEST_CASE(a_match_in_which_another_one_is_whole_is_a_stop) {
    const auto build =
        built_of({with({"<a[b]c>", "[b]", "<d\ne>"}, false), with({"<D｜e>"}, true)});
    const auto links = scaffold::find_failure_links(build.trie);
    BOOST_TEST(!links[node_behind(build.trie, "<a[b")].stop);
    BOOST_TEST(links[node_behind(build.trie, "<a[b]")].stop);
    BOOST_TEST(links[node_behind(build.trie, "[b]")].stop);
    // A line end matters to code context, also one that leads back to its node.
    BOOST_TEST(links[node_behind(build.trie, "<d\n")].stop);
    BOOST_TEST(links[node_behind(build.trie, "<D|")].stop);
    BOOST_TEST(node_behind(build.trie, "<D|") == node_behind(build.trie, "<D|\n"));
}

BOOST_AUTO_TEST_CASE(no_start_of_a_marker_is_skipped) {
    std::vector<std::string> pieces = {" ", "plain", "<", "[", "\n", "`", "\\", "✿", "｜", "▁"};
    for (const auto& fmt : tests::formats().formats()) {
        for (const auto* list : {&fmt.open, &fmt.close, &fmt.section_open, &fmt.section_close}) {
            for (const auto& m : *list) {
                pieces.push_back(m.literal);
            }
        }
    }
    std::mt19937 random(11);
    for (int i = 0; i < 3'000; ++i) {
        check_skips(tests::formats().markers(), pick(random, pieces, 8));
    }
    const catalog nested({with({"<a<b<a<c", "<b<a<d", "<a<e", "[<]<a[<", "]<"}, false),
                          with({"x<｜a▁b>", "<｜a_c>"}, true)});
    for (int i = 0; i < 10'000; ++i) {
        check_skips(nested.markers(),
                    pick(random, {"<a", "<b", "<c", "[<]", "x<|a ", "x<｜a▁"}, 8));
    }
}

BOOST_AUTO_TEST_CASE(text_that_only_looks_like_markers_is_skipped_in_one_go) {
    for (const std::string_view text :
         {"a < b, a[i][1] << \"<b>\" << x</b>; List<String> & ", "<<<<<<<< x", "[[[[[[[ ",
          "<div><p class=x></p></div> ", "]<]<]<]<]<] ", "<|action_start|><|action_start|> ",
          "<tool_cal <tool_cal <|tool_cal ", "❌ — “quoted” "}) {
        BOOST_TEST(tests::formats().markers().skip(text) == text.size(), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
