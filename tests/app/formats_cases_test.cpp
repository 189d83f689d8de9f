// `unscaffold formats --cases`: how many texts of a file each format is found in; and the README's
// table, which is made that way.
#include "proxy/app/case_counts.hpp"
#include "proxy/app/formats_table.hpp"
#include "proxy/config/formats_file.hpp"

#include "tests/app/process.hpp"
#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>
#include <stdexcept>

using namespace proxy;

namespace {

const std::vector<std::string>& tools() {
    return proxy::tests::context_of(true).names;
}

app::case_counts counts_of(std::string_view lines) {
    app::case_counts counts;
    app::count_cases(lines, config::built_in_catalog(), tools(), counts);
    return counts;
}

std::string error_of(std::string_view lines) {
    try {
        counts_of(lines);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

const std::string call = R"(<tool_call>{\"name\": \"get_time\", \"arguments\": {}}</tool_call>)";

} // namespace

BOOST_AUTO_TEST_SUITE(formats_cases)

BOOST_AUTO_TEST_CASE(a_text_counts_once_for_each_format_that_is_found_in_it) {
    const auto counts = counts_of("{\"raw\": \"" + call + " and " + call +
                                  "\", \"tools\": true}\n"
                                  "{\"raw\": \"plain\", \"tools\": true}\n"
                                  "{\"tools\": true, \"raw\": \"a [TOOL_CALLS][{\\\"name\\\": "
                                  "\\\"get_time\\\", \\\"arguments\\\": {}}]" +
                                  call + "\"}");
    BOOST_TEST(counts.at("hermes") == 2);
    BOOST_TEST(counts.at("mistral") == 1);
    BOOST_TEST(counts.size() == 2);
}

BOOST_AUTO_TEST_CASE(the_tools_are_declared_only_where_a_line_says_so) {
    const std::string text = "{\"raw\": \"See " + call + "\"";
    BOOST_TEST(counts_of(text + ", \"tools\": true}").size() == 1);
    BOOST_TEST(counts_of(text + ", \"tools\": false}").empty());
    BOOST_TEST(counts_of(text + "}").empty());
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_case_is_named) {
    const std::string good = "{\"raw\": \"x\"}\n";
    const std::string message = "line 2: not an object with a text in `raw`";
    for (const char* bad : {"[]", "{\"raw\": 7}", "{}", "x", " ", "{\"raw\": \"x\""}) {
        BOOST_TEST(error_of(good + bad + "\n") == message, bad);
    }
    BOOST_TEST(error_of(good) == "none");
    BOOST_TEST(error_of("") == "none");
}

BOOST_AUTO_TEST_CASE(a_file_that_can_not_be_used_is_named) {
    const auto missing = ::tests::run({"formats", "--cases", "/nowhere/cases.jsonl"});
    BOOST_TEST(missing.exit_code == 2);
    BOOST_TEST(missing.err.find("--cases /nowhere/cases.jsonl: can't be read") !=
               std::string::npos);
    const auto wrong = ::tests::run({"formats", "--cases", SOURCE_DIR "/README.md"});
    BOOST_TEST(wrong.exit_code == 2);
    BOOST_TEST(wrong.err.find("README.md: line 1: not an object") != std::string::npos);
    BOOST_TEST(::tests::run({"formats", "--tools", "a"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(the_table_of_the_readme_is_the_catalogs_with_the_cases_of_the_corpus) {
    std::string names;
    for (const std::string& name : tools()) {
        names += (names.empty() ? "" : ",") + name;
    }
    const auto table = ::tests::run({"formats", "--markdown", "--tools", names, "--cases",
                                     TESTS_DIR "/corpus/own.jsonl", "--cases",
                                     TESTS_DIR "/corpus/scaffolding.jsonl"});
    BOOST_TEST(table.exit_code == 0);
    const std::string begin = "<!-- formats -->\n";
    const std::string readme = file_text(SOURCE_DIR "/README.md");
    const auto from = readme.find(begin);
    const auto to = readme.find("<!-- /formats -->");
    BOOST_REQUIRE(from != std::string::npos);
    BOOST_REQUIRE(to != std::string::npos);
    const bool same = readme.substr(from + begin.size(), to - from - begin.size()) == table.out;
    BOOST_TEST(same, "make it anew with tests/corpus/table");
    const scaffold::catalog catalog = config::built_in_catalog();
    for (const scaffold::format& f : catalog.formats()) {
        BOOST_TEST(table.out.find("| `" + f.name + "` |") != std::string::npos, f.name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
