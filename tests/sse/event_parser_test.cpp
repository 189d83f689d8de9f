// The parser's own rules: which bytes make which item, whatever the cuts.

#include "proxy/sse/event_parser.hpp"

#include "tests/sse/reading.hpp"
#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using proxy::sse::event_parser;
using proxy::sse::item;
using proxy::sse::item_kind;
using tests::outline;
using tests::read_in_pieces;
using tests::read_whole;
using tests::reading;

struct row {
    const char* name;
    std::string text;
    std::string items;
    std::string pending;
};

const std::vector<row>& rows() {
    using namespace std::string_literals;
    static const std::vector<row> all = {
        {"nothing", "", "", ""},
        {"one event", "data: a\n\n", "event|data=a\n", ""},
        {"two events", "data: a\n\ndata:b\n\n", "event|data=a\nevent|data=b\n", ""},
        {"only the first space goes", "data:  a \n\n", "event|data= a \n", ""},
        {"a tab stays", "data:\ta\n\n", "event|data=\ta\n", ""},
        {"colons in the value stay", "data: a:b: c\n\n", "event|data=a:b: c\n", ""},
        {"a field without colon", "data\n\n", "event|data=\n", ""},
        {"data with nothing behind the colon", "data:\n\n", "event|data=\n", ""},
        {"data of one space", "data: \n\n", "event|data=\n", ""},
        {"a name that only begins like data", "data2: x\ndat: y\n\n", "fields\n", ""},
        {"names are case sensitive", "Data: x\n\n", "fields\n", ""},
        {"a space in front of the name", " data: x\n\n", "fields\n", ""},
        {"lines join by LF", "data: a\ndata: b\n\n", "event|data=a\nb\n", ""},
        {"an empty first line", "data\ndata: b\n\n", "event|data=\nb\n", ""},
        {"two empty lines", "data\ndata\n\n", "event|data=\n\n", ""},
        {"three lines, mixed ends", "data: a\rdata: b\r\ndata: c\n\n", "event|data=a\nb\nc\n", ""},
        {"CRLF", "data: a\r\n\r\n", "event|data=a\nline_feed\n", ""},
        {"CR", "data: a\r\r", "event|data=a\n", ""},
        {"CR, then an event", "data: a\r\rdata: b\r\r", "event|data=a\nevent|data=b\n", ""},
        {"a blank line of CR, then a plain event and a blank line", "\rdata: a\n\n\n",
         "blank\nevent|data=a\nblank\n", ""},
        {"CR, then a plain event and a blank line", "data: a\r\rdata: b\n\n\n",
         "event|data=a\nevent|data=b\nblank\n", ""},
        {"LF, then CRLF", "data: a\n\r\n", "event|data=a\nline_feed\n", ""},
        {"CRLF, then LF", "data: a\r\n\n", "event|data=a\n", ""},
        {"LF, then CR", "data: a\n\r", "event|data=a\n", ""},
        {"the second LF behind a CR is a blank line", "data: a\r\r\n\n",
         "event|data=a\nline_feed\nblank\n", ""},
        {"a comment", ": hi\n", "comment\n", ""},
        {"a comment of one colon", ":\n", "comment\n", ""},
        {"a comment ended by CRLF", ": hi\r\n", "comment\nline_feed\n", ""},
        {"a comment ended by CR, then one", ":a\r:b\r", "comment\ncomment\n", ""},
        {"a comment with a blank line", ": hi\n\n", "comment\nblank\n", ""},
        {"a comment, then its event", ": hi\ndata: a\n\n", "comment\nevent|data=a\n", ""},
        {"a comment behind a field is part of the block", "data: a\n: hi\n\n", "event|data=a\n",
         ""},
        {"a comment between data lines", "data: a\n:\ndata: b\n\n", "event|data=a\nb\n", ""},
        {"blank lines", "\n\n", "blank\nblank\n", ""},
        {"blank lines of CRLF", "\r\n\r\n", "blank\nline_feed\nblank\nline_feed\n", ""},
        {"blank lines of CR", "\r\r", "blank\nblank\n", ""},
        {"a named event", "event: e\ndata: a\n\n", "event|data=a|type=e|event\n", ""},
        {"a name behind the data", "data: a\nevent: e\n\n", "event|data=a|type=e|event\n", ""},
        {"the last name counts", "event: e\nevent: f\ndata: a\n\n", "event|data=a|type=f|event\n",
         ""},
        {"an empty name", "event: e\nevent\ndata: a\n\n", "event|data=a|event\n", ""},
        {"a name does not last", "event: e\ndata: a\n\ndata: b\n\n",
         "event|data=a|type=e|event\nevent|data=b\n", ""},
        {"a name without data", "event: e\n\ndata: b\n\n", "fields|type=e|event\nevent|data=b\n",
         ""},
        {"an id", "id: 1\ndata: a\n\n", "event|data=a|id\n", ""},
        {"an empty id", "id\ndata: a\n\n", "event|data=a|id\n", ""},
        {"an id with NUL is none", "id: a\0b\ndata: a\n\n"s, "event|data=a\n", ""},
        {"an id of its own", "id: 1\n\n", "fields|id\n", ""},
        {"a retry", "retry: 10\ndata: a\n\n", "event|data=a|retry\n", ""},
        {"a retry of its own", "retry: x\n\n", "fields|retry\n", ""},
        {"unknown fields", "foo: 1\nbar\n\n", "fields\n", ""},
        {"NUL in data", "data: a\0b\n\n"s, "event|data=a\0b\n"s, ""},
        {"a BOM",
         "\xEF\xBB\xBF"
         "data: a\n\n",
         "event|data=a\n", ""},
        {"a BOM alone", "\xEF\xBB\xBF", "", ""},
        {"two BOMs",
         "\xEF\xBB\xBF\xEF\xBB\xBF"
         "data: a\n\n",
         "fields\n", ""},
        {"half a BOM", "\xEF\xBB", "", "\xEF\xBB"},
        {"half a BOM, then a line",
         "\xEF\xBB"
         "data: a\n\n",
         "fields\n", ""},
        {"a BOM byte, then a blank line", "\xEF\n\n", "fields\n", ""},
        {"a BOM behind an event",
         "data: a\n\n\xEF\xBB\xBF"
         "data: b\n\n",
         "event|data=a\nfields\n", ""},
        {"a BOM, then CR", "\xEF\xBB\xBF\r\n", "blank\nline_feed\n", ""},
        {"a cut line", "data: a\n\ndata: b", "event|data=a\n", "data: b"},
        {"a cut block", "data: a\n", "", "data: a\n"},
        {"a cut block behind CR", "data: a\r", "", "data: a\r"},
        {"a cut block behind CRLF", "data: a\r\n", "", "data: a\r\n"},
        {"a cut comment", ": a\n: b", "comment\n", ": b"},
        {"NEL, LS, VT and FF end no line", "data: a\xC2\x85\xE2\x80\xA8\v\f\n\n",
         "event|data=a\xC2\x85\xE2\x80\xA8\v\f\n", ""},
        {"the usual stream", ": OPENROUTER PROCESSING\n\ndata: {\"a\":1}\n\ndata: [DONE]\n\n",
         "comment\nblank\nevent|data={\"a\":1}\nevent|data=[DONE]\n", ""},
    };
    return all;
}

