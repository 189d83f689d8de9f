#include "proxy/demo/answers.hpp"
#include "proxy/demo/scripts.hpp"

#include "tests/support/client_view.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <set>

using namespace proxy::demo;

namespace {

tests::client_view streamed(const answer& told) {
    return tests::read_stream(
        std::accumulate(told.writes.begin(), told.writes.end(), std::string()));
}

script named(std::string_view name) {
    const auto all = built_in_scripts();
    const auto found = std::ranges::find(all, name, &script::name);
    BOOST_TEST_REQUIRE((found != all.end()));
    return *found;
}

bool whole_stream(const answer& told) {
    return told.status == 200 && told.end == ending::whole && streamed(told).dones == 1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(demo_scripts)

BOOST_AUTO_TEST_CASE(names_are_unique_and_explained) {
    std::set<std::string> names;
    for (const auto& one : built_in_scripts()) {
        BOOST_TEST_CONTEXT(one.name) {
            BOOST_TEST(names.insert(one.name).second);
            BOOST_TEST(!one.summary.empty());
            BOOST_TEST(!one.answers.empty());
            BOOST_TEST(one.name.find('?') == std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_whole_stream_is_well_formed_and_equals_its_body) {
    std::size_t checked = 0;
    for (const auto& one : built_in_scripts()) {
        for (const auto& told : one.answers) {
            if (!whole_stream(told) || one.name.starts_with("fault-")) {
                continue;
            }
            BOOST_TEST_CONTEXT(one.name) {
                ++checked;
                const auto view = streamed(told);
                BOOST_TEST(view.unreadable == 0U);
                BOOST_TEST(view.ends_with_done);
                BOOST_TEST(!view.ends_in_event);
                BOOST_TEST(view.first().role_deltas == 1U);
                BOOST_TEST(view.first().finishes.size() == 1U);
                BOOST_TEST(view.ids.size() == 1U);
                const auto body = tests::read_body(told.body);
                BOOST_TEST(body.first().content == view.first().content);
                BOOST_TEST(body.first().calls.size() == view.first().calls.size());
            }
        }
    }
    BOOST_TEST(checked > 20U);
}

BOOST_AUTO_TEST_CASE(every_leak_stands_between_the_same_two_texts) {
    std::size_t leaks = 0;
    for (const auto& one : leak_scripts()) {
        if (!one.name.starts_with("leak-")) {
            continue;
        }
        BOOST_TEST_CONTEXT(one.name) {
            ++leaks;
            const auto content = streamed(one.answers.front()).first().content;
            BOOST_TEST(content.find(leak_after) != std::string::npos);
            BOOST_TEST(content.find("lookup_tide") != std::string::npos);
            const bool plain = content.starts_with(leak_before) && content.ends_with(leak_after);
            BOOST_TEST((plain || one.name == "leak-harmony"));
        }
    }
    BOOST_TEST(leaks >= 10U);
}

BOOST_AUTO_TEST_CASE(leak_split_sends_one_character_in_a_chunk) {
    const auto told = named("leak-split").answers.front();
    const auto view = streamed(told);
    BOOST_TEST(view.events.size() == view.first().content.size() + 3); // role, finish, [DONE]
}

BOOST_AUTO_TEST_CASE(scaffold_scripts_answer_a_correction_differently) {
    const auto only = named("scaffold-only");
    BOOST_TEST(streamed(only.answers.front()).first().content.starts_with("<tool_call>"));
    BOOST_TEST(streamed(only.answers.back()).first().content == corrected_text);
    const auto twice = named("scaffold-twice");
    BOOST_TEST(twice.answers.size() == 2U);
    BOOST_TEST(streamed(twice.answers.back()).first().content.starts_with("<tool_call>"));
    BOOST_TEST(streamed(twice.answers.front()).ids != streamed(twice.answers.back()).ids);
}

BOOST_AUTO_TEST_CASE(long_has_5000_chunks_of_text) {
    BOOST_TEST(streamed(named("long").answers.front()).events.size() == 5003U);
}

BOOST_AUTO_TEST_CASE(tools_has_two_structured_calls_whose_arguments_hold_markup) {
    const auto view = streamed(named("tools").answers.front());
    BOOST_TEST(view.first().calls.size() == 2U);
    BOOST_TEST(view.first().calls.at(1).arguments.find("<tool_call>") != std::string::npos);
    BOOST_TEST(view.first().finishes == std::vector<std::string>{"tool_calls"});
}

BOOST_AUTO_TEST_CASE(unicode_cut_is_unicode_cut_at_every_byte_inside_a_character) {
    const auto whole = streamed(named("unicode").answers.front()).first().content;
    const auto told = named("unicode-cut").answers.front();
    BOOST_TEST(streamed(told).first().content == whole);
    const auto inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    const auto cuts = std::ranges::count_if(
        told.writes, [&](const std::string& write) { return inside(write.front()); });
    BOOST_TEST(cuts == std::ranges::count_if(whole, inside));
    BOOST_TEST(cuts > 50);
    BOOST_TEST(std::ranges::none_of(told.writes, [&](const std::string& write) {
        return std::ranges::any_of(write.substr(1), inside);
    }));
}

BOOST_AUTO_TEST_CASE(finish_without_call_says_tool_calls_behind_text_alone) {
    const auto told = named("finish-without-call").answers.front();
    for (const auto& view : {streamed(told), tests::read_body(told.body)}) {
        BOOST_TEST(view.first().calls.empty());
        BOOST_TEST(!view.first().content.empty());
        BOOST_TEST(view.first().finishes == std::vector<std::string>{"tool_calls"});
    }
}

BOOST_AUTO_TEST_CASE(usage_comes_unasked_in_its_own_script_only) {
    BOOST_TEST(streamed(named("usage").answers.front()).usages.size() == 1U);
    BOOST_TEST(streamed(named("clean").answers.front()).usages.empty());
    BOOST_TEST(!named("clean").answers.front().usage_event.empty());
}

BOOST_AUTO_TEST_CASE(faults_are_what_they_say) {
    const auto first = [](std::string_view name) { return named(name).answers.front(); };
    BOOST_TEST((first("fault-cut").end == ending::cut));
    BOOST_TEST((first("fault-reset").end == ending::reset));
    BOOST_TEST((first("fault-stall").end == ending::stall));
    for (const auto* name : {"fault-cut", "fault-reset", "fault-stall", "fault-early-end"}) {
        BOOST_TEST_CONTEXT(name) {
            const auto view = streamed(first(name));
            BOOST_TEST(view.dones == 0U);
            BOOST_TEST(view.first().finishes.empty());
            BOOST_TEST(!view.first().content.empty());
            BOOST_TEST(!view.ends_in_event);
        }
    }
    BOOST_TEST(streamed(first("fault-half-event")).ends_in_event);
    BOOST_TEST(streamed(first("fault-bad-json")).unreadable == 1U);
    BOOST_TEST(streamed(first("fault-error-event")).errors.size() == 1U);
    const auto split = first("fault-split-events");
    BOOST_TEST(std::ranges::none_of(split.writes, [](const std::string& write) {
        return write.starts_with("data:") && write.ends_with("\n\n");
    }));
    BOOST_TEST(streamed(split).unreadable == 0U);
    BOOST_TEST(first("fault-500").status == 500U);
    BOOST_TEST(first("fault-429").status == 429U);
    BOOST_TEST(first("fault-429").headers.at(0).first == "retry-after");
    BOOST_TEST(tests::read_body(first("fault-429").body).errors.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
