#include "proxy/base/limits.hpp"
#include "proxy/chat/chunk_view.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/splices.hpp"

#include "tests/chat/chunk_outline.hpp"
#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using proxy::chat::chunk_view;
using proxy::chat::chunk_view_paths;
using way = chunk_view_paths::way;

/// A chunk with its padding.
struct padded {
    explicit padded(std::string_view text) : size(text.size()), bytes(text) {
        bytes.append(proxy::limits::json_padding, ' ');
    }

    std::string_view view() const { return std::string_view(bytes).substr(0, size); }

    std::size_t size;
    std::string bytes;
};

const char* const usual =
    R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m",)"
    R"("choices":[{"index":0,"delta":{"content":"Hello"},"logprobs":null,"finish_reason":null}],)"
    R"("usage":null})";

bool lies_in(std::string_view part, std::string_view whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

std::string nested(std::size_t depth) {
    return R"({"x":)" + std::string(depth, '[') + std::string(depth, ']') +
           R"(,"choices":[{"delta":{"content":"a"}}]})";
}

} // namespace

BOOST_AUTO_TEST_SUITE(chunk_view_reading)

BOOST_AUTO_TEST_CASE(positions_lie_in_the_data) {
    const padded chunk(usual);
    for (const way how : {way::fast, way::scan}) {
        chunk_view view;
        BOOST_REQUIRE(chunk_view_paths::run(view, how, chunk.view()));
        BOOST_TEST((view.data().data() == chunk.bytes.data()));
        BOOST_REQUIRE(view.choices_count() == 1U);
        for (const std::string_view part :
             {view.choices()[0].text.inside, view.id.inside, view.id_value, view.created,
              view.model_value, view.object.inside}) {
            BOOST_TEST(!part.empty());
            BOOST_TEST(lies_in(part, chunk.view()));
        }
        const std::string_view text = view.choices()[0].text.inside;
        BOOST_TEST(text == "Hello");
        BOOST_TEST(text.data()[-1] == '"');
        BOOST_TEST(text.data()[text.size()] == '"');
    }
}

BOOST_AUTO_TEST_CASE(a_splice_at_the_text_changes_nothing_else) {
    const padded chunk(R"( {"a" : 1.50, "choices":[{"delta":{"content":"x\ty" , "z":[]} }]} )");
    chunk_view view;
    BOOST_REQUIRE(view.parse(chunk.view()));
    const std::string_view text = view.choices()[0].text.inside;
    proxy::json::splices edits;
    edits.replace(static_cast<std::size_t>(text.data() - view.data().data()), text.size(), "y");
    std::string out;
    edits.apply(view.data(), out);
    BOOST_TEST(out == R"( {"a" : 1.50, "choices":[{"delta":{"content":"y" , "z":[]} }]} )");
}

BOOST_AUTO_TEST_CASE(one_view_reads_many_chunks_and_keeps_nothing_of_them) {
    chunk_view view;
    const padded rich(
        R"({"id":"a","error":{"a":1},"usage":{"b":2},"choices":[{"index":4,"delta":{"content":"a",)"
        R"("content":"b","role":"assistant","tool_calls":[1],"refusal":"r","reasoning":"t"},)"
        R"("logprobs":{},"finish_reason":"stop"},{"delta":{"content":"c"}}]})");
    BOOST_TEST(view.parse(rich.view()));
    BOOST_TEST(view.choices_count() == 2U);
    const padded poor(R"({"choices":[{"delta":{}}]})");
    BOOST_TEST(view.parse(poor.view()));
    BOOST_TEST(tests::outline(view) == "choices | index 0");
    const padded none("{}");
    BOOST_TEST(view.parse(none.view()));
    BOOST_TEST(tests::outline(view).empty());
}

BOOST_AUTO_TEST_CASE(a_warm_view_allocates_nothing) {
    const padded chunks[] = {
        padded(usual),
        padded(R"({"choices":[{"index":0,"delta":{"content":"a","content":"b"}},{"index":1}]})"),
        padded("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"cut \xE2\x96\"}}]}"),
        padded(R"({"choices":[],"usage":{"prompt_tokens":1}})"),
        padded("[DONE]"),
        padded(R"({"choices":[{"delta":{"content":"a"}}],"choices":[{"delta":{}}]})"),
    };
    chunk_view view;
    for (const padded& chunk : chunks) {
        view.parse(chunk.view());
    }
    const tests::allocation_count before;
    for (const padded& chunk : chunks) {
        view.parse(chunk.view());
    }
    BOOST_TEST(before.made() == 0U);
}

BOOST_AUTO_TEST_CASE(a_huge_chunk_does_not_keep_its_memory) {
    const padded small(usual);
    chunk_view view;
    view.parse(small.view());
    const padded huge(R"({"choices":[{"delta":{"content":")" + std::string(8 << 20, 'x') +
                      R"("}}]})");
    const tests::allocation_count before;
    BOOST_TEST(view.parse(huge.view()));
    BOOST_TEST(view.choices()[0].text.inside.size() == std::size_t{8} << 20);
    BOOST_TEST(before.live_bytes() > (8 << 20));
    BOOST_TEST(view.parse(small.view()));
    BOOST_TEST(before.live_bytes() < (1 << 20));
}

BOOST_AUTO_TEST_CASE(many_choices_are_read) {
    std::string text = R"({"choices":[)";
    for (int i = 0; i < 1000; ++i) {
        text += R"({"index":)" + std::to_string(i) + R"(,"delta":{"content":"x"}},)";
    }
    text.back() = ']';
    const padded chunk(text + "}");
    chunk_view view;
    BOOST_TEST(view.parse(chunk.view()));
    BOOST_REQUIRE(view.choices_count() == 1000U);
    BOOST_TEST(view.choices()[999].index == 999U);
}

BOOST_AUTO_TEST_CASE(deep_nesting_ends_the_scan_and_breaks_nothing) {
    const std::size_t most = proxy::limits::json_depth_max;
    BOOST_TEST(chunk_view_paths::outline(way::scan, nested(most - 1)) ==
               "choices | index 0 text=a");
    BOOST_TEST(chunk_view_paths::outline(way::scan, nested(most)) == "no");
    for (const std::size_t depth : {most, std::size_t{100000}}) {
        const std::string got = chunk_view_paths::outline(way::parse, nested(depth));
        BOOST_TEST((got == "no" || got == "choices | index 0 text=a"));
    }
    const std::string open = R"({"x":)" + std::string(100000, '[');
    BOOST_TEST(chunk_view_paths::outline(way::parse, open) == "no");
}

BOOST_AUTO_TEST_CASE(bytes_behind_the_chunk_do_not_count) {
    for (const std::string_view behind : {"}", "]}", "\"}", ",\"id\":\"x\"}", "0"}) {
        std::string text = R"({"choices":[{"delta":{"content":"a"}}]})";
        const std::size_t size = text.size();
        while (text.size() < size + proxy::limits::json_padding) {
            text += behind;
        }
        chunk_view view;
        BOOST_TEST_CONTEXT(behind) {
            BOOST_TEST(view.parse(std::string_view(text).substr(0, size)));
            BOOST_TEST(!view.parse(std::string_view(text).substr(0, size - 1)));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
