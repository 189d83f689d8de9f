// What is held, for how long, and what it costs: nothing that can't become markup waits, clean text
// takes no memory, and no text makes the work grow faster than the text.
#include "proxy/base/limits.hpp"

#include "tests/scaffold/filter_runner.hpp"
#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>

namespace proxy::tests {

namespace {

std::size_t held_behind(bool tools, std::string_view text) {
    scaffold::choice_filter filter(formats(), context_of(tools));
    scaffold::decisions out;
    for (const char c : text) {
        filter.feed(std::string_view(&c, 1), out);
    }
    return filter.held();
}

std::string repeat(std::string_view unit, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) {
        text += unit;
    }
    return text;
}

/// Processor time, the best of two: what else runs on the machine only ever adds time.
double seconds_for(std::string_view text, std::size_t piece) {
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < 2; ++i) {
        scaffold::choice_filter filter(formats(), context_of(true));
        scaffold::decisions out;
        const auto begin = std::clock();
        for (std::size_t at = 0; at < text.size(); at += piece) {
            out.clear();
            filter.feed(text.substr(at, piece), out);
        }
        filter.finish(out);
        best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

} // namespace

BOOST_AUTO_TEST_SUITE(holding)

BOOST_AUTO_TEST_CASE(what_cannot_become_markup_is_not_held) {
    for (std::string_view text : {
             "plain words",
             "a < b",
             "a <b",
             "x <t1",
             "if (a <= b)",
             "a[0",
             "see [1",
             "see [the",
             "<div>",
             "<p class=\"x\">",
             "List<String>",
             "std::vector<int>",
             "#include <functional",
             "#include <functional>\n",
             "The tag <tool_cx",
             "price: 4 ];",
             "“quoted”",
             "flower ✿ ",
             "- item\n- item",
             "| a | b |",
             "`code",
             "```cpp\nint main() { return a<b",
             "x `<tool_call",
             "~~~\n<tool_call>",
             "Text.\n</div>",
             "助手：你",
             "Text.\n助手：\n你",
             "So 助手：",
             "Text.\n```t\n",
             "Use <tool_call> and then",
             "Use <tool_call> then {\"name\"",
             "The token <|python_tag|> starts code",
         }) {
        const bool inside_span = text == "x `<tool_call";
        BOOST_TEST(held_behind(true, text) <= (inside_span ? 10U : 0U), text);
    }
}

BOOST_AUTO_TEST_CASE(the_first_word_waits_only_while_it_may_be_a_tools_name) {
    BOOST_TEST(held_behind(true, "Th") == 0);
    BOOST_TEST(held_behind(true, "get") == 3);
    BOOST_TEST(held_behind(true, "getting") == 0);
    BOOST_TEST(held_behind(true, "get_time ") == 0);
    BOOST_TEST(held_behind(false, "get") == 0);
    BOOST_TEST(held_behind(true, "Then get") == 0);
    BOOST_TEST(held_behind(true, "get_time{}get_moon{") == 0);
}

BOOST_AUTO_TEST_CASE(a_json_answer_waits_only_while_it_may_be_a_call) {
    BOOST_TEST(held_behind(true, "{\"title\": ") == 0);
    BOOST_TEST(held_behind(true, "{\"name\": \"Alice\"") == 0);
    BOOST_TEST(held_behind(true, "{\"name\": \"get_time\", \"price\": ") == 0);
    BOOST_TEST(held_behind(true, "{\"name\": \"get_time\", \"arg") != 0);
    BOOST_TEST(held_behind(false, "{\"name\": \"get_time\", \"arg") == 0);
    BOOST_TEST(held_behind(true, "[1, 2") == 0);
    BOOST_TEST(held_behind(true, "[\"a\", ") == 0);
    BOOST_TEST(held_behind(true, "[{\"id\": 1, \"price\": ") == 0);
}

BOOST_AUTO_TEST_CASE(what_may_become_markup_is_held) {
    BOOST_TEST(held_behind(true, "Text. <") == 1);
    BOOST_TEST(held_behind(true, "Text. <tool_ca") == 8);
    BOOST_TEST(held_behind(true, "助手：") == 9);
    BOOST_TEST(held_behind(true, "get_time{}get_we") == 16);
    BOOST_TEST(held_behind(true, "Text. <tool_call>") == 11);
    BOOST_TEST(held_behind(true, "Text. <tool_call>\n{\"name\": \"x") == 23);
    BOOST_TEST(held_behind(true, "Text. <\xEF\xBD") == 3);
    BOOST_TEST(held_behind(true, "Text.\n</tool_call>\n") == 13);
    BOOST_TEST(held_behind(false, "Text. <tool_call>") == 0);
}

BOOST_AUTO_TEST_CASE(a_whole_call_leaves_at_once_and_only_white_space_behind_it_waits) {
    const std::string call = R"(Hm. <tool_call>{"name": "get_time", "arguments": {}}</tool_call>)";
    BOOST_TEST(held_behind(true, call) == 0);
    BOOST_TEST(held_behind(true, call + "\n") == 1);
    BOOST_TEST(held_behind(true, call + "\nThen") == 0);
}

BOOST_AUTO_TEST_CASE(an_opener_without_payload_is_let_go_after_its_bound) {
    const std::string opener = "Text. <tool_call>";
    const std::string blanks(limits::candidate_start_max, ' ');
    BOOST_TEST(held_behind(true, opener + blanks) != 0);
    BOOST_TEST(held_behind(true, opener + blanks + ' ') == 0);
}

BOOST_AUTO_TEST_CASE(a_long_call_is_dropped_as_it_comes) {
    const std::string head = R"(Hm. <tool_call>{"name": "write_file", "arguments": {"content": ")";
    const std::string body(3 * limits::candidate_bytes_max, 'x');
    const std::string tail = R"("}}</tool_call> Done.)";
    BOOST_TEST(held_behind(true, head + body) <= limits::payload_tail_max);
    const auto got = run_filter(context_of(true), cut_every(head + body + tail, 4096));
    BOOST_TEST(got.clean == "Hm.  Done.");
    BOOST_TEST(got.held_max <= limits::candidate_bytes_max + 4096 + head.size());
    BOOST_REQUIRE_EQUAL(got.spans.size(), 1U);
    BOOST_TEST(got.spans[0].chars == got.stripped.size());
    BOOST_TEST(got.spans[0].excerpt.size() == limits::span_excerpt_chars);
}

