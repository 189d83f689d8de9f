// Random turns against a simple model of the design's table that calls nothing of proxy/turn. Every
// event that an upstream can send, in any sensible order and many that are not, cut anywhere.
// UNSCAFFOLD_TURNS=N plays N turns (4,000), UNSCAFFOLD_SEED=S begins with seed S.

#include "proxy/config/formats_file.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include "tests/turn/driver.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace {

namespace json = proxy::json;
using proxy::turn::upstream_end;

enum class kind { role, word, blank, markup, reasoning, call, refusal, usage, comment, broken };

struct attempt {
    std::string stream; // what the upstream sends
    upstream_end end = upstream_end::whole;
    // What the model must know of it.
    std::string text; // content without markup
    bool visible = false, markup = false, call = false, refusal = false, usage = false;
    bool finished = false, done = false, error = false;
    std::string reason;

    bool answered() const { return visible || call || refusal; }

    bool whole() const { return !error && (done || finished); }
};

// What the client should see.
struct view {
    std::string text;
    std::string finish;
    std::string error_code;
    std::size_t requests = 1, finishes = 0, dones = 0, calls = 0, roles = 0, usages = 0;
    bool nothing_behind_done = true;
};

std::string chunk(const std::string& delta, const std::string& finish = "null") {
    return R"(data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[)"
           R"({"index":0,"delta":)" +
           delta + ",\"finish_reason\":" + finish + "}]}\n\n";
}

class generator {
  public:
    explicit generator(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return random_() % n; }

    attempt make() {
        attempt a;
        if (below(20) != 0) {
            add(a, kind::role);
        }
        const bool only_markup = below(2) == 0;
        for (std::size_t steps = below(8); steps > 0; --steps) {
            add(a, only_markup ? pick({kind::markup, kind::blank, kind::comment, kind::reasoning})
                               : any());
        }
        finish(a);
        return a;
    }

  private:
    kind pick(std::vector<kind> from) { return from[below(from.size())]; }

    kind any() {
        return pick({kind::word, kind::word, kind::word, kind::blank, kind::markup, kind::reasoning,
                     kind::call, kind::refusal, kind::comment, kind::broken});
    }

    void content(attempt& a, const std::string& text) {
        std::string delta = R"({"content":")";
        json::append_escaped(delta, text);
        a.stream += chunk(delta + "\"}");
    }

    void add(attempt& a, kind what) {
        switch (what) {
        case kind::role:
            a.stream += chunk(R"({"role":"assistant","content":""})");
            return;
        case kind::word: {
            const std::string word = "word" + std::to_string(below(100)) + " ";
            content(a, word);
            a.text += word;
            a.visible = true;
            return;
        }
        case kind::blank:
            content(a, "\n");
            a.text += "\n";
            return;
        case kind::markup: {
            const std::string call = "<tool_call>{\"name\": \"get\", \"arguments\": {\"n\": " +
                                     std::to_string(below(1000)) + "}}</tool_call>";
            const std::size_t piece = 1 + below(call.size());
            for (std::size_t at = 0; at < call.size(); at += piece) {
                content(a, call.substr(at, piece));
            }
            a.markup = true;
            return;
        }
        case kind::reasoning:
            a.stream += chunk(R"({"reasoning_content":"Let me think."})");
            return;
        case kind::call:
            a.stream += chunk(R"({"tool_calls":[{"index":0,"id":"1","function":{"name":"get"}}]})");
            a.call = true;
            return;
        case kind::refusal:
            a.stream += chunk(R"({"refusal":"No."})");
            a.refusal = true;
            return;
        case kind::usage:
            a.stream += "data: {\"id\":\"c\",\"choices\":[],\"usage\":{\"prompt_tokens\":3}}\n\n";
            a.usage = true;
            return;
        case kind::comment:
            a.stream += ": still here\n\n";
            return;
        case kind::broken:
            a.stream += "data: {\"choices\": oops\n\n";
            return;
        }
    }

    void finish(attempt& a) {
        const std::size_t how = below(12);
        if (how == 0) {
            a.stream += "data: {\"error\":{\"message\":\"boom\",\"code\":\"upstream_boom\"}}\n\n";
            a.error = true;
            return;
        }
        if (how > 2) {
            const char* reasons[] = {"stop",   "stop",       "stop",
                                     "length", "tool_calls", "content_filter"};
            a.reason = reasons[below(6)];
            a.stream += chunk("{}", "\"" + a.reason + "\"");
            a.finished = true;
        }
        if (a.finished && below(3) == 0) {
            add(a, kind::usage);
        }
        if (how > 1 && below(5) != 0) {
            a.stream += "data: [DONE]\n\n";
            a.done = true;
        }
        a.end = static_cast<upstream_end>(below(3));
    }

    std::mt19937 random_;
};

