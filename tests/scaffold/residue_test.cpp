// What stays when a server skips the special tokens of a call, and calls that lost a part of their
// header: what goes and what stays.
#include "proxy/base/limits.hpp"

#include "tests/scaffold/filter_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace proxy::tests {

namespace {

struct residue_case {
    std::string_view name;
    std::string raw;
    std::string clean;
};

void check(const std::vector<residue_case>& cases) {
    for (const auto& row : cases) {
        const auto got = run_at_all_cuts(context_of(true), row.raw);
        BOOST_TEST(visible(got.clean) == row.clean,
                   row.name << ": got '" << got.clean << "' for '" << row.raw << "'");
        const auto without = run_at_all_cuts(context_of(false), row.raw);
        const bool shaped = row.raw.find_first_of("<\xE2") == std::string::npos; // no token in it
        BOOST_TEST((!shaped || without.clean == row.raw), row.name << " without tools");
    }
}

residue_case kept(std::string_view name, std::string raw) {
    return {name, raw, raw};
}

const std::string preamble = "<|channel|>commentary<|message|>";

} // namespace

BOOST_AUTO_TEST_SUITE(residue)

BOOST_AUTO_TEST_CASE(channels_of_harmony) {
    check({
        {"thoughts and an answer", "analysisWe need the tide.assistantfinalAt 06:10.", "At 06:10."},
        {"thoughts over lines", "analysisWe need it.\n\nSo: look.\nassistantfinalAt 06:10.",
         "At 06:10."},
        {"thoughts in another language", "analysis先看看。assistantfinal六点十分。", "六点十分。"},
        {"the answer is JSON", "analysisA.assistantfinal{\"time\": 6}", "{\"time\": 6}"},
        {"thoughts and a call",
         "analysisWe look.assistantcommentary to=functions.get_time json{\"timezone\": \"UTC\"}",
         ""},
        {"the call in a line of its own",
         "analysisWe look.\nassistantcommentary to=functions.get_time json{}", ""},
        {"two rounds of thoughts", "analysisA.assistantanalysisB.assistantfinalC", "C"},
        {"only the answer's channel", "assistantfinalAt 06:10.", "At 06:10."},
        {"behind tags of reasoning", "<think>Hm.</think>assistantfinalAt 06:10.",
         "<think>Hm.</think>At 06:10."},
        {"a call", "commentary to=functions.get_time json{\"timezone\": \"UTC\"}", ""},
        {"a call behind text", "I look.\ncommentary to=functions.get_time json{}", "I look.\n"},
        kept("thoughts that no answer follows", "analysisWe need the tide."),
        kept("the word", "analysis of the tide: high at 06:10, assistantfinalX"),
        kept("a heading", "analysis\n\nThe tide is high.assistantfinalX"),
        kept("a longer word", "analysisist assistantfinalX"),
        kept("behind a word", "My analysisWe look.assistantfinalX"),
        kept("a sentence about it", "assistantfinal is what is left of the header."),
        kept("in code", "```\nanalysisWe look.assistantfinalX\n```\nis what it wrote."),
        kept("another name", "commentary to=functions.get_moon json{}"),
    });
}

BOOST_AUTO_TEST_CASE(thoughts_wait_no_longer_than_a_call) {
    const std::string thoughts = "analysisWe " + std::string(limits::candidate_bytes_max, 'x');
    const auto got = run_whole(context_of(true), thoughts + "assistantfinalX");
    BOOST_TEST(got.clean == thoughts + "assistantfinalX");
    BOOST_TEST(got.spans.empty());
}

BOOST_AUTO_TEST_CASE(thoughts_are_no_call) {
    const auto got = run_whole(context_of(true), "analysisWe look.assistantfinalX");
    BOOST_REQUIRE_EQUAL(got.spans.size(), 1U);
    BOOST_TEST((got.spans.front().kind == scaffold::span_kind::reasoning));
}

BOOST_AUTO_TEST_CASE(names_and_ids) {
    check({
        {"a name and its arguments", "get_time{\"timezone\": \"UTC\"}", ""},
        {"with the separator", "get_time[ARGS]{\"timezone\": \"UTC\"}", ""},
        {"an id", "get_time:0{\"timezone\": \"UTC\"}", ""},
        {"an id and a token that stayed",
         "get_time:0<|tool_call_argument_begin|>{}<|tool_calls_section_end|>", ""},
        {"a namespace", "functions.get_time:0{}", ""},
        {"several", "functions.get_time:0{}functions.list_files:1{\"dir\": \"/\"}", ""},
        {"several in lines", "functions.get_time:0{}\nfunctions.get_time:1{}\n", ""},
        {"the second cut off", "functions.get_time:0{}functions.list_files:1{\"di", ""},
        {"behind text", "I look.\nfunctions.get_time:0{}functions.get_time:1{}", "I look.\n"},
        {"Gemma's, several", "call:get_time{timezone:UTC}call:get_time{timezone:CET}", ""},
        {"names glued together", "get_time{}get_weather{\"city\": \"Oslo\"}", ""},
        {"names in lines", "get_time{}\nget_weather{}\n", ""},
        {"names, the second cut off", "get_time{}get_weather{\"ci", ""},
        {"names, the last one cut off itself", "get_time{}get_wea", "get_time{}get_wea"},
        kept("names and text", "get_time{}get_weather{} is the log"),
        kept("names, the second of no tool", "get_time{}get_moon{}"),
        kept("names, the second without arguments", "get_time{}get_weather"),
        kept("names behind text", "I look: get_time{}get_weather{}"),
        kept("text behind them", "functions.get_time:0{}functions.get_time:1{} is what it wrote"),
        {"the second one of no tool", "functions.get_time:0{}functions.get_moon:1{}", ""},
        kept("in a sentence", "I call functions.get_time:0{}"),
        kept("a colon behind a name", "get_time: the clock of the house"),
        kept("a bracket behind a name", "get_time[0] is the first"),
        kept("a tag behind a name", "get_time<br>returns a time"),
        kept("another name", "get_moon{\"phase\": \"new\"}"),
    });
}

