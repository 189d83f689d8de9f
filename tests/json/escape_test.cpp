#include "proxy/json/escape.hpp"

#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

namespace {

using proxy::json::append_escaped;
using proxy::json::decoded_string;
using proxy::json::equals;
using proxy::json::unescape;

struct row {
    const char* name;
    std::string raw;
    std::string text;
};

const std::vector<row>& rows() {
    using namespace std::string_literals;
    static const std::vector<row> all = {
        {"nothing", "", ""},
        {"plain text", "hello", "hello"},
        {"UTF-8", "caf\xC3\xA9 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xF0\x9F\x98\x80"},
        {"all short escapes", R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"},
        {"escapes between text", R"(a\nb\nc)", "a\nb\nc"},
        {"an ASCII escape", R"(\u003ctool\u003E)", "<tool>"},
        {"NUL", R"(a\u0000b)", "a\0b"s},
        {"two bytes", R"(\u00e9)", "\xC3\xA9"},
        {"last of two bytes", R"(\u07ff)", "\xDF\xBF"},
        {"three bytes", R"(\u2581\uFFFF)", "\xE2\x96\x81\xEF\xBF\xBF"},
        {"a pair", R"(\ud83d\ude00)", "\xF0\x9F\x98\x80"},
        {"first and last pair", R"(\ud800\udc00\udbff\udfff)", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
        {"a lone high surrogate", R"(a\ud83d)", "a\xED\xA0\xBD"},
        {"a lone low surrogate", R"(\ude00b)",
         "\xED\xB8\x80"
         "b"},
        {"two high surrogates, then a low one", R"(\ud83d\ud83d\ude00)",
         "\xED\xA0\xBD\xF0\x9F\x98\x80"},
        {"a high surrogate, then another escape", R"(\ud83d\u0041)",
         "\xED\xA0\xBD"
         "A"},
        {"a high surrogate, then text", R"(\ud83dxyz123)", "\xED\xA0\xBDxyz123"},
        {"an unknown escape", R"(\x41)", R"(\x41)"},
        {"a capital U", R"(\U0041)", R"(\U0041)"},
        {"too few digits", R"(\u12)", R"(\u12)"},
        {"a bad digit", R"(\u12g4)", R"(\u12g4)"},
        {"a sign is no digit", R"(\u+041)", R"(\u+041)"},
        {"a backslash at the end", R"(a\)", R"(a\)"},
        {"a broken escape, then a good one", R"(\q\n)", "\\q\n"},
        {"an escaped backslash hides an escape", R"(\\n)", R"(\n)"},
        {"raw control bytes", "a\nb\x01", "a\nb\x01"},
        {"invalid UTF-8", "\xE2\x96 \xFF\\n", "\xE2\x96 \xFF\n"},
    };
    return all;
}

/// The naive reading of an offset map: text before it comes from the raw bytes before it.
void check_offsets(const decoded_string& s) {
    std::size_t before = 0;
    for (std::size_t i = 0; i <= s.text().size(); ++i) {
        const std::size_t raw = s.raw_offset(i);
        BOOST_REQUIRE(raw >= before && raw <= s.raw().size());
        const bool boundary = i == s.text().size() || raw != before || i == 0;
        if (boundary) {
            BOOST_TEST(unescape(s.raw().substr(0, raw)) == s.text().substr(0, i));
            BOOST_TEST(unescape(s.raw().substr(raw)) == s.text().substr(i));
        }
        before = raw;
    }
    BOOST_TEST(s.raw_offset(s.text().size()) == s.raw().size());
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_escape)

BOOST_AUTO_TEST_CASE(every_form_decodes) {
    decoded_string reused;
    for (const row& r : rows()) {
        BOOST_TEST_CONTEXT(r.name) {
            reused.set(r.raw);
            BOOST_TEST(reused.text() == r.text);
            BOOST_TEST(reused.raw() == r.raw);
            BOOST_TEST(unescape(r.raw) == r.text);
        }
    }
}

BOOST_AUTO_TEST_CASE(offsets_lead_back_to_the_raw_bytes) {
    decoded_string reused;
    for (const row& r : rows()) {
        BOOST_TEST_CONTEXT(r.name) {
            reused.set(r.raw);
            check_offsets(reused);
        }
    }
}

BOOST_AUTO_TEST_CASE(bytes_of_one_escape_begin_where_it_begins) {
    decoded_string s;
    s.set(R"(a\ud83d\ude00\u00e9z)");
    const std::vector<std::size_t> expected = {0, 1, 1, 1, 1, 13, 13, 19, 20};
    BOOST_REQUIRE(s.text().size() + 1 == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        BOOST_TEST(s.raw_offset(i) == expected[i]);
    }
}

BOOST_AUTO_TEST_CASE(without_escapes_the_text_is_the_raw_bytes_themselves) {
    const std::string raw(100000, 'x');
    const tests::allocation_count before;
    decoded_string s;
    s.set(raw);
    BOOST_TEST((s.text().data() == raw.data()));
    BOOST_TEST(s.raw_offset(5) == 5U);
    BOOST_TEST(before.made() == 0U);
}

BOOST_AUTO_TEST_CASE(a_warm_decoder_allocates_nothing) {
    const std::string raw = R"(some\ntext with \"escapes\" and \u2581)";
    decoded_string s;
    s.set(raw);
    const tests::allocation_count before;
    for (int i = 0; i < 100; ++i) {
        s.set(raw);
        s.set("plain");
    }
    BOOST_TEST(before.made() == 0U);
}

BOOST_AUTO_TEST_CASE(equals_compares_decoded) {
    for (const row& r : rows()) {
        BOOST_TEST_CONTEXT(r.name) {
            BOOST_TEST(equals(r.raw, r.text));
            BOOST_TEST(!equals(r.raw, r.text + "x"));
            BOOST_TEST(!equals(r.raw + "x", r.text));
            if (!r.text.empty()) {
                BOOST_TEST(!equals(r.raw, std::string_view(r.text).substr(1)));
                BOOST_TEST(!equals(r.raw, std::string_view(r.text).substr(0, r.text.size() - 1)));
            }
        }
    }
    BOOST_TEST(equals(R"(cont\u0065nt)", "content"));
    BOOST_TEST(!equals(R"(cont\u0065nt)", R"(cont\u0065nt)"));
}

BOOST_AUTO_TEST_CASE(only_what_must_be_is_escaped) {
    using namespace std::string_literals;
    const row written[] = {
        {"plain", "a b", "a b"},
        {"quote and backslash", R"(\"\\)", "\"\\"},
        {"short forms", R"(\b\f\n\r\t)", "\b\f\n\r\t"},
        {"other control bytes", R"(\u0000\u0001\u001f)", "\0\x01\x1f"s},
        {"slash, DEL, UTF-8 and markup stay", "/\x7F\xC3\xA9<>&'", "/\x7F\xC3\xA9<>&'"},
        {"at both ends", R"(\na\n)", "\na\n"},
    };
    for (const row& r : written) {
        BOOST_TEST_CONTEXT(r.name) {
            std::string out = "before";
            append_escaped(out, r.text);
            BOOST_TEST(out == "before" + r.raw);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_escaped_decodes_to_itself) {
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        std::string text(random() % 40, ' ');
        for (char& c : text) {
            c = static_cast<char>(random() % 256);
        }
        std::string raw;
        append_escaped(raw, text);
        BOOST_TEST(unescape(raw) == text);
        BOOST_TEST(equals(raw, text));
        decoded_string s;
        s.set(raw);
        BOOST_TEST(s.text() == text);
        check_offsets(s);
    }
}

BOOST_AUTO_TEST_CASE(any_bytes_decode_the_same_in_all_three_ways) {
    static constexpr std::string_view alphabet = R"(\\\\uudD8cC0fe"/nx)";
    std::mt19937 random(2);
    for (int i = 0; i < 5000; ++i) {
        std::string raw(random() % 30, ' ');
        for (char& c : raw) {
            c = alphabet[random() % alphabet.size()];
        }
        decoded_string s;
        s.set(raw);
        BOOST_TEST_CONTEXT(raw) {
            BOOST_TEST(s.text() == unescape(raw));
            BOOST_TEST(equals(raw, s.text()));
            std::size_t last = 0;
            for (std::size_t at = 0; at <= s.text().size(); ++at) {
                BOOST_TEST(s.raw_offset(at) >= last);
                last = s.raw_offset(at);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
