// The trie of markers: longest match, any cut, equivalent spellings, anchors.
#include "proxy/scaffold/catalog.hpp"
#include "proxy/scaffold/matcher.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace proxy::tests {

namespace {

using scaffold::anchor_kind;
using scaffold::catalog;
using scaffold::format;
using scaffold::format_class;
using scaffold::marker_role;
using scaffold::matcher;

format with(std::string name, std::vector<std::string> open, std::vector<std::string> close = {},
            format_class cls = format_class::tagged, bool fold = false) {
    format fmt;
    fmt.name = std::move(name);
    fmt.cls = cls;
    for (auto& literal : open) {
        fmt.open.push_back({std::move(literal), fold});
    }
    for (auto& literal : close) {
        fmt.close.push_back({std::move(literal), fold});
    }
    return fmt;
}

/// What is found at the begin of `text`: the literal, "more" or "".
std::string found(const catalog& formats, std::string_view text, bool last = true,
                  anchor_kind level = anchor_kind::anywhere) {
    const auto& markers = formats.markers();
    auto byte_wise = markers.start(level);
    auto outcome = matcher::outcome::more;
    for (std::size_t i = 1; i <= text.size() && outcome == matcher::outcome::more; ++i) {
        outcome = markers.follow(byte_wise, text.substr(0, i), last && i == text.size());
    }
    auto whole = markers.start(level);
    const auto at_once = markers.follow(whole, text, last);
    BOOST_TEST((at_once == outcome), text);
    BOOST_TEST(whole.best == byte_wise.best, text);
    switch (at_once) {
    case matcher::outcome::none:
        return "";
    case matcher::outcome::more:
        return "more";
    case matcher::outcome::hit:
        return whole.best->literal;
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(markers)

BOOST_AUTO_TEST_CASE(the_longest_marker_wins) {
    const catalog formats({with("a", {"<a>", "<a><b>", "<call>"})});
    BOOST_TEST(found(formats, "<a>") == "<a>");
    BOOST_TEST(found(formats, "<a>x") == "<a>");
    BOOST_TEST(found(formats, "<a><b>x") == "<a><b>");
    BOOST_TEST(found(formats, "<a><c") == "<a>");
    BOOST_TEST(found(formats, "<call>") == "<call>");
    BOOST_TEST(found(formats, "<cal x") == "");
    BOOST_TEST(found(formats, "x<a>") == "");
}

BOOST_AUTO_TEST_CASE(more_is_asked_for_only_while_a_longer_marker_is_possible) {
    const catalog formats({with("a", {"<a>", "<a><b>", "<call>"})});
    BOOST_TEST(found(formats, "<", false) == "more");
    BOOST_TEST(found(formats, "<a>", false) == "more");
    BOOST_TEST(found(formats, "<a>x", false) == "<a>");
    BOOST_TEST(found(formats, "<call>", false) == "<call>");
    BOOST_TEST(found(formats, "<ca", false) == "more");
    BOOST_TEST(found(formats, "<ca", true) == "");
}

BOOST_AUTO_TEST_CASE(folded_bars_and_low_lines_are_one) {
    const catalog formats(
        {with("dsml", {"<｜DSML｜tool_calls>"}, {}, format_class::sentinel, true),
         with("ds", {"<｜tool▁call▁begin｜>"}, {}, format_class::sentinel, true)});
    for (std::string_view text :
         {"<｜DSML｜tool_calls>", "<|DSML|tool_calls>", "<‖DSML‖tool_calls>",
          "<｜｜DSML｜｜tool_calls>", "<||DSML||tool_calls>", "<｜｜DSML｜｜ tool_calls>",
          "<｜DSML |tool_calls>", "<｜DSML‖tool calls>", "< |DSML|tool_calls>",
          "< | DSML | tool_calls>", "<\n|DSML|\ntool_calls>", "<｜DSML\n｜tool_calls>"}) {
        BOOST_TEST(found(formats, text) == "<｜DSML｜tool_calls>", text);
    }
    for (std::string_view text :
         {"<｜tool▁call▁begin｜>", "<|tool_call_begin|>", "<｜tool call begin｜>",
          "<｜tool\\_call\\_begin｜>", "<｜｜tool▁call_begin｜｜>"}) {
        BOOST_TEST(found(formats, text) == "<｜tool▁call▁begin｜>", text);
    }
    for (std::string_view text :
         {"<\u200B｜DSML｜tool_calls>", "<｜DSML｜\u200Btool_calls>", "<DSML tool_calls>",
          "< DSML|tool_calls>", "<  |DSML|tool_calls>", "<\t|DSML|tool_calls>",
          "<|DSML|tool\ncalls>", "< ｜tool▁call▁begin｜>", "<｜ tool▁call▁begin｜>",
          "<｜toolcallbegin｜>"}) {
        BOOST_TEST(found(formats, text) == "", text);
    }
}

BOOST_AUTO_TEST_CASE(an_endless_row_of_bars_is_no_marker) {
    const catalog formats({with("a", {"<｜a｜>"}, {}, format_class::sentinel, true)});
    std::string text = "<";
    for (int i = 0; i < 1000; ++i) {
        text += "｜";
    }
    BOOST_TEST(found(formats, text, false) == "");
}

BOOST_AUTO_TEST_CASE(plain_markers_are_not_folded) {
    const catalog formats({with("a", {"<tool_call>"})});
    BOOST_TEST(found(formats, "<tool call>") == "");
    BOOST_TEST(found(formats, "<tool▁call>") == "");
}

BOOST_AUTO_TEST_CASE(anchored_markers_count_only_at_their_place) {
    auto line = with("line", {"Action:"});
    line.anchor = anchor_kind::line;
    auto turn = with("turn", {"```json\n"});
    turn.anchor = anchor_kind::turn;
    const catalog formats({with("any", {"<a>"}), line, turn});
    BOOST_TEST(found(formats, "Action:") == "");
    BOOST_TEST(found(formats, "Action:", true, anchor_kind::line) == "Action:");
    BOOST_TEST(found(formats, "Action:", true, anchor_kind::turn) == "Action:");
    BOOST_TEST(found(formats, "```json\n", true, anchor_kind::line) == "");
    BOOST_TEST(found(formats, "```json\n", true, anchor_kind::turn) == "```json\n");
    BOOST_TEST(found(formats, "<a>", true, anchor_kind::turn) == "<a>");
    BOOST_TEST(formats.markers().starts('A', anchor_kind::line));
    BOOST_TEST(!formats.markers().starts('A', anchor_kind::anywhere));
}

BOOST_AUTO_TEST_CASE(one_literal_can_be_many_things) {
    const catalog formats({with("a", {"<a>"}, {"</a>"}), with("b", {"<a>"}, {"</a>"})});
    auto p = formats.markers().start(anchor_kind::anywhere);
    BOOST_TEST((formats.markers().follow(p, "<a>", true) == matcher::outcome::hit));
    BOOST_TEST(p.best->uses.size() == 4); // and a mention of each
    BOOST_TEST(p.best->has(marker_role::open));
    BOOST_TEST(p.best->has(marker_role::mention));
    BOOST_TEST(!p.best->has(marker_role::close));
    BOOST_TEST(found(formats, "<a >") == "<a ");
}

BOOST_AUTO_TEST_CASE(a_prefix_of_sentinels_only_is_told) {
    const catalog formats(
        {with("t", {"<tool>"}), with("s", {"<|tool|>"}, {}, format_class::sentinel)});
    const auto& markers = formats.markers();
    for (const auto& [text, only] :
         {std::pair{"<", false}, {"<t", false}, {"<|", true}, {"<|to", true}}) {
        auto p = markers.start(anchor_kind::anywhere);
        markers.follow(p, text, true);
        BOOST_TEST(markers.only_sentinels(p) == only, text);
    }
}

BOOST_AUTO_TEST_CASE(a_marker_without_its_bracket_is_told) {
    const catalog formats({with("t", {"<tool>", "[X]"}, {"</tool>", "[/X]"})});
    const auto unfinished = [&](std::string_view text) -> std::string {
        auto p = formats.markers().start(anchor_kind::anywhere);
        formats.markers().follow(p, text, true);
        const auto* entry = formats.markers().unfinished(p);
        return entry == nullptr ? "" : entry->literal;
    };
    BOOST_TEST(unfinished("</tool\n") == "</tool>");
    BOOST_TEST(unfinished("<tool;") == "<tool>");
    BOOST_TEST(unfinished("[X") == "[X]");
    BOOST_TEST(unfinished("</to\n") == "");
    BOOST_TEST(unfinished("</tool>") == "");
}

BOOST_AUTO_TEST_CASE(skip_stops_at_what_matters) {
    const catalog formats({with("t", {"<tool>", "[X]"})});
    const auto& markers = formats.markers();
    BOOST_TEST(markers.skip("plain text, 1 > 0; {x}") == 22);
    BOOST_TEST(markers.skip("ab<") == 2);
    BOOST_TEST(markers.skip("ab[") == 2);
    BOOST_TEST(markers.skip("ab\n") == 2);
    BOOST_TEST(markers.skip("ab`") == 2);
    BOOST_TEST(markers.skip("ab\\") == 2);
    BOOST_TEST(markers.skip("") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
