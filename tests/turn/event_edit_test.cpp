#include "proxy/turn/event_edit.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using proxy::turn::event_bytes;
using proxy::turn::event_editor;

namespace {

std::string_view find_in(std::string_view text, std::string_view part) {
    const std::size_t at = text.find(part);
    BOOST_REQUIRE(at != std::string_view::npos);
    return text.substr(at, part.size());
}

std::string edit_one_line(const std::string& raw, std::string_view data, std::string_view old,
                          std::string_view text) {
    event_editor editor;
    const std::string_view in_raw = find_in(raw, data);
    editor.begin({raw, in_raw, true});
    editor.replace(find_in(in_raw, old), text);
    std::string out;
    editor.write(out);
    return out;
}

std::string removed(const std::string& json, std::string_view member) {
    event_editor editor;
    const std::string raw = "data: " + json + "\n\n";
    const std::string_view data = std::string_view(raw).substr(6, json.size());
    editor.begin({raw, data, true});
    editor.remove_member(find_in(data, member));
    std::string out;
    editor.write(out);
    return out.substr(6, out.size() - 8);
}

} // namespace

BOOST_AUTO_TEST_SUITE(event_edit)

BOOST_AUTO_TEST_CASE(everything_around_the_edit_keeps_its_bytes) {
    BOOST_CHECK_EQUAL(edit_one_line("id: 4\r\ndata:{\"n\": 1.50, \"t\":\"ab\"}\r\nretry: 3\r\n\r\n",
                                    "{\"n\": 1.50, \"t\":\"ab\"}", "ab", ""),
                      "id: 4\r\ndata:{\"n\": 1.50, \"t\":\"\"}\r\nretry: 3\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(an_editor_without_edits_writes_the_event_as_it_is) {
    const std::string raw = ": c\nevent: x\ndata: {}\n\n";
    event_editor editor;
    editor.begin({raw, find_in(raw, "{}"), true});
    BOOST_CHECK(!editor.changed());
    std::string out;
    editor.write(out);
    BOOST_CHECK_EQUAL(out, raw);
}

BOOST_AUTO_TEST_CASE(json_over_several_data_lines_is_cut_at_its_line_feeds_again) {
    const std::string raw = "event: e\ndata: {\"a\":\ndata: \"old\",\nid: 1\ndata: \"b\":2}\n\n";
    const std::string joined = "{\"a\":\n\"old\",\n\"b\":2}";
    event_editor editor;
    editor.begin({raw, joined, false});
    editor.replace(find_in(joined, "old"), "new text");
    std::string out;
    editor.write(out);
    BOOST_CHECK_EQUAL(out,
                      "event: e\ndata: {\"a\":\ndata: \"new text\",\ndata: \"b\":2}\nid: 1\n\n");
}

BOOST_AUTO_TEST_CASE(a_removed_member_takes_one_comma_with_it) {
    const struct {
        const char* json;
        const char* member;
        const char* left;
    } rows[] = {
        {R"({"role":"assistant","content":"x"})", R"("role":"assistant")", R"({"content":"x"})"},
        {R"({"content":"x","role":"assistant"})", R"("role":"assistant")", R"({"content":"x"})"},
        {R"({"content":"x" , "role":"assistant" })", R"("role":"assistant")",
         R"({"content":"x"  })"},
        {R"({"role":"assistant"})", R"("role":"assistant")", "{}"},
        {R"({ "role":"assistant" })", R"("role":"assistant")", "{ }"},
        {R"({"a":1, "role":"assistant" , "b":2})", R"("role":"assistant")", R"({"a":1,  "b":2})"},
    };

    for (const auto& row : rows) {
        BOOST_CHECK_EQUAL(removed(row.json, row.member), row.left);
    }
}

BOOST_AUTO_TEST_SUITE_END()