BOOST_AUTO_TEST_CASE(preambles_that_are_only_json) {
    const std::string object = "{\"timezone\": \"UTC\"}";
    const std::string answer = "<|start|>assistant<|channel|>final<|message|>At 06:10.<|return|>";
    check({
        {"an object", preamble + object + "<|end|>", ""},
        {"white space around it", preamble + "\n " + object + "\n<|end|>", ""},
        {"no closer", preamble + object, ""},
        {"another token behind it", preamble + object + "<|call|>", ""},
        {"a closer that is cut", preamble + object + "<|en", ""},
        {"cut in the object", preamble + "{\"timezone\": \"U", ""},
        {"a token in a string", preamble + "{\"a\": \"<|end|>\"}<|end|>", ""},
        {"an answer behind it", preamble + object + "<|end|>" + answer, "At 06:10."},
        {"a sentence", preamble + "I look.<|end|>", "I look."},
        {"text behind the object", preamble + object + " it says.<|end|>", object + " it says."},
        {"text in front of it", preamble + "So: " + object + "<|end|>", "So: " + object},
        {"broken JSON", preamble + "{so}<|end|>", "{so}"},
        {"the answer's channel", "<|channel|>final<|message|>" + object, object},
    });
    BOOST_TEST(run_at_all_cuts(context_of(false), preamble + object + "<|end|>").clean == object);
}

BOOST_AUTO_TEST_CASE(inputs_of_text) {
    const std::string header = "<|message_model|>search_web";
    const std::string token = "<|content_invoke_tool_text|>";
    const std::string end = "<|end_message|>";
    check({
        {"behind a header", "Look. " + header + token + "the tide" + end + " So.", "Look.  So."},
        {"openers in it", header + token + "<tool_call> and <tools>" + end, ""},
        {"without its header", "Look.\n" + token + "the tide" + end + "So.", "Look.\nSo."},
        kept("another tool's name", "<FunctionCall> and <code> are tags."),
        {"the same with openers in it", "Look.\n" + token + "<tool_call> is" + end, "Look.\n"},
        {"cut off", "Look.\n" + token + "the ti", "Look.\n"},
        kept("the token in a sentence", "The token " + token + " starts a text."),
        kept("the header in a sentence", "A header is " + header + " and a token."),
        kept("both in a sentence", "Behind " + header + token + " comes the text of the call."),
        {"both in a sentence, and a closer", "Behind " + header + token + " the tide" + end + ".",
         "Behind ."},
        {"a line", "Action: search_web\nAction Input: tides in Brest\nThought: So.",
         "\nThought: So."},
        {"a line with a tag in it", "Action: search_web\nAction Input: see </b> there", ""},
        kept("another tool's line", "Action: call_mum\nAction Input: at noon"),
        kept("minutes", "Action: search_web is down, tell Ben.\nAction Input: none"),
    });
}

BOOST_AUTO_TEST_CASE(headers_whose_first_token_is_in_the_prompt) {
    check({
        {"a call of Muse",
         " to=get_time<|message|><atem:invoke name=\"get_time\"></atem:invoke><|eom|>", ""},
        {"thoughts, then an answer",
         "to=self<|message|>Hm.<|eom|>to=user<|message|>At 06:10.<|eom|>", "At 06:10."},
        {"an answer", " to=user<|message|>At 06:10.", " At 06:10."},
        {"Functionary's name and object", "get_time\n{\"timezone\": \"UTC\"}", ""},
        kept("a name that begins an answer", "get_time\nreturns the time."),
        kept("an address", "to=user@example.org is the recipient."),
    });
}

BOOST_AUTO_TEST_CASE(segments_of_inkling) {
    const std::string message = "<|message_model|>";
    const std::string end = "<|end_message|>";
    check({
        {"thoughts and an answer",
         message + "<|content_thinking|>Hm." + end + message + "<|content_text|>At 06:10." + end +
             "<|content_model_end_sampling|>",
         "At 06:10."},
        {"an answer whose header the server took", "<|content_text|>At 06:10." + end, "At 06:10."},
        {"thoughts and a call",
         "<|content_thinking|>Hm." + end +
             "<|content_invoke_tool_json|>{\"name\": \"get_time\", "
             "\"args\": {}}" +
             end,
         ""},
        kept("a token in a sentence", "The token <|content_text|> begins the answer."),
    });
}

