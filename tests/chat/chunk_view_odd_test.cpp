// Odd chunks: each has one meaning, and both ways of reading agree on it.

#include "proxy/base/limits.hpp"
#include "proxy/json/scan.hpp"

#include "tests/chat/chunk_outline.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace std::string_literals;
using proxy::chat::chunk_view_paths;
using way = chunk_view_paths::way;

struct row {
    const char* name;
    std::string json;
    std::string outline;
};

/// What simdjson can read too.
const row plain_rows[] = {
    {"an empty object", "{}", ""},
    {"white space around it", " \t{ } \r\n", ""},
    {"one delta", R"({"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]})",
     "choices | index 0 text=hi"},
    {"all the heads",
     R"({"id":"a","object":"o","created":17,"model":"m","system_fingerprint":"f"})",
     R"(id=a id_value="a" model=m model_value="m" object=o fingerprint=f fingerprint_value="f" created=17)"},
    {"empty heads", R"({"id":"","model":"","choices":[]})",
     R"(id= id_value="" model= model_value="" choices)"},
    {"heads of wrong types",
     R"({"id":1,"object":[],"created":"x","model":{},"system_fingerprint":null,"usage":[]})", ""},
    {"members in unusual order",
     R"({"choices":[{"finish_reason":"stop","delta":{"content":"x"},"index":3}],"id":"z"})",
     R"(id=z id_value="z" choices | index 3 text=x finish=stop)"},
    {"white space everywhere",
     "{ \"choices\" : [ { \"index\" : 2 , \"delta\" : { \"content\" : \"a b\" } , "
     "\"finish_reason\" : \"stop\" } ] , \"created\" : 5 \n}",
     "created=5 choices | index 2 text=a b finish=stop"},
    {"choices null", R"({"choices":null})", ""},
    {"choices a string", R"({"choices":"content"})", ""},
    {"choices an object", R"({"choices":{"delta":{"content":"x"}}})", ""},
    {"choices empty", R"({"choices":[ ]})", "choices"},
    {"elements that are no objects", R"({"choices":[null,1,"a",[],{"index":1}]})",
     "choices | index 1"},
    {"an empty choice", R"({"choices":[{}]})", "choices | index 0"},
    {"delta null", R"({"choices":[{"index":0,"delta":null}]})", "choices | index 0"},
    {"delta a string", R"({"choices":[{"delta":"content"}]})", "choices | index 0"},
    {"delta an array", R"({"choices":[{"delta":[{"content":"x"}]}]})", "choices | index 0"},
    {"delta empty", R"({"choices":[{"delta":{},"finish_reason":"stop"}]})",
     "choices | index 0 finish=stop"},
    {"content null", R"({"choices":[{"delta":{"content":null}}]})", "choices | index 0"},
    {"content empty", R"({"choices":[{"delta":{"content":""}}]})", "choices | index 0 text="},
    {"content a list of parts",
     R"({"choices":[{"delta":{"content":[{"type":"text","text":"x"}]}}]})", "choices | index 0"},
    {"content a number", R"({"choices":[{"delta":{"content":1}}]})", "choices | index 0"},
    {"content an object", R"({"choices":[{"delta":{"content":{"content":"x"}}}]})",
     "choices | index 0"},
    {"content with escapes", R"({"choices":[{"delta":{"content":"a\"}]\\\u0041"}}]})",
     R"(choices | index 0 text=a\"}]\\\u0041)"},
    {"content with brackets in it", R"({"choices":[{"delta":{"content":"{[}]:,"}}]})",
     "choices | index 0 text={[}]:,"},
    {"a lone surrogate", R"({"choices":[{"delta":{"content":"a\ud83d"}}]})",
     R"(choices | index 0 text=a\ud83d)"},
    {"a broken escape", R"({"choices":[{"delta":{"content":"a\q\u12"}}]})",
     R"(choices | index 0 text=a\q\u12)"},
    {"content that ends in a backslash", R"({"choices":[{"delta":{"content":"a\\"}}]})",
     R"(choices | index 0 text=a\\)"},
    {"content in a wrong place", R"({"content":"a","choices":[{"content":"b","delta":{}}]})",
     "choices | index 0"},
    {"an escaped key", R"({"ch\u006fices":[{"d\u0065lta":{"cont\u0065nt":"x"}}]})",
     "choices | index 0 text=x"},
    {"a key that only looks escaped", R"({"choices":[{"delta":{"cont\\u0065nt":"x"}}]})",
     "choices | index 0"},
    {"a key with an escaped quote", R"({"choices":[{"delta":{"content\"":"x","\"":"y"}}]})",
     "choices | index 0"},
    {"a key that ends in a backslash", R"({"choices":[{"delta":{"content\\":"x"}}]})",
     "choices | index 0"},
    {"an empty key", R"({"":1,"choices":[{"":{},"delta":{"":"x","content":"y"}}]})",
     "choices | index 0 text=y"},
    {"keys that begin alike", R"({"choices":[{"delta":{"contents":"x","conten":"y"}}]})",
     "choices | index 0"},
    {"keys of other case", R"({"Choices":[],"ID":"x"})", ""},
    {"content twice", R"({"choices":[{"delta":{"content":"a","content":"b"}}]})",
     "choices | index 0 text=b copy=a"},
    {"content three times, once escaped",
     R"({"choices":[{"delta":{"content":"a","c\u006fntent":"b","content":"c"}}]})",
     "choices | index 0 text=c copy=a copy=b"},
    {"content, then null", R"({"choices":[{"delta":{"content":"a","content":null}}]})",
     "choices | index 0 copy=a"},
    {"null, then content", R"({"choices":[{"delta":{"content":null,"content":"a"}}]})",
     "choices | index 0 text=a"},
    {"delta twice",
     R"({"choices":[{"delta":{"role":"assistant","content":"a","tool_calls":[{}]},"delta":{"content":"b"}}]})",
     "choices | index 0 text=b copy=a"},
    {"delta, then null", R"({"choices":[{"delta":{"content":"a","refusal":"r"},"delta":null}]})",
     "choices | index 0 copy=a"},
    {"choices twice",
     R"({"choices":[{"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}],"choices":[{"delta":{"content":"c"}}]})",
     "choices | index 0 text=c copy=a copy=b"},
    {"choices, then an empty list", R"({"choices":[{"delta":{"content":"a"}}],"choices":[]})",
     "choices"},
    {"index twice", R"({"choices":[{"index":1,"index":2}]})", "choices | index 2"},
    {"id twice", R"({"id":"a","id":"b"})", R"(id=b id_value="b")"},
    {"id, then a number", R"({"id":"a","id":1})", ""},
    {"finish_reason twice", R"({"choices":[{"finish_reason":"stop","finish_reason":null}]})",
     "choices | index 0"},
    {"index missing", R"({"choices":[{"delta":{"content":"x"}}]})", "choices | index 0 text=x"},
    {"index negative", R"({"choices":[{"index":-1}]})", "choices | index 0"},
    {"index a fraction", R"({"choices":[{"index":1.5}]})", "choices | index 0"},
    {"index a string", R"({"choices":[{"index":"1"}]})", "choices | index 0"},
    {"index beyond 32 bits", R"({"choices":[{"index":4294967296}]})", "choices | index 0"},
    {"index the largest", R"({"choices":[{"index":4294967295}]})", "choices | index 4294967295"},
    {"several choices in any order",
     R"({"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]})",
     "choices | index 1 text=b | index 0 text=a"},
    {"two choices of one index",
     R"({"choices":[{"index":0,"delta":{"content":"a"}},{"index":0,"delta":{"content":"b"}}]})",
     "choices | index 0 text=a | index 0 text=b"},
    {"legacy text", R"({"object":"text_completion","choices":[{"index":0,"text":"hi"}]})",
     "object=text_completion choices | index 0 text=hi"},
    {"legacy text twice", R"({"choices":[{"text":"a","text":"b"}]})",
     "choices | index 0 text=b copy=a"},
    {"legacy text null", R"({"choices":[{"text":null,"finish_reason":"stop"}]})",
     "choices | index 0 finish=stop"},
    {"text beside delta, in front", R"({"choices":[{"text":"a","delta":{"content":"b"}}]})",
     "choices | index 0 text=b"},
    {"text beside delta, behind", R"({"choices":[{"delta":{"content":"b"},"text":"a"}]})",
     "choices | index 0 text=b"},
    {"text beside delta null", R"({"choices":[{"delta":null,"text":"a"}]})",
     "choices | index 0 text=a"},
    {"a whole message", R"({"choices":[{"message":{"role":"assistant","content":"a"}}]})",
     R"(choices | index 0 text=a role member="role":"assistant")"},
    {"message beside delta",
     R"({"choices":[{"message":{"content":"a","refusal":"r"},"delta":{"content":"b"}}]})",
     "choices | index 0 text=b"},
    {"delta beside message", R"({"choices":[{"delta":{"content":"b"},"message":{"content":"a"}}]})",
     "choices | index 0 text=b"},
    {"message beside delta null", R"({"choices":[{"message":{"content":"a"},"delta":null}]})",
     "choices | index 0 text=a"},
    {"role", R"({"choices":[{"delta":{"content":"","role" : "assistant" }}]})",
     R"(choices | index 0 text= role member="role" : "assistant")"},
    {"role null", R"({"choices":[{"delta":{"role":null}}]})",
     R"(choices | index 0 role member="role":null)"},
    {"role an object", R"({"choices":[{"delta":{"role":{"a":[1]},"content":"x"}}]})",
     "choices | index 0 text=x role"},
    {"reasoning_content", R"({"choices":[{"delta":{"reasoning_content":"r"}}]})",
     "choices | index 0 reasoning=r"},
    {"reasoning", R"({"choices":[{"delta":{"reasoning":"r","content":null}}]})",
     "choices | index 0 reasoning=r"},
    {"both kinds of reasoning",
     R"({"choices":[{"delta":{"reasoning":"a","reasoning_content":"b"}}]})",
     "choices | index 0 reasoning=b"},
    {"reasoning_content null beside reasoning",
     R"({"choices":[{"delta":{"reasoning_content":null,"reasoning":"a"}}]})",
     "choices | index 0 reasoning=a"},
    {"tool_calls", R"({"choices":[{"delta":{"tool_calls":[{"index":0}]}}]})",
     "choices | index 0 call"},
    {"tool_calls empty", R"({"choices":[{"delta":{"tool_calls":[ ]}}]})", "choices | index 0"},
    {"tool_calls null", R"({"choices":[{"delta":{"tool_calls":null}}]})", "choices | index 0"},
    {"tool_calls an object", R"({"choices":[{"delta":{"tool_calls":{"a":1}}}]})",
     "choices | index 0"},
    {"tool_calls, then none", R"({"choices":[{"delta":{"tool_calls":[1],"tool_calls":[]}}]})",
     "choices | index 0"},
    {"function_call", R"({"choices":[{"delta":{"function_call":{"name":"f"}}}]})",
     "choices | index 0 call"},
    {"function_call null", R"({"choices":[{"delta":{"function_call":null}}]})",
     "choices | index 0"},
    {"a call with markup in its arguments",
     R"({"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"\"content\":\"x\""}}]}}]})",
     "choices | index 0 call"},
    {"refusal", R"({"choices":[{"delta":{"refusal":"no"}}]})", "choices | index 0 refusal"},
    {"refusal empty", R"({"choices":[{"delta":{"refusal":""}}]})", "choices | index 0"},
    {"refusal null", R"({"choices":[{"delta":{"refusal":null}}]})", "choices | index 0"},
    {"audio", R"({"choices":[{"delta":{"audio":{"id":"x"}}}]})", "choices | index 0 audio"},
    {"audio null", R"({"choices":[{"delta":{"audio":null}}]})", "choices | index 0"},
    {"logprobs", R"({"choices":[{"logprobs":{"content":[{"token":"x"}]}}]})",
     "choices | index 0 logprobs"},
    {"logprobs null", R"({"choices":[{"logprobs":null , "token_ids":null}]})", "choices | index 0"},
    {"token_ids", R"({"choices":[{"token_ids":[1,2]}]})", "choices | index 0 token_ids"},
    {"usage", R"({"choices":[],"usage":{"prompt_tokens":1,"d":{"x":[1]}} })",
     R"(usage={"prompt_tokens":1,"d":{"x":[1]}} choices)"},
    {"usage null", R"({"usage":null})", ""},
    {"usage, then null", R"({"usage":{"a":1},"usage":null})", ""},
    {"usage of white space", "{\"usage\": { \"a\" : 1 } \n , \"id\":\"x\"}",
     R"(id=x id_value="x" usage={ "a" : 1 })"},
    {"an error object", R"({"error":{"message":"x"} ,"id":null})",
     R"(error={"message":"x"} object_error)"},
    {"an error string", R"({"error":"x" })", R"(error="x")"},
    {"an error number", R"({"error":500})", "error=500"},
    {"an error of true", R"({"error":true})", "error=true"},
    {"an error list", R"({"error":[0]})", "error=[0]"},
    {"errors that are none", R"({"error":null})", ""},
    {"error false", R"({"error":false})", ""},
    {"error zero", R"({"error":0})", ""},
    {"error zero with a point", R"({"error":-0.00e5})", ""},
    {"error a small number", R"({"error":0.01})", "error=0.01"},
    {"error empty", R"({"error":""})", ""},
    {"error an empty object", R"({"error":{ }})", ""},
    {"error an empty list", R"({"error":[]})", ""},
    {"error, then null", R"({"error":{"a":1},"error":null})", ""},
    {"the old error form", R"({"object":"error","message":"x","type":"t"})",
     "object=error old_error"},
    {"the old error form, escaped", R"({"message":"x","object":"err\u006fr"})",
     R"(object=err\u006fr old_error)"},
    {"the old error form without message", R"({"object":"error","message":null})", "object=error"},
    {"a message alone", R"({"message":"x"})", ""},
    {"numbers that no double holds",
     R"({"created":1e400,"x":123456789012345678901234567890,"y":-0.0,"choices":[]})",
     "created=1e400 choices"},
    {"created a negative fraction", R"({"created":-1.5})", "created=-1.5"},
    {"an extra member of every kind",
     R"({"a":{"choices":[{"delta":{"content":"no"}}]},"b":[[{}],{"id":"no"}],"c":"\"id\":","d":true,"id":"yes"})",
     R"(id=yes id_value="yes")"},
    {"Azure's first chunk",
     R"({"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}]})",
     R"(id= id_value="" model= model_value="" object= created=0 choices)"},
    {"a raw DEL and UTF-8", "{\"choices\":[{\"delta\":{\"content\":\"\x7F\xE2\x96\x81\"}}]}",
     "choices | index 0 text=\x7F\xE2\x96\x81"},
};

