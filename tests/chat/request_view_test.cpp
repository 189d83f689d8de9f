#include "proxy/base/limits.hpp"
#include "proxy/chat/request_view.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using proxy::chat::content_kind;
using proxy::chat::read_request;
using proxy::chat::request_view;
using proxy::chat::tools_in_context;

/// The simple facts in one line.
std::string facts(const request_view& r) {
    std::string out;
    const auto add = [&](bool set, const char* name) {
        if (set) {
            out += (out.empty() ? "" : " ") + std::string(name);
        }
    };
    add(r.is_object, "object");
    add(r.correctable, "correctable");
    add(r.stream, "stream");
    add(r.include_usage, "usage");
    add(r.echo, "echo");
    add(r.declares_tools, "declares");
    add(r.history_has_tools, "history");
    add(r.json_answer, "json");
    add(r.last_message_is_tool, "last_tool");
    add(!r.model.empty(), ("model=" + std::string(r.model)).c_str());
    for (const std::string& name : r.tool_names) {
        add(true, ("tool=" + name).c_str());
    }
    return out;
}

struct row {
    const char* name;
    std::string body;
    std::string facts;
};

const row rows[] = {
    {"nothing", "", ""},
    {"no JSON", "hello", ""},
    {"an array", "[]", ""},
    {"cut", R"({"messages":[])", ""},
    {"trailing text", R"({"messages":[]} x)", ""},
    {"an empty object", "{}", "object"},
    {"the least", R"({"messages":[]})", "object correctable"},
    {"the usual", R"({"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]})",
     "object correctable stream model=m"},
    {"invalid UTF-8 is no obstacle", "{\"messages\":[{\"content\":\"\xFF\"}],\"stream\":true}",
     "object correctable stream"},
    {"messages missing", R"({"prompt":"x","stream":true})", "object stream"},
    {"messages a string", R"({"messages":"x"})", "object"},
    {"messages null", R"({"messages":null})", "object"},
    {"messages twice", R"({"messages":[],"messages":[]})", "object"},
    {"messages twice, once escaped", R"({"messages":[],"m\u0065ssages":[]})", "object"},
    {"stream twice", R"({"messages":[],"stream":false,"stream":true})", "object stream"},
    {"stream twice, the last false", R"({"messages":[],"stream":true,"stream":false})", "object"},
    {"n twice", R"({"messages":[],"n":1,"n":2})", "object"},
    {"n once", R"({"messages":[],"n":2})", "object correctable"},
    {"other members twice", R"({"messages":[],"model":"a","model":"b","tools":[],"tools":[]})",
     "object correctable model=b"},
    {"members of these names elsewhere",
     R"({"messages":[{"messages":[],"stream":true,"n":1}],"x":{"messages":[],"stream":true}})",
     "object correctable"},
    {"stream not a boolean", R"({"messages":[],"stream":"true"})", "object correctable"},
    {"stream one", R"({"messages":[],"stream":1})", "object correctable"},
    {"stream null", R"({"messages":[],"stream":null})", "object correctable"},
    {"usage asked for", R"({"messages":[],"stream_options":{"include_usage":true}})",
     "object correctable usage"},
    {"usage not asked for", R"({"messages":[],"stream_options":{"include_usage":false}})",
     "object correctable"},
    {"stream_options null", R"({"messages":[],"stream_options":null})", "object correctable"},
    {"stream_options a list", R"({"messages":[],"stream_options":["include_usage"]})",
     "object correctable"},
    {"echo", R"({"prompt":"x","echo":true})", "object echo"},
    {"model a number", R"({"messages":[],"model":1})", "object correctable"},
    {"tools", R"({"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]})",
     "object correctable declares tool=f"},
    {"tools empty", R"({"messages":[],"tools":[ ]})", "object correctable"},
    {"tools null", R"({"messages":[],"tools":null})", "object correctable"},
    {"tools an object", R"({"messages":[],"tools":{"name":"f"}})", "object correctable"},
    {"tools of the flat form", R"({"messages":[],"tools":[{"type":"function","name":"f"}]})",
     "object correctable declares tool=f"},
    {"odd tools",
     R"({"tools":[null,1,"f",{},{"function":null},{"function":{"name":1}},{"name":""}]})",
     "object declares"},
    {"functions", R"({"messages":[],"functions":[{"name":"g"},{"name":"f"}]})",
     "object correctable declares tool=f tool=g"},
    {"names are sorted, unique and decoded",
     R"({"tools":[{"function":{"name":"b"}},{"function":{"n\u0061me":"\u0061"}}],"functions":[{"name":"b"}]})",
     "object declares tool=a tool=b"},
    {"tool_choice none still declares",
     R"({"messages":[],"tool_choice":"none","tools":[{"function":{"name":"f"}}]})",
     "object correctable declares tool=f"},
    {"calls in the history",
     R"({"messages":[{"role":"user"},{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}]})",
     "object correctable history tool=f"},
    {"no calls in the history", R"({"messages":[{"role":"assistant","tool_calls":[]}]})",
     "object correctable"},
    {"calls null in the history",
     R"({"messages":[{"role":"assistant","tool_calls":null,"function_call":null}]})",
     "object correctable"},
    {"a function call in the history",
     R"({"messages":[{"role":"assistant","function_call":{"name":"g","arguments":"{}"}}]})",
     "object correctable history tool=g"},
    {"calls of a user do not count",
     R"({"messages":[{"role":"user","tool_calls":[{"function":{"name":"f"}}]}]})",
     "object correctable"},
    {"a tool message last", R"({"messages":[{"role":"user"},{"role":"tool","content":"x"}]})",
     "object correctable history last_tool"},
    {"a tool message earlier", R"({"messages":[{"role":"tool"},{"role":"user"}]})",
     "object correctable history"},
    {"a function message last", R"({"messages":[{"role":"function","name":"f"}]})",
     "object correctable history last_tool"},
    {"odd messages", R"({"messages":[null,1,"x",[],{},{"role":1},{"role":null}]})",
     "object correctable"},
    {"response_format text", R"({"response_format":{"type":"text"}})", "object"},
    {"response_format json_object", R"({"response_format":{"type":"json_object"}})", "object json"},
    {"response_format json_schema",
     R"({"response_format":{"type":"json_schema","json_schema":{}}})", "object json"},
    {"response_format of an unknown type", R"({"response_format":{"type":"grammar"}})",
     "object json"},
    {"response_format null", R"({"response_format":null})", "object"},
    {"guided_json", R"({"guided_json":{"type":"object"}})", "object json"},
    {"grammar", R"({"grammar":"root ::= x"})", "object json"},
    {"json_schema", R"({"json_schema":{}})", "object json"},
    {"guided_grammar", R"({"guided_grammar":"x"})", "object json"},
    {"structured_outputs", R"({"structured_outputs":{"json":{}}})", "object json"},
    {"all of them null",
     R"({"guided_json":null,"grammar":null,"json_schema":null,"guided_grammar":null,"structured_outputs":null})",
     "object"},
};

