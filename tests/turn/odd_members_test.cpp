// Chunks and bodies put together at random from members that can stand in any number, order and
// place: whatever an upstream writes, the turn ends, at any split in the same way.

#include "proxy/config/formats_file.hpp"
#include "proxy/turn/body_turn.hpp"

#include "tests/turn/driver.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

const proxy::scaffold::catalog& formats() {
    static const auto catalog = proxy::config::built_in_catalog();
    return catalog;
}

const std::string request =
    R"({"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"get"}}]})";
const std::string call = R"(<tool_call>{\"name\": \"get\", \"arguments\": {}}</tool_call>)";

class composer {
  public:
    explicit composer(unsigned seed) : random_(seed) {}

    std::string stream() {
        std::string out;
        for (int i = 0; i < 5; ++i) {
            out += "data: " + root("delta") + "\n\n";
        }
        return out + "data: [DONE]\n\n";
    }

    std::string body() { return root("message"); }

  private:
    const std::string& one_of(const std::vector<std::string>& list) {
        return list[random_() % list.size()];
    }

    std::string members(std::size_t most, const std::function<std::string()>& member) {
        std::string out;
        for (std::size_t left = random_() % (most + 1); left > 0; --left) {
            out += (out.empty() ? "" : ",") + member();
        }
        return "{" + out + "}";
    }

    std::string text() {
        return one_of({"Hi", " ", "<", call, call.substr(0, 11), call.substr(11), "Hi " + call,
                       call + " ok", "\\u00e9", ""});
    }

    std::string list() {
        const std::string token = "{\"token\":\"" + text() + "\"}";
        return one_of({"[" + token + "]", "[" + token + "," + token + "]", "[]", "null", "7",
                       "[\"" + text() + "\",\"" + text() + "\"]", "[1,2]", "[0]"});
    }

    std::string lists() {
        return members(4, [this] {
            return "\"" + one_of({"content", "tokens", "token_logprobs", "text_offset", "x"}) +
                   "\":" + list();
        });
    }

    std::string inner() {
        const std::string note =
            R"({"start_index":1,"url_citation":{"end_index":90},"end_index":70})";
        return one_of({"\"content\":\"" + text() + "\"", "\"role\":\"assistant\"",
                       "\"annotations\":[" + note + "," + note + "]", "\"token_ids\":" + list(),
                       "\"logprobs\":" + lists(), "\"content\":null", "\"tool_calls\":[]",
                       "\"refusal\":\"\"", "\"reasoning\":\"" + text() + "\""});
    }

    std::string choice(const std::string& holder) {
        return members(6, [&] {
            const std::string inside = members(4, [this] { return inner(); });
            return one_of({"\"index\":0", "\"index\":1", "\"" + holder + "\":" + inside,
                           "\"" + holder + "\":" + inside, "\"logprobs\":" + lists(),
                           "\"token_ids\":" + list(), "\"text\":\"" + text() + "\"",
                           "\"finish_reason\":\"stop\"", "\"finish_reason\":null"});
        });
    }

    std::string root(const std::string& holder) {
        return members(4, [&] {
            std::string choices = choice(holder);
            for (auto more = random_() % 3; more > 0; --more) {
                choices += "," + one_of({choice(holder), choice(holder), "7", "null"});
            }
            return one_of({"\"choices\":[" + choices + "]", "\"choices\":[" + choices + "]",
                           "\"id\":\"a\"", "\"usage\":{\"prompt_tokens\":1}", "\"x\":[1.50]"});
        });
    }

    std::mt19937 random_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(odd_members)

BOOST_AUTO_TEST_CASE(any_stream_ends_in_the_same_way_at_any_split) {
    for (const bool legacy : {false, true}) {
        proxy::turn::turn_settings settings;
        settings.legacy_completions = legacy;
        for (unsigned seed = 0; seed < 400; ++seed) {
            composer words(seed);
            const std::vector<tests::answer> answers = {
                {words.stream(), proxy::turn::upstream_end::whole, {}, false},
                {seed % 2 == 0 ? words.stream() : words.body(),
                 proxy::turn::upstream_end::whole,
                 {},
                 seed % 2 == 1}};
            const auto whole = tests::play_whole(formats(), settings, request, answers);
            BOOST_REQUIRE(whole.finished);
            BOOST_REQUIRE_MESSAGE(whole.downstream.ends_with("data: [DONE]\n\n"), seed);
            const auto cut = tests::play(formats(), settings, request, answers, 0,
                                         std::vector<std::size_t>(answers[0].body.size(), 1));
            BOOST_REQUIRE_MESSAGE(cut.downstream == whole.downstream, seed);
        }
    }
}

BOOST_AUTO_TEST_CASE(any_body_is_decided) {
    for (unsigned seed = 0; seed < 1'000; ++seed) {
        composer words(seed);
        proxy::turn::body_turn turn({}, formats(), proxy::chat::read_request(request), request);
        std::string out;
        if (turn.take(words.body(), out) == proxy::turn::action::correct) {
            out.clear();
            BOOST_REQUIRE(turn.take(words.body(), out) == proxy::turn::action::finish);
        }
        BOOST_REQUIRE_MESSAGE(turn.status() == 0 || turn.status() == 502, seed);
        BOOST_REQUIRE_MESSAGE(proxy::json::read_value(out), seed << ": " << out);
    }
}

BOOST_AUTO_TEST_CASE(two_choices_of_one_index_are_edited_each_in_its_place) {
    const std::string lists = R"("logprobs":{"content":[{"token":"a"},{"token":"@"}]})";
    const auto event = [&](const std::string& text, const std::string& more) {
        const std::string choice =
            R"({"index":0,"delta":{"content":")" + text + "\"}," + more + "}";
        return R"(data: {"choices":[)" + choice + "," + choice + "]}\n\ndata: [DONE]\n\n";
    };
    const auto with_call = [&](std::string json) { return json.replace(json.find('@'), 1, call); };
    const auto got = tests::play_whole(
        formats(), {}, request,
        {{event("a" + call, with_call(lists)), proxy::turn::upstream_end::whole, {}, false}});
    BOOST_CHECK_EQUAL(got.downstream, event("a", R"("logprobs":{"content":[{"token":"a"}]})"));
}

BOOST_AUTO_TEST_SUITE_END()
