// Gemma's maps with their own quotes.
#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using tests::check;
using tests::payload_setting;

const payload_setting gemma{.kind = gemma_map, .cls = format_class::sentinel};
const payload_setting tagged{.kind = gemma_map};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_gemma)

BOOST_AUTO_TEST_CASE(a_map_ends_at_its_brace) {
    check(
        gemma,
        {
            {"strings and numbers", "<|tool_call>",
             R"(call:f{city:<|"|>Paris<|"|>,days:2}§<tool_call|>)", complete, "f"},
            {"empty", "<|tool_call>", "call:f{}§<tool_call|>", complete, "f"},
            {"text glued behind", "<|tool_call>", "call:f{}§Done.", complete, "f"},
            {"escape as quote", "<start_function_call>",
             "call:f{tz:<escape>Asia/Tokyo<escape>}§<end_function_call>", complete, "f"},
            {"word in the opener", "<|tool_call>call:", "f{a:1}§", complete, "f"},
            {"nested", "<|tool_call>", R"(call:f{a:{b:[1,{c:<|"|>x<|"|>}],d:null},e:true}§)",
             complete, "f"},
            {"white space", "<|tool_call>", "\ncall:f{ a : 1 , b : [ 1 , 2 ] }§\n", complete, "f"},
            {"bare words", "<|tool_call>", "call:f{city:New York,n:-1.5}§", complete, "f"},
            {"bare words in another script", "<|tool_call>", "call:f{city:北京}§", complete, "f"},
            {"quoted keys", "<|tool_call>", R"(call:f{<|"|>a<|"|>:1,"b":2}§)", complete, "f"},
            {"ordinary quotes", "<|tool_call>", R"(call:f{a:"x \" }",b:'y'}§)", complete, "f"},
            {"braces in a string", "<|tool_call>",
             R"(call:f{a:<|"|>}{ "x" <|" <tool_call|><|"|>}§)", complete, "f"},
            {"trailing comma", "<|tool_call>", "call:f{a:1,}§", complete, "f"},
            {"empty string", "<|tool_call>", R"(call:f{a:<|"|><|"|>}§)", complete, "f"},
            {"dotted name", "<|tool_call>", "call:ns.f{a:1}§", complete, "ns.f"},
            {"brace missing", "<|tool_call>", R"(call:f{a:<|"|>x<|"|>§<tool_call|>)", complete,
             "f"},
            {"brace missing behind a number", "<|tool_call>", "call:f{a:1§<tool_call|>", complete,
             "f"},
        });
}

BOOST_AUTO_TEST_CASE(what_is_no_map_is_refuted) {
    check(gemma, {
                     {"prose", "<|tool_call>", " opens§ a call", broken},
                     {"template", "<|tool_call>", "call:f{§...}", broken},
                     {"placeholder", "<|tool_call>", "call:f{<§args>}", broken},
                     {"placeholder value", "<|tool_call>", "call:f{a:<§value>}", broken},
                     {"no name", "<|tool_call>", "call:§{}", broken},
                     {"words for keys", "<|tool_call>", "call:f{the §args}", broken},
                     {"wrong bracket", "<|tool_call>", "call:f{a:[1§}}", broken},
                     {"json", "<|tool_call>", "§{\"name\": \"f\"}", broken},
                     {"text behind a string", "<|tool_call>", R"(call:f{a:<|"|>x<|"|>§y})", broken},
                 });
    const std::string deep = "call:f" + std::string(1, '{') + "a:" + std::string(64, '[');
    check(gemma, {{"too deep", "<|tool_call>", deep, broken}});
}

BOOST_AUTO_TEST_CASE(a_cut_map_is_a_call) {
    check(gemma, {
                     {"in a string", "<|tool_call>", R"(call:f{a:<|"|>Par)", confirmed, "f"},
                     {"in a quote", "<|tool_call>", R"(call:f{a:<|)", confirmed, "f"},
                     {"in a name", "<|tool_call>", "call:get_", started},
                 });
    check_evidence(gemma, {{"brace", "<|tool_call>", "call:f{§a:1}"}});
    check_evidence(tagged, {
                               {"key", "<call>", "call:f{a:§1}"},
                               {"quoted key", "<call>", "call:f{\"a\":§1}"},
                               {"closed", "<call>", "call:f{}§x"},
                           });
}

BOOST_AUTO_TEST_SUITE_END()
