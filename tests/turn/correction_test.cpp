#include "proxy/turn/correction.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using proxy::chat::read_request;

const std::string line(proxy::turn::correction_line(proxy::turn::correction_reason::markup));

// `@` in a row's expectation stands for the correction line.
std::string with_line(std::string text) {
    for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos; at += line.size()) {
        text.replace(at, 1, line);
    }
    return text;
}

std::string build(const std::string& body, std::uint64_t max_tokens = 0,
                  std::string_view model = {}) {
    const auto request = read_request(body);
    BOOST_REQUIRE_MESSAGE(request.correctable, body);
    proxy::turn::correction_options options;
    options.max_tokens = max_tokens;
    options.model = model;
    return proxy::turn::build_correction(body, request, options);
}

struct row {
    const char* what;
    const char* body;
    const char* corrected;
};

const row system_rows[] = {
    {"system string",
     R"({"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"q"}]})",
     R"({"messages":[{"role":"system","content":"Be brief.\n@"},{"role":"user","content":"q"}]})"},
    {"system string with escapes keeps them",
     R"({"messages":[{"role":"system","content":"a\u00e9\"\\"}]})",
     R"({"messages":[{"role":"system","content":"a\u00e9\"\\\n@"}]})"},
    {"empty system string", R"({"messages":[{"role":"system","content":""}]})",
     R"({"messages":[{"role":"system","content":"\n@"}]})"},
    {"list of parts gets a part",
     R"({"messages":[{"role":"system","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}]})",
     R"({"messages":[{"role":"system","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}},{"type":"text","text":"@"}]}]})"},
    {"empty list of parts", R"({"messages":[{"role":"system","content":[ ]}]})",
     R"({"messages":[{"role":"system","content":[ {"type":"text","text":"@"}]}]})"},
    {"developer",
     R"({"messages":[{"role":"developer","content":"d"},{"role":"user","content":"q"}]})",
     R"({"messages":[{"role":"developer","content":"d\n@"},{"role":"user","content":"q"}]})"},
    {"the last leading one of several",
     R"({"messages":[{"role":"system","content":"a"},{"role":"developer","content":"b"},{"role":"user","content":"q"},{"role":"system","content":"late"}]})",
     R"({"messages":[{"role":"system","content":"a"},{"role":"developer","content":"b\n@"},{"role":"user","content":"q"},{"role":"system","content":"late"}]})"},
    {"none: one in front", R"({"messages":[{"role":"user","content":"q"}]})",
     R"({"messages":[{"role":"system","content":"@"},{"role":"user","content":"q"}]})"},
    {"no messages at all", R"({"messages":[]})",
     R"({"messages":[{"role":"system","content":"@"}]})"},
    {"null content becomes the line",
     R"({"messages":[{"role":"system","content":null},{"role":"user","content":"q"}]})",
     R"({"messages":[{"role":"system","content":"@"},{"role":"user","content":"q"}]})"},
    {"absent content becomes the line",
     R"({"messages":[{"role":"system"},{"role":"user","content":"q"}]})",
     R"({"messages":[{"content":"@","role":"system"},{"role":"user","content":"q"}]})"},
    {"the last leading one has parts with cache_control and members of its own",
     R"({"messages":[{"role":"system","content":"a"},{"content":[{"cache_control":{"type":"ephemeral","ttl":"1h"},"text":"b","type":"text"} ] ,"name":"n","role":"system"},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}]})",
     R"({"messages":[{"role":"system","content":"a"},{"content":[{"cache_control":{"type":"ephemeral","ttl":"1h"},"text":"b","type":"text"} ,{"type":"text","text":"@"}] ,"name":"n","role":"system"},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}]})"},
    {"developer with parts", R"({"messages":[{"role":"developer","content":[{"text":"d"}]}]})",
     R"({"messages":[{"role":"developer","content":[{"text":"d"},{"type":"text","text":"@"}]}]})"},
    {"a system message behind the first user is not a leading one",
     R"({"messages":[{"role":"user","content":"q"},{"role":"system","content":"late"}]})",
     R"({"messages":[{"role":"system","content":"@"},{"role":"user","content":"q"},{"role":"system","content":"late"}]})"},
    {"characters of every kind",
     "{\"messages\":[{\"role\":\"system\",\"content\":\"h\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x9a\xa2 "
     "\\ud83d\\udea2 \\ud800 \\u0000 \xff\"}]}",
     "{\"messages\":[{\"role\":\"system\",\"content\":\"h\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x9a\xa2 "
     "\\ud83d\\udea2 \\ud800 \\u0000 \xff\\n@\"}]}"},
    {"an object as content: one in front",
     R"({"messages":[{"role":"system","content":{"text":"x"}}]})",
     R"({"messages":[{"role":"system","content":"@"},{"role":"system","content":{"text":"x"}}]})"},
    {"true as content: one in front", R"({"messages":[{"role":"system","content":true}]})",
     R"({"messages":[{"role":"system","content":"@"},{"role":"system","content":true}]})"},
    {"no role at all: one in front", R"({"messages":[{"content":"x"}]})",
     R"({"messages":[{"role":"system","content":"@"},{"content":"x"}]})"},
    {"content of another type: one in front",
     R"({"messages":[{"role":"system","content":7},{"role":"user","content":"q"}]})",
     R"({"messages":[{"role":"system","content":"@"},{"role":"system","content":7},{"role":"user","content":"q"}]})"},
};

