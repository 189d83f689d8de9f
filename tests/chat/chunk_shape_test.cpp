#include "proxy/base/limits.hpp"
#include "proxy/chat/chunk_shape.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

namespace {

using proxy::chat::chunk_shape;
using proxy::chat::chunk_view;

std::string chunk(const std::string& text) {
    return R"({"id":"c","created":1,"choices":[{"index":3,"delta":{"content":")" + text +
           R"("},"finish_reason":null}]})";
}

// A chunk with its padding, and a view of it.
struct padded {
    explicit padded(const std::string& json)
        : bytes(json + std::string(proxy::limits::json_padding, '\0')), size(json.size()) {}

    std::string_view data() const { return std::string_view(bytes).substr(0, size); }

    std::string bytes;
    std::size_t size;
};

} // namespace

BOOST_AUTO_TEST_SUITE(chunk_shapes)

BOOST_AUTO_TEST_CASE(a_chunk_of_the_same_shape_needs_no_parsing) {
    const padded first(chunk("Hello"));
    chunk_view view;
    BOOST_REQUIRE(view.parse(first.data()));
    chunk_shape shape;
    shape.learn(view);
    for (const std::string text : {"x", "longer than the first one", "caf\xC3\xA9 <tool",
                                   R"(a\n\"b\\)", R"(\u00e9)", "\xFF broken"}) {
        const padded next(chunk(text));
        chunk_view seen;
        BOOST_REQUIRE_MESSAGE(shape.read(next.data(), seen), text);
        BOOST_CHECK_EQUAL(seen.choices_count(), 1U);
        BOOST_CHECK_EQUAL(seen.choices()[0].text.inside, text);
        BOOST_CHECK_EQUAL(seen.choices()[0].index, 3U);
        BOOST_CHECK(!seen.choices()[0].finish_reason.present && seen.usage.empty());
    }
}

BOOST_AUTO_TEST_CASE(anything_else_is_left_to_the_parser) {
    const padded first(chunk("Hello"));
    chunk_view view;
    BOOST_REQUIRE(view.parse(first.data()));
    chunk_shape shape;
    chunk_view seen;
    BOOST_CHECK(!shape.read(first.data(), seen)); // nothing learned yet
    shape.learn(view);
    const std::string others[] = {
        chunk(""),
        "",
        "{}",
        "[DONE]",
        chunk("x").substr(1),
        chunk("x") + " ",
        R"({"id":"c","created":2,"choices":[{"index":3,"delta":{"content":"x"},"finish_reason":null}]})",
        R"({"id":"c","created":1,"choices":[{"index":3,"delta":{"content":"x"},"finish_reason":"stop"}]})",
        // The text ends early, and what follows has the learned end.
        chunk(R"(x"},"finish_reason":"stop"},{"index":3,"delta":{"content":"y)"),
        chunk(R"(cut \)"),
        chunk("raw\nline feed"),
    };
    for (const std::string& json : others) {
        const padded next(json);
        BOOST_CHECK_MESSAGE(!shape.read(next.data(), seen), json);
    }
}

BOOST_AUTO_TEST_CASE(what_it_reads_is_what_the_parser_reads) {
    const padded first(chunk("Hello"));
    chunk_view view;
    BOOST_REQUIRE(view.parse(first.data()));
    chunk_shape shape;
    shape.learn(view);
    std::mt19937 random(7);
    const std::string alphabet = "ab \\\"{}:,n<\xC3\xA9";
    std::size_t read = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (std::size_t n = 1 + random() % 12; n > 0; --n) {
            text += alphabet[random() % alphabet.size()];
        }
        const padded next(chunk(text));
        chunk_view fast, slow;
        if (!shape.read(next.data(), fast)) {
            continue;
        }
        ++read;
        BOOST_REQUIRE_MESSAGE(slow.parse(next.data()), text);
        BOOST_REQUIRE_EQUAL(fast.choices()[0].text.inside, slow.choices()[0].text.inside);
        BOOST_REQUIRE_EQUAL(slow.choices_count(), 1U);
    }
    BOOST_CHECK_GT(read, 1'000U);
}

BOOST_AUTO_TEST_SUITE_END()