BOOST_AUTO_TEST_CASE(a_long_call_that_breaks_ends_at_a_closer_an_opener_or_a_blank_line) {
    const std::string head = R"(Hm. <tool_call>{"name": "write_file", "arguments": {"content": ")" +
                             std::string(2 * limits::candidate_bytes_max, 'x') + "\"} oops";

    struct row {
        std::string_view behind;
        std::string_view clean;
    };

    for (const auto& [behind, clean] :
         {row{" x</tool_call> Done.", "Hm.  Done."}, row{" x\nand\n\nDone.", "Hm. \nDone."},
          row{" x <tool_call>{\"name\": \"f\", \"arguments\": {}} Done.", "Hm.  Done."},
          row{" and no end", "Hm. "}}) {
        const auto text = head + std::string(behind);
        const auto whole = run_whole(context_of(true), text);
        BOOST_TEST(whole.clean == clean);
        for (std::size_t piece : {1U, 7U, 65536U}) {
            BOOST_TEST(same(whole, run_filter(context_of(true), cut_every(text, piece))));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_long_payload_that_breaks_before_its_bound_is_released_whole) {
    const std::string text = R"(Hm. <tool_call>{"name": "write_file", "arguments": {"content": ")" +
                             std::string(limits::candidate_bytes_max / 2, 'x') + "\"} oops";
    BOOST_TEST(run_whole(context_of(true), text).clean == text);
}