const row removal_rows[] = {
    {"first", R"({"tools":[1],"model":"m","messages":[]})", R"({"model":"m","messages":[@]})"},
    {"middle", R"({"model":"m", "tools" : [ {"a":[1,2]} ] , "messages":[]})",
     R"({"model":"m", "messages":[@]})"},
    {"last", R"({"messages":[],"tool_choice":"auto"})", R"({"messages":[@]})"},
    {"last with white space", "{\"messages\":[] ,\n \"tool_choice\":\"auto\"\n}",
     "{\"messages\":[@]\n}"},
    {"all five, beside each other and apart",
     R"({"tools":[],"functions":[],"a":1,"tool_choice":{},"messages":[],"parallel_tool_calls":true,"function_call":"none"})",
     R"({"a":1,"messages":[@]})"},
    {"all copies, also with escaped keys",
     R"({"tools":1,"messages":[],"t\u006fols":[2],"z":0,"tools":3})", R"({"messages":[@],"z":0})"},
    {"only the top level", R"({"messages":[],"metadata":{"tools":[1]}})",
     R"({"messages":[@],"metadata":{"tools":[1]}})"},
    {"numbers, unknown fields and key order stay",
     R"({"x":1.50,"n":18446744073709551617,"messages":[],"y":{"b":-0.0,"a":1e400},"tools":[]})",
     R"({"x":1.50,"n":18446744073709551617,"messages":[@],"y":{"b":-0.0,"a":1e400}})"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(correction)

BOOST_AUTO_TEST_CASE(the_line_is_added_to_every_shape_of_system_message) {
    for (const row& r : system_rows) {
        BOOST_CHECK_MESSAGE(build(r.body) == with_line(r.corrected), r.what
                                                                         << ":\n"
                                                                         << build(r.body) << "\n"
                                                                         << with_line(r.corrected));
    }
}

BOOST_AUTO_TEST_CASE(tool_members_go_and_all_else_stays) {
    const std::string message = R"({"role":"system","content":")" + line + "\"}";
    for (const row& r : removal_rows) {
        std::string expected = r.corrected;
        expected.replace(expected.find('@'), 1, message);
        BOOST_CHECK_MESSAGE(build(r.body) == expected, r.what << ":\n" << build(r.body));
    }
}

// Requests put together from members in random order, some of which must go: what is expected is
// put together from the others and never read from the body.
BOOST_AUTO_TEST_CASE(every_byte_outside_of_the_edits_is_the_clients_in_any_order) {
    const std::vector<std::string> gone = {
        R"("tools":[{"type":"function","function":{"name":"f"}}])",
        R"("tool_choice" : "auto")",
        R"("parallel_tool_calls":false)",
        R"("functions":[])",
        R"("function_call":{"name":"f"})",
        R"("t\u006fols":null)"};
    const std::vector<std::string> kept = {
        R"("temperature":1.50)",
        R"("seed":18446744073709551617)",
        R"("top_p" : 1e-7)",
        "\"user\":\"h\xc3\xa9 \\u00e9 \\/ \xf0\x9f\x9a\xa2\"",
        R"("stream":true)",
        R"("metadata":{"z":1,"a":{"tools":[1],"tool_choice":"x"}})",
        R"("x-unknown":[ null , {"b":-0.0} ])",
        R"("tools_extra":[1])",
        R"("":"tools")"};
    const std::string history =
        R"(,{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"a\": 1.50}"}}]},{"tool_call_id":"1","role":"tool","content":"r","x":2.0}])";
    const std::string messages = R"("messages":[{"role":"system","content":"s"})";
    std::mt19937 random(20261130);
    for (int round = 0; round < 400; ++round) {
        std::vector<std::pair<std::string, std::string>> members; // as sent, as corrected
        members.emplace_back(messages + history, R"("messages":[{"role":"system","content":"s\n)" +
                                                     line + "\"}" + history);
        for (const std::string& member : gone) {
            if (random() % 2 == 0) {
                members.emplace_back(member, "");
            }
        }
        for (const std::string& member : kept) {
            if (random() % 2 == 0) {
                members.emplace_back(member, member);
            }
        }
        std::shuffle(members.begin(), members.end(), random);
        std::string body = "{", expected = "{";
        for (const auto& [sent, corrected] : members) {
            body += (body.size() > 1 ? "," : "") + sent;
            if (!corrected.empty()) {
                expected += (expected.size() > 1 ? "," : "") + corrected;
            }
        }
        BOOST_REQUIRE_EQUAL(build(body + "}"), expected + "}");
    }
}

