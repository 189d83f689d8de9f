#include "proxy/app/text_filter.hpp"
#include "proxy/config/formats_file.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy;

namespace {

const scaffold::catalog& formats() {
    static const scaffold::catalog catalog = config::built_in_catalog();
    return catalog;
}

std::string filtered(std::string_view text, std::size_t step, app::strip_summary& summary) {
    scaffold::context context;
    context.tools = true;
    app::text_filter filter(formats(), context, summary);
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += step) {
        filter.feed(text.substr(at, step), out);
    }
    filter.finish(out);
    return out;
}

const std::string call = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";

} // namespace

BOOST_AUTO_TEST_SUITE(text_filter)

BOOST_AUTO_TEST_CASE(every_cut_gives_the_same_text_and_summary) {
    const std::pair<std::string, std::string> rows[] = {
        {"plain", "plain"},
        {"  a " + call + " b" + call + "\n", "  a  b\n"},
        {"\n" + call + "\n", ""},
        {"\n\n", "\n\n"},
        {"", ""},
        {"a <tool_cal", "a <tool_cal"},
        {call + "\n\nanswer", "\n\nanswer"},
    };
    for (const auto& [text, expected] : rows) {
        app::strip_summary whole;
        filtered(text, text.size() + 1, whole);
        for (std::size_t step = 1; step <= text.size() + 1; ++step) {
            BOOST_TEST_CONTEXT(text << " by " << step) {
                app::strip_summary summary;
                BOOST_TEST(filtered(text, step, summary) == expected);
                BOOST_TEST(summary.spans == whole.spans);
                BOOST_TEST(summary.chars == whole.chars);
                BOOST_TEST(summary.formats == whole.formats, boost::test_tools::per_element());
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(the_summary_counts_characters_and_names_formats) {
    app::strip_summary summary;
    filtered("x" + call + "y" + call, 7, summary);
    BOOST_TEST(summary.spans == 2u);
    BOOST_TEST(summary.chars == 2 * call.size());
    BOOST_TEST(summary.formats.size() == 1u);
    BOOST_TEST(*summary.formats.begin() == "hermes");
}

BOOST_AUTO_TEST_CASE(leading_white_space_without_end_is_not_kept_for_ever) {
    app::strip_summary summary;
    scaffold::context context;
    app::text_filter filter(formats(), context, summary);
    std::string out;
    for (int i = 0; i < 200; ++i) {
        filter.feed(std::string(1'000, ' '), out);
    }
    BOOST_TEST(out.size() >= 200'000u - 65'536u);
    filter.finish(out);
    BOOST_TEST(out == std::string(200'000, ' '));
}

BOOST_AUTO_TEST_SUITE_END()