BOOST_AUTO_TEST_CASE(results_that_follow_their_call) {
    const std::string react = "Action: search_web\nAction Input: tides";
    check({
        {"an observation and its line", react + "\nObservation: at 06:10\nThought: So.",
         "\nThought: So."},
        {"an observation cut off", react + "\nObservation: at 0", ""},
        {"behind JSON", "Action: get_time\nAction Input: {}\nObservation: 06:10\nIt is 06:10.",
         "\nIt is 06:10."},
        {"Qwen-Agent's", "✿FUNCTION✿: get_time\n✿ARGS✿: {}\n✿RESULT✿: 06:10\n✿RETURN✿: At 06:10.",
         "\n At 06:10."},
        kept("an observation of the answer", "Observation: the tide is high."),
    });
}

BOOST_AUTO_TEST_CASE(calls_with_an_id_or_a_bare_name) {
    check({
        {"an id in the bracket", "[TOOL_CALL:call_1] get_time(timezone=\"UTC\")\nSo.", "\nSo."},
        {"an object in the parentheses", "[TOOL_CALL:1] get_time({\"timezone\": \"UTC\"})", ""},
        kept("another tool", "[TOOL_CALL:1] get_moon({\"phase\": \"new\"})"),
        kept("a reference", "[TOOL_CALL:1] get_time is the second one."),
        {"a name in a block of DSML",
         "<｜DSML｜toolcall>get_time\n```json\n{\"timezone\": \"UTC\"}\n```\n</｜DSML｜toolcall>",
         ""},
        kept("a name in a sentence", "Behind <｜DSML｜toolcall> get_time stands."),
    });
}

BOOST_AUTO_TEST_CASE(a_fence_behind_a_fenced_call_is_the_answers) {
    const std::string fence = "\n\n```json\n{}\n```\n";
    check({
        {"behind a name", "function<get_time>\n```json\n{}\n```" + fence, fence},
        {"behind a list",
         "function ```json {\"tools\": [{\"name\": \"get_time\", "
         "\"arguments\": {}}]}\n```" +
             fence,
         fence},
    });
}

BOOST_AUTO_TEST_CASE(results_that_come_as_messages) {
    const std::string call = "<tool_call>{\"name\":\"get_time\",\"arguments\":{}}</tool_call>";
    check({
        {"up to the next message", call + "<|observation|>\n12:04\n<|assistant|>\nNoon.", "Noon."},
        {"up to the end", call + "\n<|observation|>12:04\nutc", ""},
        {"no text in it", call + "<|observation|>", ""},
        {"behind the end of a message", call + "<|im_end|><|im_system|>tool<|im_middle|>12:04", ""},
        {"behind its end and a line feed", call + "<|im_end|>\n<|im_start|>tool\n12:04<|im_end|>",
         ""},
        {"several tokens end it", call + "<|observation|>12:04<|im_end|>\n<|endoftext|>So.", "So."},
        {"another result in it", call + "<|observation|><tool_response>1</tool_response>\nOne.",
         "\nOne."},
        {"text in front of it", call + "\nIt is <|observation|> that comes.",
         "\nIt is <|observation|> that comes."},
    });
    for (const std::string text : {"<|observation|>\n12:04", "So <|observation|> 12:04",
                                   "<|im_system|>tool<|im_middle|>12:04 is the form."}) {
        BOOST_TEST(run_at_all_cuts(context_of(true), text).clean == text);
    }
}

BOOST_AUTO_TEST_CASE(results_that_count_only_behind_a_call) {
    const std::string call = "<tool_call>{\"name\":\"get_time\",\"arguments\":{}}</tool_call>";
    const std::string tags = "<results>\n12:04\n</results>";
    const std::string fence = "```tool_output\n12:04 `utc`\n```";
    for (const auto& result : {tags, fence}) {
        const auto behind = run_at_all_cuts(context_of(true), call + "\n" + result + "\nNoon.");
        BOOST_TEST(behind.clean == "\n\nNoon.");
        for (const std::string& text : {result, "So:\n" + result + "\nNoon.", "It is " + result}) {
            BOOST_TEST(run_at_all_cuts(context_of(true), text).clean == text);
            BOOST_TEST(run_at_all_cuts(context_of(false), text).clean == text);
        }
        const auto later = run_at_all_cuts(context_of(true), call + "\nSo:\n" + result);
        BOOST_TEST(later.clean == "\nSo:\n" + result);
    }
}

BOOST_AUTO_TEST_CASE(a_preamble_waits_no_longer_than_a_call) {
    const std::string text = "{\"a\": \"" + std::string(limits::candidate_bytes_max, 'x');
    BOOST_TEST(run_whole(context_of(true), preamble + text).clean == text);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
