#include "proxy/demo/gzip_writer.hpp"

#include "tests/support/compress.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy::demo;

namespace {

std::string noise(std::size_t bytes) {
    std::string text;
    unsigned state = 1;
    while (text.size() < bytes) {
        state = state * 1664525U + 1013904223U;
        text += static_cast<char>(state >> 24U);
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(demo_gzip_writer)

BOOST_AUTO_TEST_CASE(every_write_can_be_read_before_the_next_comes) {
    gzip_writer writer;
    std::string packed;
    std::string want;
    for (const std::string text : {"data: 1\n\n", "", "data: [DONE]\n\n"}) {
        packed += writer.write({"<", text, ">"});
        want += "<" + text + ">";
        BOOST_TEST(tests::decompress(packed) == want);
    }
    packed += writer.end();
    BOOST_TEST(tests::decompress(packed) == want);
    BOOST_CHECK_THROW(tests::decompress(packed + "x"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_whole_text_of_any_length_is_one_member) {
    for (const std::size_t bytes : {0U, 1U, 4095U, 4096U, 4097U, 300'000U}) {
        BOOST_TEST_CONTEXT(bytes) {
            const auto text = noise(bytes);
            BOOST_TEST((tests::decompress(gzip(text)) == text));
        }
    }
    BOOST_TEST(gzip(std::string(100'000, 'a')).size() < 1000U);
}

BOOST_AUTO_TEST_SUITE_END()
