// Calls that begin with the bare name: separators and JSON, or key and value tags.
#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using tests::check;
using tests::payload_setting;

const payload_setting mistral{.kind = name_sep_json, .separators = {"[CALL_ID]", "[ARGS]"}};
const payload_setting deepseek{.kind = name_sep_json,
                               .cls = format_class::sentinel,
                               .separators = {"<｜tool▁sep｜>"},
                               .open = {"<｜tool▁call▁begin｜>", "<｜tool▁calls▁begin｜>"},
                               .close = {"<｜tool▁call▁end｜>"}};
const payload_setting kimi{.kind = name_sep_json,
                           .cls = format_class::sentinel,
                           .separators = {"<|tool_call_argument_begin|>"},
                           .open = {"<|tool_call_begin|>"}};
const payload_setting qwen_agent{
    .kind = name_sep_json, .cls = format_class::sentinel, .separators = {"✿ARGS✿:"}};
const payload_setting glm{.kind = name_kv};
const payload_setting solar{
    .kind = name_kv,
    .cls = format_class::sentinel,
    .separators = {"<|tool_arg:start|>", "<|tool_arg:value|>", "<|tool_arg:end|>"}};
const payload_setting hunyuan{.kind = name_kv, .cls = format_class::sentinel};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_named)

BOOST_AUTO_TEST_CASE(mistral_has_four_forms) {
    check(mistral,
          {
              {"args", "[TOOL_CALLS]", "f[ARGS]{\"a\": \"b\"}§ text", complete, "f"},
              {"call id", "[TOOL_CALLS]", "f[CALL_ID]a1b2c3d4e[ARGS]{\"a\": 1}§", complete, "f"},
              {"name and object", "[TOOL_CALLS]", "f{\"a\": 1}§", complete, "f"},
              {"spaces", "[TOOL_CALLS]", " f [ARGS] {\"a\": 1}§", complete, "f"},
              {"array", "[TOOL_CALLS]", " [{\"name\": \"f\", \"arguments\": {}}]§\n\nI will",
               complete, "f"},
              {"array of two", "[TOOL_CALLS]",
               "[{\"name\": \"f\", \"arguments\": {}, \"id\": \"9\"}, {\"name\": \"g\"}]§",
               complete, "f"},
              {"array over lines", "[TOOL_CALLS]", "[\n {\"name\": \"f\"}\n]§", complete, "f"},
              {"object", "[TOOL_CALLS]", "{\"name\": \"f\", \"arguments\": {}}§", complete, "f"},
              {"another group behind", "[TOOL_CALLS]", "f[ARGS]{}§[TOOL_CALLS]g[ARGS]{}", complete,
               "f"},
              {"text glued behind", "[TOOL_CALLS]", "f[ARGS]{}§High water", complete, "f"},
              {"separator in a string", "[TOOL_CALLS]", "f[ARGS]{\"a\": \"}[ARGS]{\"}§", complete,
               "f"},
              {"brace missing", "[TOOL_CALLS]", "f[ARGS]{\"a\": 1§</s>", complete, "f"},
              {"cut behind the separator", "[TOOL_CALLS]", "f[ARGS]", confirmed, "f"},
              {"cut in the object", "[TOOL_CALLS]", "f[ARGS]{\"a", confirmed, "f"},
              {"cut in the separator", "[TOOL_CALLS]", "f[AR", started, "f"},
              {"undeclared name alone", "[TOOL_CALLS]", "f", started, "f"},
              {"declared name alone", "[TOOL_CALLS]", "get_time§\n", complete, "get_time"},
              {"declared name in a sentence", "[TOOL_CALLS]", " get_time", started},
          });
}

BOOST_AUTO_TEST_CASE(mistral_in_prose_is_refuted) {
    check(mistral, {
                       {"sentence", "[TOOL_CALLS]", " section §of the manual.", broken},
                       {"table", "[TOOL_CALLS]", " §| x |", broken},
                       {"list", "[TOOL_CALLS]", "\n§- <|python_tag|>", broken},
                       {"bracket", "[TOOL_CALLS]", " marker [§see docs]", broken},
                       {"full stop", "[TOOL_CALLS]", "§. Then", broken},
                       {"template", "[TOOL_CALLS]", "name[ARGS]{§...}", broken},
                       {"template object", "[TOOL_CALLS]", "name{§args}", broken},
                       {"backtick", "[TOOL_CALLS]", "`§ is", broken},
                       {"footnote", "[TOOL_CALLS]", "[§1]", broken},
                   });
    check_evidence(mistral, {
                                {"separator", "[TOOL_CALLS]", "f[ARGS]§{}"},
                                {"id", "[TOOL_CALLS]", "f[CALL_ID]§x[ARGS]{}"},
                                {"object", "[TOOL_CALLS]", "f{§\"a\": 1}"},
                                {"array", "[TOOL_CALLS]", "[{\"name\":§ \"f\"}]"},
                            });
}