struct system_row {
    const char* name;
    std::string messages;
    std::string content; ///< kind and raw value of the slot, "none" without one
    std::string whole_has;
};

const char* name_of(content_kind kind) {
    switch (kind) {
    case content_kind::string:
        return "string ";
    case content_kind::parts:
        return "parts ";
    case content_kind::null_or_absent:
        return "null ";
    case content_kind::other:
        return "other ";
    }
    return "?";
}

const system_row system_rows[] = {
    {"no message", "[]", "none", ""},
    {"none", R"([{"role":"user","content":"u"}])", "none", ""},
    {"one", R"([{"role":"system","content":"s"},{"role":"user"}])", "string \"s\"", "system"},
    {"a developer message", R"([{"role":"developer","content":"d"}])", "string \"d\"", "developer"},
    {"the last leading one",
     R"([{"role":"system","content":"a"},{"role":"developer","content":"b"},{"role":"user"}])",
     "string \"b\"", "developer"},
    {"a later one does not count",
     R"([{"role":"system","content":"a"},{"role":"user"},{"role":"system","content":"b"}])",
     "string \"a\"", "\"a\""},
    {"not leading", R"([{"role":"user"},{"role":"system","content":"b"}])", "none", ""},
    {"behind an odd message", R"([null,{"role":"system","content":"b"}])", "none", ""},
    {"parts", R"([{"role":"system","content":[{"type":"text","text":"x"}]}])",
     R"(parts [{"type":"text","text":"x"}])", ""},
    {"no parts", R"([{"role":"system","content":[ ]}])", "parts [ ]", ""},
    {"content null", R"([{"role":"system","content":null}])", "null null", ""},
    {"content absent", R"([{"role":"system"}])", "null ", ""},
    {"content a number", R"([{"role":"system","content":5}])", "other 5", ""},
    {"content an object", R"([{"role":"system","content":{"a":1}}])", R"(other {"a":1})", ""},
    {"the last of two contents", R"([{"role":"system","content":"a","content":"b"}])",
     "string \"b\"", ""},
    {"escaped keys and role", R"([{"r\u006fle":"syst\u0065m","c\u006fntent":"a"}])", "string \"a\"",
     ""},
};

} // namespace