std::string without_bom(const std::string& text) {
    return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

void check(const row& r, const reading& got) {
    BOOST_TEST(tests::shown(outline(got)) == tests::shown(r.items));
    BOOST_TEST(got.pending == r.pending);
    BOOST_TEST(got.all_bytes() == without_bom(r.text));
}

std::string long_event(std::size_t bytes) {
    std::string text = "data: " + std::string(bytes - 8, 'x') + "\n\n";
    BOOST_REQUIRE(text.size() == bytes);
    return text;
}

std::size_t items_of(event_parser& parser) {
    std::size_t count = 0;
    while (parser.next()) {
        ++count;
    }
    return count;
}

/// A text with its padding, to push without a copy.
struct padded {
    explicit padded(std::string_view text) : size(text.size()), bytes(text) {
        bytes.append(proxy::limits::json_padding, ' ');
    }

    std::string_view view() const { return std::string_view(bytes).substr(0, size); }

    std::size_t size;
    std::string bytes;
};

} // namespace

BOOST_AUTO_TEST_SUITE(event_parser_rules)

BOOST_AUTO_TEST_CASE(each_text_gives_its_items_whole) {
    for (const row& r : rows()) {
        BOOST_TEST_CONTEXT(r.name) {
            check(r, read_whole(r.text));
        }
    }
}