BOOST_AUTO_TEST_CASE(deepseek_fences_its_json) {
    check(
        deepseek,
        {
            {"v3", "<｜tool▁call▁begin｜>",
             "function<｜tool▁sep｜>f\n```json\n{\"city\": \"Hangzhou\"}\n```§<｜tool▁call▁end｜>",
             complete, "f"},
            {"v3 from the section on", "<｜tool▁calls▁begin｜>",
             "<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{}\n```§<｜tool▁call▁end｜>",
             complete, "f"},
            {"v3.1", "<｜tool▁call▁begin｜>",
             "f<｜tool▁sep｜>{\"city\": \"杭州\"}§<｜tool▁call▁end｜>", complete, "f"},
            {"low lines", "<｜tool▁call▁begin｜>", "function<｜tool_sep｜>f\n```json\n{}\n```§",
             complete, "f"},
            {"spaces", "<｜tool▁call▁begin｜>", "function<｜tool sep｜>f\n```json\n{}\n```§",
             complete, "f"},
            {"escaped low lines", "<｜tool▁call▁begin｜>",
             "function<｜tool\\_sep｜>f\n```json\n{}\n```§", complete, "f"},
            {"ascii bars", "<｜tool▁call▁begin｜>", "f<|tool_sep|>{}§", complete, "f"},
            {"name in brackets", "<｜tool▁call▁begin｜>", "function<f>\n```json\n{}\n```§",
             complete, "f"},
            {"separator missing", "<｜tool▁call▁begin｜>", "f\n```json\n{\"a\": 1}\n```§", complete,
             "f"},
            {"fence unclosed", "<｜tool▁call▁begin｜>",
             "f<｜tool▁sep｜>\n```json\n{\"a\": 1}§\n<｜tool▁call▁end｜>", complete, "f"},
            {"fence in a string", "<｜tool▁call▁begin｜>",
             "f<｜tool▁sep｜>```json\n{\"a\": \"\\n```\"}\n```§", complete, "f"},
            {"step 3", "<｜tool_call_begin｜>",
             "function<｜tool_sep｜><steptml:invoke name=\"f\"><steptml:parameter "
             "name=\"a\">1</steptml:parameter></steptml:invoke>§<｜tool_call_end｜>",
             complete, "f"},
            {"no arguments", "<｜tool▁call▁begin｜>", "get_time§<｜tool▁call▁end｜>", complete,
             "get_time"},
            {"prose", "<｜tool▁calls▁begin｜>", " §这样的标记，客户端不应该看到它。", broken},
            {"cut behind the separator", "<｜tool▁call▁begin｜>", "function<｜tool▁sep｜>f",
             confirmed, "f"},
            {"cut in the fence", "<｜tool▁call▁begin｜>", "f<｜tool▁sep｜>\n```js", confirmed, "f"},
            {"zero-width space", "<｜tool▁call▁begin｜>", "f<\u200B｜tool▁sep｜>{}", broken},
        });
    check_evidence(deepseek, {{"separator", "<｜tool▁call▁begin｜>", "f<｜tool▁sep｜>§{}"}});
}

BOOST_AUTO_TEST_CASE(kimi_takes_any_id) {
    check(kimi,
          {
              {"id", "<|tool_call_begin|>",
               "functions.f:0<|tool_call_argument_begin|>{\"a\": 1}§<|tool_call_end|>", complete,
               "f"},
              {"no prefix", "<|tool_call_begin|>", "f:12<|tool_call_argument_begin|>{}§", complete,
               "f"},
              {"other id", "<|tool_call_begin|>",
               "call_7<|tool_call_argument_begin|>{\"command\": \"probe\"}§", complete, "call_7"},
              {"spaces", "<|tool_call_begin|>",
               " functions.f:0 <|tool_call_argument_begin|> {}§ <|tool_call_end|>", complete, "f"},
              {"from the section on", "<|tool_calls_section_begin|>",
               "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}§", complete, "f"},
              {"marker missing", "<|tool_call_begin|>", "functions.f:0{\"a\": 1}§", complete, "f"},
              {"cut", "<|tool_call_begin|>", "functions.f:0<|tool_call_argument_begin|>", confirmed,
               "f"},
              {"prose", "<|tool_calls_section_begin|>", " to §start a section", broken},
              {"the other marker", "<|tool_call_begin|>", "f<|tool_call_argument_bogus|>", broken},
          });
    check(qwen_agent,
          {
              {"function", "✿FUNCTION✿:", " get_weather\n✿ARGS✿: {\"city\": \"北京\"}§\n✿RESULT✿",
               complete, "get_weather"},
              {"other flower", "✿FUNCTION✿:", " get_weather\n✿§ is", broken},
          });
}

