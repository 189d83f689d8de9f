// The corpus of model outputs: what must go, what must stay, at every cut. Prints, for each kind
// and for each format, how many cases there are and how many come out as they must.
#include "tests/scaffold/corpus.hpp"
#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

namespace proxy::tests {

namespace {

/// Cases that don't come out right yet. This list only ever gets shorter: one that does fails.
const std::set<std::string> not_yet = {};

const std::vector<corpus_case>& corpus() {
    static const auto cases = read_corpus();
    return cases;
}

/// The two counts of a row of the table.
struct tally {
    std::size_t cases = 0;
    std::size_t exact = 0;
};

void print(const std::string& title, const std::map<std::string, tally>& rows) {
    std::cout << title << ": cases, exact, failures\n";
    for (const auto& [name, row] : rows) {
        std::cout << "  " << name << ": " << row.cases << ", " << row.exact << ", "
                  << row.cases - row.exact << "\n";
    }
}

} // namespace

/// The defective forms in which a call of this format can come, and which the corpus must hold.
std::vector<std::string> forms_of(const scaffold::format& fmt) {
    if (fmt.strip_as != scaffold::span_kind::call) {
        return {"whole"};
    }
    std::vector<std::string> forms = {"whole", "cut", "closer-in-string"};
    const bool closes = !fmt.close.empty() || !fmt.section_close.empty();
    const bool alone = fmt.anchor == scaffold::anchor_kind::anywhere; // its closer is a marker
    const bool any_text = fmt.payload == scaffold::payload_kind::free_text ||
                          fmt.payload == scaffold::payload_kind::name_sep_text;
    if (closes) {
        forms.emplace_back("unterminated");
    }
    if (closes && alone) {
        forms.insert(forms.end(), {"doubled", "closer-only"});
    }
    if (closes && alone && !any_text) { // any text up to its own closer: another's is text
        forms.emplace_back("wrong-closer");
    }
    const bool opens = !fmt.open.empty() || !fmt.section_open.empty();
    if (opens && fmt.cls != scaffold::format_class::shaped) { // a shape's is a word of prose
        forms.emplace_back("opener-only");
    }
    return forms;
}

BOOST_AUTO_TEST_SUITE(corpus_of_outputs)

BOOST_AUTO_TEST_CASE(holds_what_it_promises) {
    const auto count = [&](std::string_view file, bool prose_only) {
        return std::ranges::count_if(corpus(), [&](const corpus_case& row) {
            return row.file == file && (!prose_only || row.kind == "prose");
        });
    };
    BOOST_TEST(count("scaffolding.jsonl", false) == 155);
    BOOST_TEST(count("own.jsonl", false) >= 400);
    BOOST_TEST(count("own.jsonl", true) * 10 >= count("own.jsonl", false) * 4);
    std::set<std::string> ids;
    for (const auto& row : corpus()) {
        BOOST_TEST(ids.insert(row.id).second, row.id << " stands twice");
        BOOST_TEST((row.kind != "prose" || row.raw == row.clean), row.id);
    }
}

BOOST_AUTO_TEST_CASE(every_format_has_a_case_of_every_form) {
    std::map<std::string, std::set<std::string>> there;
    for (const auto& row : corpus()) {
        BOOST_TEST(row.form.empty() == (row.kind == "prose"), row.id);
        there[row.format].insert(row.form);
    }
    for (const auto& fmt : formats().formats()) {
        for (const auto& form : forms_of(fmt)) {
            BOOST_TEST(there[fmt.name].contains(form), fmt.name << " has no case of form " << form);
        }
        there.erase(fmt.name);
    }
    for (const auto& [name, forms] : there) {
        BOOST_TEST(name.starts_with("prose-"), "no format is called " << name);
    }
}

BOOST_AUTO_TEST_CASE(a_whole_call_is_called_by_its_format) {
    for (const auto& row : corpus()) {
        const bool told = row.form == "whole" || row.form == "closer-in-string";
        if (!told) {
            continue;
        }
        const auto got = run_whole(context_of(row.tools), row.raw);
        const bool named = std::ranges::any_of(got.spans, [&](const scaffold::span& span) {
            const bool shared = span.fmt == nullptr && row.format == "end-tokens"; // also a closer
            return shared || (span.fmt != nullptr && span.fmt->name == row.format);
        });
        // Reasoning in plain tags is kept, and so it is no span.
        BOOST_TEST((named || row.format == "think-tags" || row.format == "hunyuan-think"),
                   row.id << " (" << row.format << ") is called "
                          << (got.spans.empty() || got.spans.front().fmt == nullptr
                                  ? "nothing"
                                  : got.spans.front().fmt->name));
    }
}

BOOST_AUTO_TEST_CASE(every_case_comes_out_clean_at_every_cut) {
    std::map<std::string, tally> kinds;
    std::map<std::string, tally> formats;
    for (const auto& row : corpus()) {
        const auto got = visible(run_at_all_cuts(context_of(row.tools), row.raw).clean);
        const bool exact = got == row.clean;
        for (auto* counted : {&kinds[row.kind], &formats[row.format]}) {
            ++counted->cases;
            counted->exact += exact ? 1 : 0;
        }
        if (not_yet.contains(row.id)) {
            BOOST_TEST(!exact, row.id << " comes out right: no longer listed");
        } else {
            BOOST_TEST(exact, row.id << " (" << row.format << "): got '" << got << "' for '"
                                     << row.raw << "' and not '" << row.clean << "'");
        }
    }
    print("kind", kinds);
    print("format", formats);
    BOOST_TEST_MESSAGE(corpus().size() << " cases");
}

BOOST_AUTO_TEST_CASE(prose_is_one_run_of_text_without_spans) {
    for (const auto& row : corpus()) {
        if (row.kind != "prose" || not_yet.contains(row.id)) {
            continue;
        }
        const auto got = run_whole(context_of(row.tools), row.raw);
        BOOST_TEST(got.clean == row.raw, row.id);
        BOOST_TEST(got.spans.empty(), row.id);
    }
}

BOOST_AUTO_TEST_CASE(what_came_out_clean_is_not_changed_again) {
    for (const auto& row : corpus()) {
        const auto once = run_whole(context_of(row.tools), row.raw);
        const auto twice = run_whole(context_of(row.tools), once.clean);
        BOOST_TEST(twice.clean == once.clean, row.id);
    }
}

BOOST_AUTO_TEST_CASE(every_span_is_reported_with_its_bytes) {
    for (const auto& row : corpus()) {
        const auto got = run_whole(context_of(row.tools), row.raw);
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
