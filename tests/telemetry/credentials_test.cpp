#include "proxy/telemetry/credentials.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::telemetry;
using strings = std::vector<std::string>;

namespace {

strings of_header(std::string_view name, std::string_view value) {
    strings out;
    add_credentials(name, value, out);
    return out;
}

std::string masked(std::string_view text, const strings& credentials = {}) {
    return mask_secrets(text, credentials);
}

} // namespace

BOOST_AUTO_TEST_SUITE(credentials)

BOOST_AUTO_TEST_CASE(credentials_of_headers_are_taken_without_their_scheme) {
    struct row {
        const char *name, *value;
        strings expected;
    };

    const row rows[] = {
        {"Authorization", "Bearer token-1", {"token-1"}},
        {"AUTHORIZATION", "  bearer   token-1  ", {"token-1"}},
        {"authorization", "token-without-scheme", {"token-without-scheme"}},
        {"authorization", "Basic dXNlcjpwYXNz", {"dXNlcjpwYXNz"}},
        {"proxy-authorization", "Bearer p", {"p"}},
        {"api-key", "azure", {"azure"}},
        {"X-Api-Key", "other", {"other"}},
        {"x-goog-api-key", "goog", {"goog"}},
        {"cookie", "a=one; b=\"two three\";c; d=; e=x=y", {"one", "two three", "c", "x=y"}},
        {"cookie", "", {}},
        {"cookie", ";;", {}},
        {"authorization", "", {}},
        {"content-type", "application/json", {}},
        {"x-request-id", "abc", {}},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.name << ": " << r.value) {
            BOOST_TEST(of_header(r.name, r.value) == r.expected, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(exact_values_never_stay) {
    const strings secrets{"planted/one+two", "pw", "cook"};
    const std::pair<const char*, const char*> rows[] = {
        {"x planted/one+two y", "x *** y"},
        {"planted/one+twoplanted/one+two", "***"},
        {"{\"k\":\"planted\\/one+two\"}", "{\"k\":\"***\"}"},
        {"short pw stays", "short pw stays"},
        {"cooking cook", "***ing ***"},
        {"cut at the end: planted/on", "cut at the end: ***"},
        {"cut at the end: plan", "cut at the end: ***"},
        {"nothing here", "nothing here"},
        {"", ""},
    };
    for (const auto& [text, expected] : rows) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(masked(text, secrets) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(key_like_shapes_are_masked_wherever_they_begin) {
    const std::pair<std::string, std::string> rows[] = {
        {"key=sk-abcdefgh1234", "key=***"},
        {"\"api_key\": \"sk-proj-a_b-c12345678\"", "\"api_key\": \"***\""},
        {"{\"x\":\"line\\nsk-abcdefgh1234\"}", "{\"x\":\"line\\n***\"}"},
        {"hf_abcdefghij and ghp_0123456789", "*** and ***"},
        {"github_pat_11ABCDEFG0", "***"},
        {"AKIAIOSFODNN7EXAMPLE", "***"},
        {"AIzaSyA1234567890abcdefg", "***"},
        {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "***"},
        {"curl -H 'Authorization: Bearer abcd.efgh'", "curl -H 'Authorization: Bearer ***'"},
        {"bearer xyzw", "bearer ***"},
        {"BASIC dXNlcjpwYXNz", "BASIC ***"},
        {"xoxb-1234-5678-abcd!", "***!"},
        {"cut: sk-ab", "cut: ***"},
        {"id " + std::string(32, 'a') + "1", "id ***"},
        {"0123456789abcdef0123456789abcdef", "***"},
        {"b64 QWxhZGRpbjpvcGVuIHNlc2FtZSBhbmQgbW9yZQ== end", "b64 *** end"},
        {"b64 QWxh\\/GRpbjpvcGVuIHNlc2FtZ\\/BhbmQgbW9yZQ== end", "b64 *** end"},
        {"cut run 0123456789abcdef01", "cut run ***"},
    };
    for (const auto& [text, expected] : rows) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(masked(text) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(markup_and_words_stay_readable) {
    for (const char* text : {"<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": "
                             "\"Paris\"}}</tool_call>",
                             "<|tool\xe2\x96\x81"
                             "calls\xe2\x96\x81"
                             "begin|><|tool_sep|>",
                             "task-force sk- risk-taking-is-fun", "the bearer of it",
                             "get_the_current_weather_forecast_for_a_city_of_the_world",
                             "/usr/share/some/long/path/of/a/library/with/words",
                             "functions.get_weather:0<|tool_call_argument_begin|>",
                             "call_0123456789 ok", "[TOOL_CALLS]get_time{}"}) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(masked(text) == text);
        }
    }
}

BOOST_AUTO_TEST_CASE(request_ids_keep_their_runs_but_no_known_key) {
    const std::string id = "0123456789abcdef0123456789abcdef";
    BOOST_TEST(mask_secrets(id, {}, shapes::prefixes) == id);
    BOOST_TEST(mask_secrets("sk-0123456789abcdef", {}, shapes::prefixes) == "***");
    const strings secrets{id};
    BOOST_TEST(mask_secrets("x" + id, secrets, shapes::prefixes) == "x***");
}

BOOST_AUTO_TEST_CASE(a_secret_at_any_place_and_cut_never_shows_eight_of_its_bytes) {
    const std::string secret = "Zq7-planted.value/with+marks";
    const strings secrets{secret};
    const std::string around = "<tool_call>{\"a\":\"" + secret + "\"}</tool_call>";
    for (std::size_t end = 0; end <= around.size(); ++end) {
        const std::string out = masked(std::string_view(around).substr(0, end), secrets);
        for (std::size_t at = 0; at + 8 <= secret.size(); ++at) {
            if (out.find(secret.substr(at, 8)) != std::string::npos) {
                BOOST_ERROR("cut at " << end << " shows " << secret.substr(at, 8));
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