// The table of the design, once more and in other words.
view expected(const attempt& first, const attempt& second) {
    view v;
    const auto finish_of = [](const attempt& a) {
        return a.reason == "tool_calls" && !a.call ? std::string("stop") : a.reason;
    };
    const auto shown = [&](const attempt& a) {
        v.text = a.text;
        v.finish = a.finished ? finish_of(a) : "";
    };
    if (first.error || !first.whole()) {
        v.text = first.text;
        v.error_code = first.error                          ? "upstream_boom"
                       : first.end == upstream_end::stalled ? "upstream_timeout"
                                                            : "upstream_interrupted";
        return v;
    }
    if (first.answered() || !first.markup || first.reason == "content_filter") {
        shown(first);
        return v;
    }
    v.requests = 2;
    if (second.answered() && (second.error || !second.whole())) {
        v.text = second.text;
        v.error_code = second.error                          ? "upstream_boom"
                       : second.end == upstream_end::stalled ? "upstream_timeout"
                                                             : "upstream_interrupted";
    } else if (second.error || !second.whole()) {
        v.error_code = "correction_failed";
    } else if (second.answered()) {
        shown(second);
    } else {
        v.error_code = "malformed_reply";
    }
    return v;
}

std::optional<json::value_view> member(std::optional<json::value_view> object, const char* key) {
    if (!object || object->kind != json::kind::object) {
        return std::nullopt;
    }
    const auto found = json::find_last(*object, key);
    return found ? std::optional(found->value) : std::nullopt;
}

void read_chunk(json::value_view root, view& v) {
    v.usages += member(root, "usage") ? 1 : 0;
    if (const auto code = member(member(root, "error"), "code")) {
        v.error_code = code->inside();
    }
    const auto choices = member(root, "choices");
    const auto choice = choices && choices->kind == json::kind::array
                            ? json::array_walker(*choices).next()
                            : std::nullopt;
    const auto delta = member(choice, "delta");
    if (const auto content = member(delta, "content")) {
        v.text += json::unescape(content->inside());
    }
    v.roles += member(delta, "role") ? 1 : 0;
    v.calls += member(delta, "tool_calls") ? 1 : 0;
    const auto reason = member(choice, "finish_reason");
    if (reason && reason->kind == json::kind::string) {
        v.finish = reason->inside();
        ++v.finishes;
    }
}

view seen(const tests::result& got) {
    view v;
    v.requests = got.correction ? 2 : 1;
    std::string_view rest = got.downstream;
    while (!rest.empty()) {
        const std::size_t end = rest.find("\n\n");
        BOOST_REQUIRE(end != std::string_view::npos);
        const std::string_view block = rest.substr(0, end);
        rest.remove_prefix(end + 2);
        v.nothing_behind_done = v.nothing_behind_done && v.dones == 0;
        if (block == "data: [DONE]") {
            ++v.dones;
        } else if (block.starts_with("data: ")) {
            if (const auto root = json::read_value(block.substr(6))) {
                read_chunk(*root, v);
            }
        }
    }
    return v;
}

std::string describe(unsigned seed, const attempt& first, const attempt& second,
                     const tests::result& got) {
    return "seed " + std::to_string(seed) + "\n--- first\n" + first.stream + "--- second\n" +
           second.stream + "--- downstream\n" + got.downstream;
}

void check(const view& want, const view& got, const std::string& what) {
    BOOST_CHECK_MESSAGE(got.text == want.text, "text: " << what);
    BOOST_CHECK_MESSAGE(got.finish == want.finish || !want.error_code.empty(), "finish: " << what);
    BOOST_CHECK_MESSAGE(got.error_code == want.error_code, "error: " << what);
    BOOST_CHECK_MESSAGE(got.requests == want.requests, "requests: " << what);
    BOOST_CHECK_MESSAGE(got.dones == 1 && got.nothing_behind_done, "end: " << what);
    BOOST_CHECK_MESSAGE(got.finishes <= 1 && got.roles <= 1 && got.usages <= 1, "once: " << what);
}

std::vector<std::size_t> cuts(std::size_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::size_t> lengths;
    for (std::size_t at = 0; at < bytes; at += lengths.back()) {
        lengths.push_back(std::min<std::size_t>(1 + random() % 90, bytes - at));
    }
    return lengths;
}

unsigned number_from(const char* variable, unsigned otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10)) : otherwise;
}

} // namespace

BOOST_AUTO_TEST_SUITE(random_turns)

BOOST_AUTO_TEST_CASE(every_turn_ends_as_the_table_says_at_any_cut) {
    const auto formats = proxy::config::built_in_catalog();
    const std::string request =
        R"({"stream":true,"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"get"}}]})";
    const unsigned turns = number_from("UNSCAFFOLD_TURNS", 4000);
    const unsigned first_seed = number_from("UNSCAFFOLD_SEED", 1);
    std::size_t corrected = 0;
    for (unsigned seed = first_seed; seed < first_seed + turns; ++seed) {
        generator make(seed);
        const attempt first = make.make();
        const attempt second = make.make();
        const std::vector<tests::answer> answers = {{first.stream, first.end, {}},
                                                    {second.stream, second.end, {}}};
        const auto whole = tests::play_whole(formats, {}, request, answers);
        check(expected(first, second), seen(whole), describe(seed, first, second, whole));
        corrected += whole.correction ? 1 : 0;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto cut =
                tests::play(formats, {}, request, answers, i, cuts(answers[i].body.size(), seed));
            BOOST_CHECK_MESSAGE(cut.downstream == whole.downstream,
                                "cut: " << describe(seed, first, second, cut));
        }
    }
    BOOST_TEST_MESSAGE(turns << " turns, " << corrected << " of them corrected");
    BOOST_CHECK_GT(corrected, turns / 10);
}

BOOST_AUTO_TEST_SUITE_END()
