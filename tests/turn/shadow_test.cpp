#include "proxy/config/formats_file.hpp"
#include "proxy/turn/shadow.hpp"

#include "tests/support/cuttings.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using proxy::turn::outcome;
using proxy::turn::shadow;
using proxy::turn::shadow_verdict;
using proxy::turn::upstream_end;

const proxy::scaffold::catalog& formats() {
    static const auto catalog = proxy::config::built_in_catalog();
    return catalog;
}

const std::string request =
    R"({"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"get"}}]})";
const std::string call = R"(<tool_call>{\"name\": \"get\", \"arguments\": {}}</tool_call>)";

std::string stream(const std::string& content) {
    return "data: "
           "{\"id\":\"a\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" +
           content + "\"}}]}\n\n" +
           "data: {\"id\":\"a\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},"
           "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
}

std::string completion(const std::string& content) {
    return R"({"id":"a","model":"m","choices":[{"index":0,"message":{"content":")" + content +
           R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}})";
}

class no_budget final : public proxy::turn::correction_gate {
  public:
    bool allows() const override { return false; }
};

struct watched {
    std::string answer;
    shadow::form form = shadow::form::undecided;
    upstream_end end = upstream_end::whole;
    proxy::turn::turn_settings settings{};
    std::size_t json_bytes_max = 1 << 20;
};

proxy::turn::report watch(const watched& w, const std::vector<std::size_t>& lengths) {
    const auto work = proxy::turn::make_workspace();
    std::string body = request;
    shadow seen(w.settings, formats(), *work, body, w.form, w.json_bytes_max);
    body.assign(body.size(), '#'); // it is not needed any more
    tests::read_buffer buffer;
    std::size_t at = 0;
    for (const std::size_t length : lengths) {
        seen.take(buffer.load(std::string_view(w.answer).substr(at, length)));
        buffer.spoil();
        at += length;
    }
    seen.end(w.end);
    return seen.facts();
}

} // namespace

BOOST_AUTO_TEST_SUITE(shadow_mode)

BOOST_AUTO_TEST_CASE(what_enforcing_would_have_come_to_is_told_at_any_cut) {
    const no_budget spent;
    proxy::turn::turn_settings no_correction;
    no_correction.gate = &spent;

    const struct {
        const char* what;
        watched in;
        shadow_verdict would;
        std::uint64_t chars;
        outcome expected;
    } rows[] = {
        {"clean stream", {stream("a < b")}, shadow_verdict::clean, 0, outcome::passed},
        {"stream with a leak",
         {stream("Hi " + call)},
         shadow_verdict::sanitize,
         55,
         outcome::passed},
        {"stream of markup only", {stream(call)}, shadow_verdict::correct, 55, outcome::passed},
        {"stream of markup only, budget spent",
         {stream(call), shadow::form::stream, upstream_end::whole, no_correction},
         shadow_verdict::fail,
         55,
         outcome::passed},
        {"cut stream",
         {stream("Hi " + call).substr(0, 130), shadow::form::stream, upstream_end::cut},
         shadow_verdict::clean,
         0,
         outcome::error},
        {"clean JSON", {completion("a < b")}, shadow_verdict::clean, 0, outcome::passed},
        {"JSON with a leak",
         {completion(call + " Hi"), shadow::form::json},
         shadow_verdict::sanitize,
         55,
         outcome::passed},
        {"JSON of markup only", {completion(call)}, shadow_verdict::correct, 55, outcome::passed},
        {"JSON over the limit",
         {completion(call), shadow::form::json, upstream_end::whole, {}, 50},
         shadow_verdict::none,
         0,
         outcome::passed},
        {"empty body", {""}, shadow_verdict::clean, 0, outcome::error},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.what) {
            tests::for_each_cutting(row.in.answer.size(), [&](const auto& lengths) {
                const auto got = watch(row.in, lengths);
                BOOST_REQUIRE_EQUAL(to_string(got.would), to_string(row.would));
                BOOST_REQUIRE_EQUAL(got.scaffold_chars, row.chars);
                BOOST_REQUIRE_EQUAL(to_string(got.outcome), to_string(row.expected));
                BOOST_REQUIRE_EQUAL(got.corrections, 0U);
                BOOST_REQUIRE_EQUAL(got.error_code.empty(), row.expected == outcome::passed);
            });
        }
    }
}

BOOST_AUTO_TEST_CASE(model_tokens_and_spans_are_told_as_for_an_enforced_turn) {
    const watched w{completion(call)};
    const auto got = watch(w, {w.answer.size()});
    BOOST_TEST(got.model == "m");
    BOOST_TEST(got.prompt_tokens == 3u);
    BOOST_TEST(got.completion_tokens == 4u);
    BOOST_TEST(got.spans == 1u);
    BOOST_REQUIRE_EQUAL(got.logged.size(), 1U);
    BOOST_TEST(got.logged[0].format == "hermes");
}

BOOST_AUTO_TEST_CASE(a_client_that_left_is_told_with_what_was_found_so_far) {
    const auto work = proxy::turn::make_workspace();
    shadow seen({}, formats(), *work, request, shadow::form::stream, 100);
    tests::read_buffer buffer;
    const std::string leak = stream("Hi " + call);
    seen.take(buffer.load(std::string_view(leak).substr(0, leak.find("data: [DONE]"))));
    seen.cancelled();
    BOOST_TEST(to_string(seen.facts().outcome) == "cancelled");
    BOOST_TEST(to_string(seen.facts().would) == "sanitize");
}

BOOST_AUTO_TEST_SUITE_END()
