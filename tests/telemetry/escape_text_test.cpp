#include "proxy/telemetry/escape_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::telemetry;

namespace {

std::string escaped(std::string_view text, quoting how) {
    std::string out;
    append_escaped(out, text, how);
    return out;
}

std::string value(std::string_view text) {
    std::string out;
    append_value(out, text);
    return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(escape_text)

BOOST_AUTO_TEST_CASE(what_does_not_show_is_escaped) {
    struct row {
        std::string text;
        const char *as_text, *as_json;
    };

    const row rows[] = {
        {"plain <tool_call> text", "plain <tool_call> text", "plain <tool_call> text"},
        {"quote \" and \\", "quote \\\" and \\\\", "quote \\\" and \\\\"},
        {"a\nb\rc\td", "a\\nb\\rc\\td", "a\\nb\\rc\\td"},
        {std::string("\0\x1b\x7f", 3), "\\x00\\x1b\\x7f", "\\u0000\\u001b\\u007f"},
        {"caf\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x98\x80",
         "caf\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x98\x80"},
        {"\xef\xbd\x9c\xe2\x96\x81", "\xef\xbd\x9c\xe2\x96\x81", "\xef\xbd\x9c\xe2\x96\x81"},
        {"next\xc2\x85line", "next\\u0085line", "next\\u0085line"},
        {"bidi \xe2\x80\xae zero \xe2\x80\x8b", "bidi \\u202e zero \\u200b",
         "bidi \\u202e zero \\u200b"},
        {"separators \xe2\x80\xa8\xe2\x80\xa9", "separators \\u2028\\u2029",
         "separators \\u2028\\u2029"},
        {"tags \xf3\xa0\x80\xa1", "tags \\U000e0021", "tags \\udb40\\udc21"},
        {"broken \xff\xc3", "broken \\xff\\xc3", "broken \\ufffd\\ufffd"},
        {"overlong \xc0\xaf", "overlong \\xc0\\xaf", "overlong \\ufffd\\ufffd"},
        {"surrogate \xed\xa0\x80", "surrogate \\xed\\xa0\\x80", "surrogate \\ufffd\\ufffd\\ufffd"},
        {"too high \xf4\x90\x80\x80", "too high \\xf4\\x90\\x80\\x80",
         "too high \\ufffd\\ufffd\\ufffd\\ufffd"},
        {"cut \xe2\x82", "cut \\xe2\\x82", "cut \\ufffd\\ufffd"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.as_text) {
            BOOST_TEST(escaped(r.text, quoting::text) == r.as_text);
            BOOST_TEST(escaped(r.text, quoting::json) == r.as_json);
        }
    }
}

BOOST_AUTO_TEST_CASE(no_byte_can_end_a_line_or_a_string) {
    for (unsigned first = 0; first < 256; ++first) {
        for (unsigned second = 0; second < 256; ++second) {
            const std::string text{static_cast<char>(first), static_cast<char>(second)};
            for (const quoting how : {quoting::text, quoting::json}) {
                const std::string out = escaped(text, how);
                for (std::size_t i = 0; i < out.size(); ++i) {
                    const auto byte = static_cast<unsigned char>(out[i]);
                    const bool fits =
                        byte >= 0x20 && byte != 0x7f && (byte != '"' || out[i - 1] == '\\');
                    if (!fits) {
                        BOOST_ERROR("bytes " << first << " " << second);
                    }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(values_are_bare_words_or_quoted) {
    const std::pair<const char*, const char*> rows[] = {
        {"stop", "stop"},
        {"Qwen/Qwen3-8B:free", "Qwen/Qwen3-8B:free"},
        {"", "\"\""},
        {"a b", "\"a b\""},
        {"a=b", "\"a=b\""},
        {"a\"b", "\"a\\\"b\""},
        {"a\nretries=9", "\"a\\nretries=9\""},
        {"\xc3\xa9", "\"\xc3\xa9\""}};
    for (const auto& [text, expected] : rows) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(value(text) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_message_keeps_its_quotes_and_stays_one_line) {
    std::string out;
    append_one_line(out, "value \"x\\y\":\nallowed");
    BOOST_TEST(out == "value \"x\\y\":\\nallowed");
}

BOOST_AUTO_TEST_CASE(cuts_fall_between_characters) {
    const std::string text = "a\xc3\xa9\xe6\xbc\xa2z";
    const std::string_view parts[] = {
        "", "a", "a", "a\xc3\xa9", "a\xc3\xa9", "a\xc3\xa9", "a\xc3\xa9\xe6\xbc\xa2", text, text};
    for (std::size_t bytes = 0; bytes < std::size(parts); ++bytes) {
        BOOST_TEST_CONTEXT(bytes) {
            BOOST_TEST(first_bytes(text, bytes) == parts[bytes]);
        }
    }
    BOOST_TEST(first_chars(text, 0) == "");
    BOOST_TEST(first_chars(text, 2) == "a\xc3\xa9");
    BOOST_TEST(first_chars(text, 3) == "a\xc3\xa9\xe6\xbc\xa2");
    BOOST_TEST(first_chars(text, 99) == text);
    BOOST_TEST(first_chars("\xff\xff\xff", 2) == "\xff\xff");
}

BOOST_AUTO_TEST_SUITE_END()
