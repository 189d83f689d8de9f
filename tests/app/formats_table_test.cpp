#include "proxy/app/formats_table.hpp"
#include "proxy/config/formats_file.hpp"

#include "tests/app/process.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace proxy;

namespace {

scaffold::format make_format(std::string name, std::vector<scaffold::marker> open,
                             scaffold::format_class cls) {
    scaffold::format f;
    f.name = std::move(name);
    f.open = std::move(open);
    f.cls = cls;
    f.families = {"One", "Two"};
    f.risk = "low";
    f.source = "https://example.org/source";
    return f;
}

scaffold::catalog two_formats() {
    std::vector<scaffold::format> all;
    all.push_back(
        make_format("short", {{"<a>", false}, {"<b>", false}}, scaffold::format_class::tagged));
    all.push_back(
        make_format("longer-name", {{"<\xef\xbd\x9cx|>", true}}, scaffold::format_class::sentinel));
    return scaffold::catalog(std::move(all));
}

} // namespace

BOOST_AUTO_TEST_SUITE(formats_table)

BOOST_AUTO_TEST_CASE(columns_are_aligned_also_behind_wide_characters) {
    BOOST_TEST(
        app::formats_table(two_formats()) ==
        "name         opener  class     families  risk  source\n"
        "short        <a> +1  tagged    One, Two  low   https://example.org/source\n"
        "longer-name  <\xef\xbd\x9cx|>  sentinel  One, Two  low   https://example.org/source\n");
}

BOOST_AUTO_TEST_CASE(markdown_escapes_bars) {
    BOOST_TEST(app::formats_markdown(two_formats()) ==
               "| name | opener | class | families | risk | source |\n"
               "| --- | --- | --- | --- | --- | --- |\n"
               "| `short` | `<a> +1` | tagged | One, Two | low | https://example.org/source |\n"
               "| `longer-name` | `<\xef\xbd\x9cx\\|>` | sentinel | One, Two | low | "
               "https://example.org/source |\n");
}

BOOST_AUTO_TEST_CASE(the_binary_lists_every_format_of_the_catalog) {
    const scaffold::catalog catalog = config::built_in_catalog();
    const tests::finished_process table = tests::run({"formats"});
    const tests::finished_process markdown = tests::run({"formats", "--markdown"});
    BOOST_TEST(table.exit_code == 0);
    BOOST_TEST(markdown.exit_code == 0);
    BOOST_TEST(table.out == app::formats_table(catalog));
    BOOST_TEST(markdown.out == app::formats_markdown(catalog));
    std::istringstream lines(table.out);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
        ++count;
    }
    BOOST_TEST(count == catalog.formats().size() + 1);
}

BOOST_AUTO_TEST_SUITE_END()
