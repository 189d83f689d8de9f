// The corpus of model outputs: what must go, what must stay, at every cut.
#include "tests/scaffold/corpus.hpp"
#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace proxy::tests {

namespace {

/// Cases whose dialect the catalog doesn't hold yet. This list only ever gets shorter.
const std::set<std::string> not_covered = {};

} // namespace

BOOST_AUTO_TEST_SUITE(corpus)

BOOST_AUTO_TEST_CASE(holds_all_cases) {
    const auto cases = read_corpus();
    BOOST_TEST(cases.size() == 155);
    BOOST_TEST(std::ranges::count(cases, "prose", &corpus_case::kind) == 52);
}

BOOST_AUTO_TEST_CASE(every_case_comes_out_clean_at_every_cut) {
    for (const auto& row : read_corpus()) {
        if (not_covered.contains(row.id)) {
            continue;
        }
        const auto got = run_at_all_cuts(context_of(row.tools), row.raw);
        BOOST_TEST(visible(got.clean) == row.clean, row.id << " (" << row.format << "): got '"
                                                           << got.clean << "' for '" << row.raw
                                                           << "'");
    }
}

BOOST_AUTO_TEST_CASE(prose_is_one_run_of_text_without_spans) {
    for (const auto& row : read_corpus()) {
        if (row.kind != "prose" || not_covered.contains(row.id)) {
            continue;
        }
        const auto got = run_whole(context_of(row.tools), row.raw);
        BOOST_TEST(got.clean == row.raw, row.id);
        BOOST_TEST(got.spans.empty(), row.id);
    }
}

BOOST_AUTO_TEST_CASE(what_came_out_clean_is_not_changed_again) {
    for (const auto& row : read_corpus()) {
        const auto once = run_whole(context_of(row.tools), row.raw);
        const auto twice = run_whole(context_of(row.tools), once.clean);
        BOOST_TEST(twice.clean == once.clean, row.id);
    }
}

BOOST_AUTO_TEST_CASE(every_span_is_reported_with_its_bytes) {
    for (const auto& row : read_corpus()) {
        const auto got = run_whole(context_of(row.tools), row.raw);
        std::string from_spans;
        std::uint64_t bytes = 0;
        for (const auto& span : got.spans) {
            bytes += span.bytes;
            BOOST_TEST(row.raw.substr(span.offset, span.bytes).starts_with(span.excerpt), row.id);
            BOOST_TEST(!span.rule.empty(), row.id);
        }
        BOOST_TEST(bytes == got.stripped.size(), row.id);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