/// What simdjson refuses for its characters: only the byte scan reads these.
const row scan_rows[] = {
    {"a cut UTF-8 character", "{\"choices\":[{\"delta\":{\"content\":\"<tool\xE2\x96\"}}]}",
     "choices | index 0 text=<tool\xE2\x96"},
    {"a stray continuation byte", "{\"choices\":[{\"delta\":{\"content\":\"\x96z\"}}]}",
     "choices | index 0 text=\x96z"},
    {"an encoded surrogate", "{\"choices\":[{\"delta\":{\"content\":\"\xED\xA0\xBD\"}}]}",
     "choices | index 0 text=\xED\xA0\xBD"},
    {"an overlong slash", "{\"choices\":[{\"delta\":{\"content\":\"\xC0\xAF\"}}]}",
     "choices | index 0 text=\xC0\xAF"},
    {"invalid bytes elsewhere", "{\"id\":\"\xFF\",\"choices\":[{\"delta\":{\"content\":\"x\"}}]}",
     "id=\xFF id_value=\"\xFF\" choices | index 0 text=x"},
    {"invalid bytes in a key", "{\"\xFF\":1,\"choices\":[{\"delta\":{\"content\":\"x\"}}]}",
     "choices | index 0 text=x"},
    {"a raw line end in the text", "{\"choices\":[{\"delta\":{\"content\":\"a\nb\"}}]}",
     "choices | index 0 text=a\nb"},
    {"a raw NUL in the text", "{\"choices\":[{\"delta\":{\"content\":\"a\0b\"}}]}"s,
     "choices | index 0 text=a\0b"s},
    {"a raw tab, and a member behind it",
     "{\"choices\":[{\"delta\":{\"content\":\"\t\"},\"finish_reason\":\"stop\"}]}",
     "choices | index 0 text=\t finish=stop"},
};