BOOST_AUTO_TEST_CASE(tool_history_stays) {
    const std::string body =
        R"({"messages":[{"role":"system","content":"s"},{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]},{"role":"tool","tool_call_id":"1","content":"r"}],"tools":[]})";
    const std::string got = build(body);
    BOOST_CHECK(got.find(R"({"role":"assistant","content":null,"tool_calls":[{"id":"1"}]})") !=
                std::string::npos);
    BOOST_CHECK(got.find(R"({"role":"tool","tool_call_id":"1","content":"r"})") !=
                std::string::npos);
    BOOST_CHECK(got.find("\"tools\"") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(tool_history_is_told_in_words_where_an_upstream_needs_it) {
    const row rows[] = {
        {"a call without text",
         R"({"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f"}},{"function":{"name":"g"}}]})",
         R"({"role":"assistant","content":"I used a tool: f, g"})"},
        {"a call without content",
         R"({"role":"assistant","tool_calls":[{"function":{"name":"f"}}]})",
         R"({"content":"I used a tool: f","role":"assistant"})"},
        {"a call with text",
         R"({"role":"assistant","content":"Wait.","function_call":{"name":"f"}})",
         R"({"role":"assistant","content":"Wait."})"},
        {"a result", R"({"role":"tool","tool_call_id":"1","content":"r\u00e9"})",
         R"({"role":"user","content":"Result of the tool: r\u00e9"})"},
        {"a result in parts",
         R"({"role":"tool","content":[{"type":"text","text":"r"}],"tool_call_id":"1"})",
         R"({"role":"user","content":[{"type":"text","text":"Result of the tool: "},{"type":"text","text":"r"}]})"},
        {"an old result", R"({"role":"function","name":"f","content":null})",
         R"({"role":"user","content":"Result of the tool: none"})"},
        {"other messages keep their bytes", R"({"role":"user","name":"me","content":"q","x":1.50})",
         R"({"role":"user","name":"me","content":"q","x":1.50})"},
        {"odd messages too", R"(7,{"role":3},{"content":"x"})", R"(7,{"role":3},{"content":"x"})"},
    };
    for (const row& r : rows) {
        const std::string head = R"({"messages":[{"role":"system","content":"s"},)";
        const std::string body = head + r.body + "]}";
        const auto request = read_request(body);
        proxy::turn::correction_options options;
        options.flatten_tool_history = true;
        const std::string expected =
            R"({"messages":[{"role":"system","content":"s\n)" + line + "\"}," + r.corrected + "]}";
        const std::string got = proxy::turn::build_correction(body, request, options);
        BOOST_CHECK_MESSAGE(got == expected, r.what << ":\n" << got);
    }
}

BOOST_AUTO_TEST_CASE(max_tokens_is_lowered_and_never_raised) {
    const std::string message = R"("messages":[{"role":"system","content":")" + line + "\"}]";
    const auto expect = [&](const std::string& in, const std::string& out) {
        BOOST_CHECK_EQUAL(build("{" + in + "\"messages\":[]}", 100), "{" + out + message + "}");
    };
    expect(R"("max_tokens":500,)", R"("max_tokens":100,)");
    expect(R"("max_tokens":50,)", R"("max_tokens":50,)");
    expect(R"("max_completion_tokens":101,)", R"("max_completion_tokens":100,)");
    expect(R"("max_tokens":200,"max_completion_tokens":20,)",
           R"("max_tokens":100,"max_completion_tokens":20,)");
    expect(R"("max_tokens":99999999999999999999999,)", R"("max_tokens":100,)");
    expect(R"("max_tokens":null,)", R"("max_tokens":100,)");
    expect("", R"("max_tokens":100,)");
    expect(R"("max_tokens":"many",)", R"("max_tokens":"many",)");
    expect(R"("max_tokens":100,)", R"("max_tokens":100,)");
    expect(R"("max_tokens":500.0,)", R"("max_tokens":100,)");
    expect(R"("max_tokens":1e3,)", R"("max_tokens":100,)");
    expect(R"("max_tokens":1e999,)", R"("max_tokens":100,)");
    for (const char* tiny : {"1e-999", "1E-999", "-1e999"}) {
        const std::string same = R"("max_tokens":)" + std::string(tiny) + ",";
        expect(same, same);
    }
    expect(R"("max_tokens":99.5,)", R"("max_tokens":99.5,)");
    expect(R"("max_tokens":0,)", R"("max_tokens":0,)");
    expect(R"("max_tokens":-1,)", R"("max_tokens":-1,)");
    expect(R"("max_tokens":null,"max_completion_tokens":500,)",
           R"("max_tokens":null,"max_completion_tokens":100,)");
    expect(R"("max_tokens":300,"max_t\u006fkens":200,)",
           R"("max_tokens":100,"max_t\u006fkens":100,)");
    BOOST_CHECK_EQUAL(build(R"({"tools":[1],"messages":[]})", 100),
                      R"({"max_tokens":100,)" + message + "}");
}

BOOST_AUTO_TEST_CASE(another_model_is_named_when_configured) {
    const std::string got = build(R"({"model":"a","messages":[]})", 0, "b \"2\"");
    BOOST_CHECK(got.starts_with(R"({"model":"b \"2\"",)"));
    const std::string unnamed = build(R"({"tools":[],"messages":[]})", 0, "b");
    BOOST_CHECK_MESSAGE(unnamed.starts_with(R"({"model":"b","messages":[)"), unnamed);
    const std::string both = build(R"({"tools":[],"messages":[]})", 5, "b");
    BOOST_CHECK_EQUAL(read_request(both).model, "b");
    BOOST_CHECK_MESSAGE(both.find("\"max_tokens\":5,") != std::string::npos, both);
}

BOOST_AUTO_TEST_CASE(the_corrected_body_reads_as_a_request_without_tools) {
    const std::string body =
        R"({"stream":true,"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"f"}}]})";
    const std::string got = build(body);
    const auto request = read_request(got);
    BOOST_CHECK(request.correctable && request.stream && !request.declares_tools);
    BOOST_CHECK(request.tool_names.empty());
}

BOOST_AUTO_TEST_SUITE_END()