BOOST_AUTO_TEST_CASE(each_text_gives_its_items_at_every_pair_of_cuts) {
    for (const row& r : rows()) {
        for (std::size_t first = 0; first <= r.text.size(); ++first) {
            for (std::size_t second = 1; second <= r.text.size() - first; ++second) {
                BOOST_TEST_CONTEXT(r.name << " cut behind " << first << " and " << second) {
                    check(r, read_in_pieces(r.text, {first, second, r.text.size() + 1}));
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(each_text_gives_its_items_in_small_pieces) {
    for (const row& r : rows()) {
        for (const std::size_t size : {1U, 2U, 3U}) {
            BOOST_TEST_CONTEXT(r.name << " in pieces of " << size) {
                check(r, read_in_pieces(r.text, {size}));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_plain_event_is_a_view_into_the_pushed_bytes) {
    const padded text("data: {\"a\":1}\n\ndata: b\n\n");
    event_parser parser;
    parser.push(text.view());
    const auto first = parser.next();
    BOOST_REQUIRE(first);
    BOOST_TEST((first->raw.data() == text.bytes.data()));
    BOOST_TEST((first->data.data() == text.bytes.data() + 6));
    BOOST_TEST(first->single_data_line);
    BOOST_TEST(items_of(parser) == 1U);
}

BOOST_AUTO_TEST_CASE(an_event_behind_a_carried_one_is_in_place_again) {
    const padded head("data: a");
    const padded tail("bc\n\ndata: d\n\n");
    event_parser parser;
    parser.push(head.view());
    BOOST_TEST(!parser.next());
    parser.push(tail.view());
    const auto carried = parser.next();
    BOOST_REQUIRE(carried);
    BOOST_TEST(carried->data == "abc");
    BOOST_TEST(parser.pending() == 0U);
    const auto in_place = parser.next();
    BOOST_REQUIRE(in_place);
    BOOST_TEST((in_place->raw.data() == tail.bytes.data() + 4));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(event_parser_bounds)

BOOST_AUTO_TEST_CASE(an_event_of_just_the_bound_passes_at_every_cut) {
    const std::string text = long_event(40) + long_event(40);
    for (const std::size_t size : {1U, 7U, 39U, 40U, 41U, 80U}) {
        BOOST_TEST_CONTEXT("pieces of " << size) {
            const reading got = read_in_pieces(text, {size}, 40);
            BOOST_TEST(got.items.size() == 2U);
            BOOST_TEST(!got.too_large);
        }
    }
}

BOOST_AUTO_TEST_CASE(one_byte_more_ends_the_stream_at_every_cut) {
    const std::string text = long_event(40) + long_event(41) + long_event(20);
    for (const std::size_t size : {1U, 7U, 39U, 40U, 41U, 80U, 101U}) {
        BOOST_TEST_CONTEXT("pieces of " << size) {
            const reading got = read_in_pieces(text, {size}, 40);
            BOOST_TEST(got.items.size() == 1U);
            BOOST_TEST(got.too_large);
            BOOST_TEST(got.pending.empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_bound_is_for_every_kind_of_block) {
    const std::string filler(60, 'x');
    for (const std::string& text :
         {":" + filler, "data: " + filler, "id: " + filler, filler, "data: a\r\n" + filler,
          "data: " + filler.substr(20) + "\n:" + filler, std::string("\xEF\xBB\xBF") + filler}) {
        for (const std::size_t size : {1U, 13U, 200U}) {
            BOOST_TEST_CONTEXT(tests::shown(text) << " in pieces of " << size) {
                BOOST_TEST(read_in_pieces(text, {size}, 40).too_large);
                BOOST_TEST(read_in_pieces(text + "\n\n", {size}, 40).too_large);
                BOOST_TEST(!read_in_pieces(text, {size}, 200).too_large);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(many_small_items_never_count_together) {
    std::string text;
    for (int i = 0; i < 1000; ++i) {
        text += ": c\r\n\r\ndata: a\n\n\n";
    }
    BOOST_TEST(!read_whole(text, 20).too_large);
    BOOST_TEST(!read_in_pieces(text, {3}, 20).too_large);
}

BOOST_AUTO_TEST_CASE(a_long_line_byte_by_byte_takes_linear_time) {
    const std::string text = long_event(std::size_t{2} << 20);
    event_parser parser;
    const padded one("x");
    std::size_t items = 0;
    std::string piece(1 + proxy::limits::json_padding, ' ');
    for (const char c : text) {
        piece[0] = c;
        parser.push(std::string_view(piece).substr(0, 1));
        items += items_of(parser);
    }
    BOOST_TEST(items == 1U);
}

BOOST_AUTO_TEST_CASE(a_big_push_of_short_lines_takes_linear_time) {
    for (const std::string& line : {std::string("data:a\r"), std::string("\n"), std::string(":\n"),
                                    std::string("\r\n"), std::string("x\r\r")}) {
        std::string text;
        while (text.size() < std::size_t{4} << 20) {
            text += line;
        }
        const padded all(text);
        event_parser parser;
        parser.push(all.view());
        items_of(parser);
        BOOST_TEST(!parser.too_large());
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(event_parser_memory)

BOOST_AUTO_TEST_CASE(whole_events_are_read_without_allocation) {
    const padded text(": c\n\n" + long_event(300) + "event: e\r\ndata: a\r\n\r\nid: 1\n\n");
    event_parser parser;
    const tests::allocation_count before;
    parser.push(text.view());
    BOOST_TEST(items_of(parser) == 6U);
    BOOST_TEST(before.made() == 0U);
}

BOOST_AUTO_TEST_CASE(a_stream_that_ends_between_events_owns_nothing_large) {
    const std::string long_line(100000, 'x');
    for (const std::string& text : {"data: " + long_line + "\n\n", ":" + long_line + "\n",
                                    "data: a\ndata: " + long_line + "\n\n"}) {
        const padded head(std::string_view(text).substr(0, text.size() / 2));
        const padded tail(std::string_view(text).substr(text.size() / 2));
        const tests::allocation_count before;
        event_parser parser;
        parser.push(head.view());
        BOOST_TEST(items_of(parser) == 0U);
        BOOST_TEST(before.live_bytes() >= 50000);
        parser.push(tail.view());
        BOOST_TEST(items_of(parser) == 1U);
        BOOST_TEST(before.live_bytes() <= 8192);
    }
}

BOOST_AUTO_TEST_CASE(a_stream_past_its_bound_owns_nothing) {
    const padded text(std::string(5000, 'x'));
    const tests::allocation_count before;
    event_parser parser(8000);
    parser.push(text.view());
    BOOST_TEST(items_of(parser) == 0U);
    parser.push(text.view());
    BOOST_TEST(items_of(parser) == 0U);
    BOOST_TEST(parser.too_large());
    BOOST_TEST(before.live_bytes() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
