// Maps with arrows, attributes between tokens, channels without their tokens.
#include "proxy/base/limits.hpp"

#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using tests::check;
using tests::check_evidence;
using tests::check_sound;
using tests::payload_setting;

const payload_setting arrows{.kind = arrow_map, .open = {"[TOOL_CALL]"}, .close = {"[/TOOL_CALL]"}};
const payload_setting kimi{.kind = attr_tokens,
                           .cls = format_class::sentinel,
                           .open = {"<|open|>call tool="},
                           .close = {"<|close|>call<|sep|>"}};
const payload_setting channels{
    .kind = channel_text, .cls = format_class::shaped, .open = {"analysis", "assistantfinal"}};

const std::string argument = R"(<|open|>argument key="a" type="string"<|sep|>)";
const std::string argument_end = "<|close|>argument<|sep|>";

} // namespace

BOOST_AUTO_TEST_SUITE(payload_tokens)

BOOST_AUTO_TEST_CASE(a_map_with_arrows_ends_with_its_brace) {
    const std::string_view open = "[TOOL_CALL]";
    check(arrows,
          {
              {"pairs", open, "{tool => \"f\", args => {a => \"b\", c => 2}}§[/TOOL_CALL]",
               complete, "f"},
              {"over lines", open, "\n{ tool => \"f\",\n  args => {\n    --a \"b\"\n  }\n}§\n",
               complete, "f"},
              {"flags", open, "{tool => 'f', args => {--command echo it's}}§ x", complete, "f"},
              {"JSON", open, "{tool => \"f\", args => {\"a\": \"}\\\"}\"}}§", complete, "f"},
              {"a closer in a string", open, "{name => \"f\", args => {a => \"[/TOOL_CALL]\"}}§x",
               complete, "f"},
              {"no arguments", open, "{tool=>\"f\"}§", complete, "f"},
              {"a brace is missing", open, "{tool => \"f\", args => {a => 1}§[/TOOL_CALL]",
               complete, "f"},
              {"cut", open, "{tool => \"f\", args => {a => \"b", confirmed, "f"},
              {"cut in the name", open, "{tool => \"f", started},
          });
}

BOOST_AUTO_TEST_CASE(other_maps_are_no_call) {
    const std::string_view open = "[TOOL_CALL]";
    check(arrows, {
                      {"JSON", open, "{§\"name\": \"f\"}", broken},
                      {"another key", open, "{city §=> \"Oslo\"}", broken},
                      {"a placeholder", open, "{tool => \"<name>§\", args => {}}", broken},
                      {"a word for the name", open, "{tool => §f}", broken},
                      {"no arrow", open, "{tool =§ \"f\"}", broken},
                      {"a sentence", open, " §opens the block", broken},
                  });
    check_evidence(arrows, {{"behind the name", open, "{tool => \"f\"§, args => {}}"}});
    check_sound(arrows, open, "{tool => \"f\", args => " + std::string(200, '{'));
    check_sound(arrows, open, "{" + std::string(500, 't'));
}

BOOST_AUTO_TEST_CASE(attributes_name_the_call_and_its_arguments) {
    const std::string_view open = "<|open|>call tool=";
    const std::string head = "\"f\" index=\"1\"<|sep|>";
    const std::string one = head + argument + "x" + argument_end;
    const std::string rest = "§<|close|>call<|sep|>";
    const std::string tags =
        head + argument + "</a> &lt; <|close|> {\"b\": 1}" + argument_end + rest;
    const std::string two = one + "\n" + argument + argument_end + rest;
    const std::string none = head + rest;
    const std::string text = one + "§ Done.";
    const std::string next = one + "§<|open|>call tool=\"g\"<|sep|>";
    const std::string open_argument = head + argument + "x" + rest;
    const std::string cut = head + argument + "x";
    const std::string start = "<|close|>arg" + argument_end;
    const std::string doubled = head + argument + start + rest;
    check(kimi, {
                    {"one argument", open, one + rest, complete, "f"},
                    {"two arguments", open, two, complete, "f"},
                    {"no argument", open, none, complete, "f"},
                    {"marks in a value", open, tags, complete, "f"},
                    {"text behind", open, text, complete, "f"},
                    {"another call behind", open, next, complete, "f"},
                    {"an argument that stays open", open, open_argument, complete, "f"},
                    {"a closer that begins twice", open, doubled, complete, "f"},
                    {"cut in a value", open, cut, confirmed, "f"},
                    {"cut in the attributes", open, "\"f\" ind", started},
                });
    check(kimi, {{"the index first", "<|open|>call index=", "\"1\" tool=\"f\"<|sep|>" + rest,
                  complete, "f"}});
}

BOOST_AUTO_TEST_CASE(a_token_in_a_sentence_is_no_call) {
    const std::string_view open = "<|open|>call tool=";
    check(kimi, {
                    {"words behind the head", open, "\"f\" index=\"1\"<|sep|> §opens a call",
                     broken, "f"},
                    {"another tag behind the head", open, "\"f\"<|sep|><§b>", broken, "f"},
                    {"no attributes", open, "§, then the name", broken},
                    {"a name that is none", open, "\"...\"<|sep|§>", broken},
                    {"another token", open, "\"f\"<|§close|>", broken},
                });
    check_evidence(kimi, {{"behind the head", open, "\"f\" index=\"1\"<|sep|>§"}});
    check_sound(kimi, open, "\"" + std::string(1000, 'a'));
    check_sound(kimi, open, "\"f\"<|sep|>" + argument + std::string(3000, '<') + argument_end);
    check_sound(kimi, open, "\"f\"<|sep|>" + std::string(1000, ' ') + argument);
}

BOOST_AUTO_TEST_CASE(a_channel_without_tokens_ends_with_the_next_one) {
    check(
        channels,
        {
            {"the answer", "analysis", "We look.assistantfinal§It is.", complete},
            {"another language", "analysis", "我们看。assistantfinal§晴。", complete},
            {"a call", "analysis", "We look.§assistantcommentary to=functions.f json{}", complete},
            {"more thoughts", "analysis", "A.assistantanalysisB.assistantfinal§C", complete},
            {"no other channel", "analysis", "We look and look.", started},
            {"a sentence", "analysis", "§ of the data", broken},
            {"a longer word", "analysis", "§es show it. assistantfinalX", broken},
            {"a title", "analysis", "§: assistantfinalX", broken},
            {"only the answer's", "assistantfinal", "§It is.", complete},
            {"only the answer's, JSON", "assistantfinal", "§{\"a\": 1}", complete},
            {"named in a sentence", "assistantfinal", "§ is left", broken},
            {"a longer word again", "assistantfinal", "§ly", broken},
        });
}

BOOST_AUTO_TEST_CASE(thoughts_without_an_end_are_text) {
    tests::fed_scanner scanner(channels, "analysis");
    const std::string text = "We " + std::string(proxy::limits::candidate_bytes_max, 'x');
    scanner.feed(text);
    BOOST_TEST((scanner.state() == broken));
    BOOST_TEST(scanner.taken() < proxy::limits::candidate_bytes_max);
}

BOOST_AUTO_TEST_SUITE_END()