const char* const no_chunks[] = {
    "",
    " ",
    "[DONE]",
    "null",
    "true",
    "1",
    "\"a\"",
    "[]",
    "[{}]",
    "{",
    "}",
    "{]",
    "data",
    "{}}",
    "{}{}",
    "{} x",
    "{} []",
    "{},",
    R"({"id":"a"} {"id":"b"})",
    R"({"id":"a")",
    R"({"id":"a)",
    R"({"id":"a",})",
    R"({"id" "a"})",
    R"({"id":})",
    R"({"id"})",
    R"({id:"a"})",
    R"({"choices":[{])",
    R"({"choices":[{"delta":{"content":"a"}})",
    R"({"choices":[{"delta":{"content":"a}}]})",
    R"({"choices":[{"delta":{"content":"a"}}])",
    R"({"choices":[{"delta":{"content":"a" "b"}}]})",
    R"({"choices":[{"delta":{"content" "a"}}]})",
    R"({"choices":[{} {}]})",
    "\xEF\xBB\xBF{}",
    "{\"id\":\"\xFF\"",
    "{'id':'a'}",
    "data: {}",
};

void check(const row& r, way how, const char* name) {
    BOOST_TEST_CONTEXT(r.name << ", " << name) {
        BOOST_TEST(chunk_view_paths::outline(how, r.json) == r.outline);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(chunk_view_odd)

BOOST_AUTO_TEST_CASE(each_odd_chunk_has_one_meaning_both_ways) {
    for (const row& r : plain_rows) {
        check(r, way::parse, "parse");
        check(r, way::fast, "simdjson");
        check(r, way::scan, "byte scan");
    }
}

BOOST_AUTO_TEST_CASE(broken_characters_are_left_to_the_byte_scan) {
    for (const row& r : scan_rows) {
        check(r, way::parse, "parse");
        check(r, way::scan, "byte scan");
        BOOST_TEST_CONTEXT(r.name) {
            BOOST_TEST(chunk_view_paths::outline(way::fast, r.json) == "no");
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_object_is_refused) {
    for (const std::string_view text : no_chunks) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(chunk_view_paths::outline(way::parse, text) == "no");
            BOOST_TEST(chunk_view_paths::outline(way::scan, text) == "no");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_refused_chunk_leaves_nothing_behind) {
    std::string text =
        R"({"id":"a","choices":[{"delta":{"content":"x"}}],"usage":{"a":1}} trailing)";
    const std::size_t size = text.size();
    text.append(proxy::limits::json_padding, ' ');
    proxy::chat::chunk_view view;
    BOOST_TEST(!view.parse(std::string_view(text).substr(0, size)));
    BOOST_TEST(tests::outline(view).empty());
    BOOST_TEST(view.choices_count() == 0U);
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_chunk_is_refused) {
    for (const row& r : plain_rows) {
        const std::string_view whole = proxy::json::read_value(r.json)->raw;
        for (std::size_t size = 0; size < whole.size(); ++size) {
            BOOST_TEST_CONTEXT(r.name << " cut behind " << size) {
                BOOST_TEST(chunk_view_paths::outline(way::parse, whole.substr(0, size)) == "no");
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