BOOST_AUTO_TEST_CASE(glm_pairs_keys_and_values) {
    check(glm,
          {
              {"lines", "<tool_call>",
               "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n<arg_key>b</"
               "arg_key>\n<arg_value>2</arg_value>§\n</tool_call>",
               complete, "f"},
              {"one line", "<tool_call>",
               "f<arg_key>a</arg_key><arg_value>1</arg_value>§</tool_call>", complete, "f"},
              {"white space before the name", "<tool_call>",
               "\nf\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§\n</tool_call>", complete, "f"},
              {"unclosed, text", "<tool_call>",
               "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§\nDone", complete, "f"},
              {"unclosed, end", "<tool_call>", "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§",
               complete, "f"},
              {"unclosed, html", "<tool_call>",
               "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§\n<b>", complete, "f"},
              {"cut closer", "<tool_call>",
               "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§</tool_cal", complete, "f"},
              {"tags in a value", "<tool_call>",
               "f<arg_key>a</arg_key><arg_value><b>x</b> </tool_call> "
               "<arg_key></arg_value>§</tool_call>",
               complete, "f"},
              {"empty value", "<tool_call>",
               "f<arg_key>a</arg_key><arg_value></arg_value>§</tool_call>", complete, "f"},
              {"json", "<tool_call>", "f\n{\"a\": 1}§\n</tool_call>", complete, "f"},
              {"declared, no arguments", "<tool_call>", "get_time§</tool_call>", complete,
               "get_time"},
              {"declared, no arguments, lines", "<tool_call>", "\nget_time§\n</tool_call>",
               complete, "get_time"},
              {"declared, at the end", "<tool_call>", "get_time", complete, "get_time"},
              {"undeclared, no arguments", "<tool_call>", "frobnicate<§/tool_call>", broken},
              {"call in parentheses", "<tool_call>", "f(a=\"1\")§</tool_call>", complete, "f"},
              {"value cut", "<tool_call>", "f<arg_key>a</arg_key><arg_value>hot", confirmed, "f"},
              {"key cut", "<tool_call>", "f<arg_key>a", confirmed, "f"},
              {"tag cut", "<tool_call>", "f\n<arg_k", started, "f"},
              {"prose", "<tool_call>", " aus§, danach folgt JSON.", broken},
              {"prose with spaces", "<tool_call>", " is §the marker", broken},
              {"dots", "<tool_call>", "§...</tool_call>", broken},
              {"value without key", "<tool_call>", "f<arg_value>1</arg_value>§</tool_call>",
               complete, "f"},
          });
    check_evidence(
        glm, {{"key tag", "<tool_call>", "f\n<arg_key>§a</arg_key><arg_value>1</arg_value>"}});
}

BOOST_AUTO_TEST_CASE(prefixes_and_labels_change_nothing) {
    check(glm, {
                   {"longcat", "<longcat_tool_call>",
                    "f\n<longcat_arg_key>a</longcat_arg_key>\n<longcat_arg_value>1</"
                    "longcat_arg_value>§\n</longcat_tool_call>",
                    complete, "f"},
               });
    check(hunyuan,
          {
              {"separator", "<tool_call>",
               "f<tool_sep>\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>§\n</tool_call>",
               complete, "f"},
              {"label", "<tool_call:6124c78e>",
               "f<tool_sep:6124c78e><arg_key:6124c78e>a</arg_key:6124c78e><arg_value:6124c78e>1</"
               "arg_value:6124c78e>§</tool_call:6124c78e>",
               complete, "f"},
              {"json", "<tool_call>", "f<tool_sep>{\"a\": 1}§</tool_call>", complete, "f"},
          });
    check(solar, {
                     {"pairs", "<|tool_call:start|>",
                      "f\n<|tool_arg:start|>a<|tool_arg:value|>Asia/"
                      "Seoul<|tool_arg:end|>§\n<|tool_call:end|>",
                      complete, "f"},
                     {"two", "<|tool_call:start|>",
                      "f\n<|tool_arg:start|>a<|tool_arg:value|>1<|tool_arg:end|>\n<|tool_arg:start|"
                      ">b<|tool_arg:value|>2<|tool_arg:end|>§",
                      complete, "f"},
                     {"cut", "<|tool_call:start|>",
                      "f\n<|tool_arg:start|>a<|tool_arg:value|>1<|tool_ar", confirmed, "f"},
                 });
}

BOOST_AUTO_TEST_CASE(names_are_bounded) {
    const std::string name(200, 'f');
    check(mistral, {{"too long", "[TOOL_CALLS]", name, broken}});
    const std::string gap = "f" + std::string(300, ' ') + "{}";
    check(mistral, {{"too far", "[TOOL_CALLS]", gap, broken}});
}

BOOST_AUTO_TEST_SUITE_END()
