// Real documents leave the filter as they came, with tools in context and without.
//
// Reads a choice of what is installed; with UNSCAFFOLD_DOCUMENTS=all everything
// (tests/corpus/run).
#include "proxy/config/formats_file.hpp"
#include "proxy/scaffold/choice_filter.hpp"

#include "tests/documents/documents.hpp"
#include "tests/support/files.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace tests::documents {

namespace {

using proxy::scaffold::choice_filter;
using proxy::scaffold::run_kind;

const proxy::scaffold::catalog& formats() {
    static const auto all = proxy::config::built_in_catalog();
    return all;
}

proxy::scaffold::context context_with(bool tools) {
    proxy::scaffold::context ctx;
    ctx.tools = tools;
    if (tools) {
        ctx.names = {"get_time",  "get_weather", "list_files", "open",
                     "read_file", "search",      "write"};
    }
    return ctx;
}

/// What one run over a document showed.
struct outcome {
    bool left_start = false; ///< something was held: bytes that begin a marker
    std::size_t stripped = 0;
    std::vector<proxy::scaffold::span> spans;
};

/// Feeds in pieces that end two bytes behind each byte that may open a marker, so that a matcher
/// that has left its start state is seen in it.
outcome run(std::string_view text, const proxy::scaffold::context& ctx) {
    choice_filter filter(formats(), ctx);
    proxy::scaffold::decisions out;
    outcome result;
    const auto take = [&] {
        for (const auto& one : out.runs) {
            result.stripped += one.kind == run_kind::strip ? one.bytes : 0;
        }
        result.spans.insert(result.spans.end(), out.spans.begin(), out.spans.end());
        out.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto opens = text.find_first_of("<[]", at);
        const auto end =
            opens == std::string_view::npos ? text.size() : std::min(opens + 2, text.size());
        filter.feed(text.substr(at, end - at), out);
        result.left_start = result.left_start || filter.held() > 1;
        take();
        at = end;
    }
    filter.finish(out);
    take();
    return result;
}

struct totals {
    std::size_t files = 0;
    std::size_t bytes = 0;
    std::size_t left_start = 0;
    std::size_t changed = 0;
};

void report(const std::string& path, bool tools, const outcome& seen) {
    std::cout << path << (tools ? " (tools)" : " (no tools)") << ": " << seen.stripped
              << " bytes stripped\n";
    for (const auto& span : seen.spans) {
        std::cout << "  at " << span.offset << ", " << (span.fmt ? span.fmt->name : "closer")
                  << ", " << span.rule << ": " << span.excerpt.substr(0, 100) << "\n";
    }
}

totals read_all(const std::vector<std::string>& paths) {
    totals sum;
    for (const auto& path : paths) {
        const auto text = read_file(path);
        ++sum.files;
        sum.bytes += text.size();
        bool left_start = false;
        for (const bool tools : {true, false}) {
            const auto seen = run(text, context_with(tools));
            left_start = left_start || seen.left_start;
            if (seen.stripped != 0) {
                ++sum.changed;
                report(path, tools, seen);
            }
        }
        sum.left_start += left_start ? 1 : 0;
    }
    return sum;
}

constexpr std::size_t mebibyte = 1024 * 1024;

} // namespace

BOOST_AUTO_TEST_SUITE(documents)

BOOST_AUTO_TEST_CASE(a_call_in_a_document_would_show) {
    const std::string text = "# Notes\n\nThe page.\n<tool_call>{\"name\": \"search\", "
                             "\"arguments\": {}}</tool_call>\n";
    const auto seen = run(text, context_with(true));
    BOOST_TEST(seen.left_start);
    BOOST_TEST(seen.stripped > 40);
    BOOST_TEST(run(text, context_with(false)).stripped == 0);
}

BOOST_AUTO_TEST_CASE(what_packages_install_is_not_changed) {
    const bool everything = std::getenv("UNSCAFFOLD_DOCUMENTS") != nullptr;
    const auto paths = installed_documents(everything ? selection{1000000, 4096 * mebibyte}
                                                      : selection{1500, 20 * mebibyte});
    const auto sum = read_all(paths);
    std::cout << sum.files << " files, " << sum.bytes / mebibyte << " MiB, " << sum.left_start
              << " with the begin of a marker, " << sum.changed << " changed\n";
    if (sum.files < 500) {
        std::cout << "skipped: only " << sum.files << " documents are installed here\n";
    } else if (everything) {
        BOOST_TEST(sum.files >= 2000);
        BOOST_TEST(sum.bytes >= 50 * mebibyte);
        BOOST_TEST(sum.left_start >= 500);
    }
    BOOST_TEST(sum.changed == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace tests::documents