BOOST_AUTO_TEST_CASE(a_call_that_must_stand_alone_and_is_dropped_already_stays_a_span) {
    const std::string head = "```json\n{\"name\": \"get_time\", \"arguments\": {\"zone\": \"" +
                             std::string(limits::candidate_bytes_max, 'x');

    struct row {
        std::string_view behind;
        std::string_view clean;
    };

    for (const auto& [behind, clean] :
         {row{"\"}}\n```", ""}, row{"\"}}\n``` Done.", " Done."},
          row{"\"}}\n{\"name\": \"get_time\", \"arguments\": {}}\n``` Done.", " Done."},
          row{"\"} oops\n\nDone.", "\nDone."}, row{"\"} oops <tool_call>", ""}}) {
        const auto text = head + std::string(behind);
        const auto whole = run_whole(context_of(true), text);
        BOOST_TEST(whole.clean == clean, behind);
        for (std::size_t piece : {1U, 7U, 65536U}) {
            BOOST_TEST(same(whole, run_filter(context_of(true), cut_every(text, piece))), behind);
        }
    }
}

BOOST_AUTO_TEST_CASE(clean_text_takes_no_memory) {
    const std::string text = repeat("The value of a is less than b: a < b, see [1] and `x`.\n\n"
                                    "- \"quoted\" item, 100 % of vector<int>\n",
                                    20'000);
    for (bool tools : {false, true}) {
        scaffold::choice_filter filter(formats(), context_of(tools));
        scaffold::decisions out;
        filter.feed("Begin. <", out); // what a first held byte needs is kept
        filter.feed(" goes on [", out);
        filter.feed(" on.", out);
        const ::tests::allocation_count allocations;
        for (std::size_t at = 0; at < text.size(); at += 5) {
            out.clear();
            filter.feed(std::string_view(text).substr(at, 5), out);
        }
        BOOST_TEST(allocations.made() == 0U);
    }
}

BOOST_AUTO_TEST_CASE(idle_tells_that_plain_text_needs_no_filter) {
    scaffold::choice_filter filter(formats(), context_of(true));
    scaffold::decisions out;
    BOOST_TEST(!filter.idle()); // the turn's first bytes are special
    filter.feed("Hello there", out);
    BOOST_TEST(filter.idle());
    filter.feed(" <", out);
    BOOST_TEST(!filter.idle());
    filter.feed(" b\n", out);
    BOOST_TEST(!filter.idle()); // so is a line's begin
    filter.feed("and on", out);
    BOOST_TEST(filter.idle());
}

BOOST_AUTO_TEST_CASE(no_text_takes_more_work_than_it_has_bytes) {
    // An eighth is more than a candidate may hold, so that all of it costs what the whole does.
    constexpr std::size_t bytes = 10 * limits::candidate_bytes_max;
    const double prose = seconds_for(
        repeat("A line of prose with `code`, a < b, [1] and a call to f(x).\n", bytes), 64);
    for (std::string_view unit : {
             "<tool_call>",
             "<",
             "<tool_call",
             "[TOOL_CALLS]",
             "`",
             "``` ",
             "`<tool_call>",
             "{",
             "[",
             "<function=a>",
             "<function=a><parameter=b>",
             "<tool_call>{\"",
             "<tool_call>{\"name\": \"",
             "<tool_call>{\"name\": '",
             "</tool_call>",
             "</tool_call>\n",
             "<|im_end|>",
             "<|im_end|> x ",
             "<|channel|>",
             "<|start|>assistant",
             "<｜",
             "<｜tool▁calls▁begin｜>",
             "]<]minimax[>[",
             "{\"name\": ",
             "\n{\"name\": \"get_time\", ",
             "Action: get_time\n",
             "\n>>>",
             "\\",
             "~",
             "<tool_call>\n\n",
             "<invoke name=\"",
             "<think>",
             "\n```\n",
             "✿",
             "<tool_response>",
             "<|action_start|>",
             "]<",
             "functions.x:0\n",
             "<tool_call>f<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         }) {
        const auto text = repeat(unit, bytes);
        const auto eighth = std::string_view(text).substr(0, bytes / 8);
        for (const std::size_t piece : {std::size_t{64}, bytes}) {
            const double small = seconds_for(eighth, piece);
            const double large = seconds_for(text, piece);
            // Eight times the text: linear work takes eight times as long, quadratic 64 times.
            BOOST_TEST((large < 24 * small || large < 8 * prose),
                       unit << ": " << small << " s for an eighth, " << large
                            << " s for all, prose " << prose << " s");
            BOOST_TEST(large < 400 * prose, unit << ": " << large << " s, prose " << prose);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