BOOST_AUTO_TEST_SUITE(request_view_reading)

BOOST_AUTO_TEST_CASE(each_body_has_its_facts) {
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.name) {
            BOOST_TEST(facts(read_request(r.body)) == r.facts);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_body_reads_as_nothing) {
    for (const row& r : rows) {
        for (std::size_t size = 0; !r.facts.empty() && size < r.body.size(); ++size) {
            BOOST_TEST_CONTEXT(r.name << " cut behind " << size) {
                BOOST_TEST(facts(read_request(std::string_view(r.body).substr(0, size))).empty());
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(the_system_slot_is_the_last_leading_one) {
    for (const system_row& r : system_rows) {
        BOOST_TEST_CONTEXT(r.name) {
            const std::string body = "{\"messages\":" + r.messages + "}";
            const request_view request = read_request(body);
            BOOST_TEST(request.messages == r.messages);
            const auto& slot = request.system;
            BOOST_TEST((slot ? name_of(slot->content) + std::string(slot->content_raw) : "none") ==
                       r.content);
            if (slot) {
                BOOST_TEST(slot->whole.front() == '{');
                BOOST_TEST(slot->whole.find(r.whole_has) != std::string_view::npos);
                BOOST_TEST(body.find(slot->whole) != std::string::npos);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(views_point_into_the_body) {
    const std::string body =
        R"({"model":"m","messages":[ {"role":"user","content":"a"} , {"role":"user"}]})";
    const request_view request = read_request(body);
    BOOST_TEST(request.first_message == R"({"role":"user","content":"a"})");
    BOOST_TEST((request.first_message.data() == body.data() + body.find("{\"role")));
    BOOST_TEST((request.model.data() == body.data() + 10));
    BOOST_TEST((request.messages.data() == body.data() + body.find('[')));
}

BOOST_AUTO_TEST_CASE(tools_are_in_context_when_declared_or_in_the_history) {
    BOOST_TEST(!tools_in_context(read_request(R"({"messages":[]})")));
    BOOST_TEST(tools_in_context(read_request(R"({"tools":[{}]})")));
    BOOST_TEST(tools_in_context(read_request(R"({"messages":[{"role":"tool"}]})")));
    BOOST_TEST(!tools_in_context(read_request("no JSON")));
}

BOOST_AUTO_TEST_CASE(names_are_bounded_in_length_and_number) {
    const auto named = [](const std::string& name) {
        return R"({"function":{"name":")" + name + R"("}})";
    };
    const std::string longest(proxy::limits::name_bytes_max, 'x');
    const std::string two = "{\"tools\":[" + named(longest) + "," + named(longest + "x") + "]}";
    BOOST_TEST(read_request(two).tool_names == std::vector<std::string>{longest});
    std::string many = "{\"tools\":[" + named("a");
    for (std::size_t i = 0; i <= proxy::limits::tool_names_max; ++i) {
        many += "," + named("f" + std::to_string(i));
    }
    BOOST_TEST(read_request(many + "]}").tool_names.size() == proxy::limits::tool_names_max);
}

BOOST_AUTO_TEST_CASE(a_large_body_takes_linear_time) {
    std::string body = R"({"messages":[)";
    while (body.size() < std::size_t{4} << 20) {
        body += R"({"role":"assistant","tool_calls":[{"function":{"name":"f"}}],"content":"x"},)";
    }
    body += R"({"role":"user"}]})";
    const request_view request = read_request(body);
    BOOST_TEST(request.correctable);
    BOOST_TEST(request.tool_names.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
