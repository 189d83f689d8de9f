// Texts put together by chance from the pieces that dialects are made of: whatever comes, every
// scanner gives the same at any cut and keeps its bounds.
#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace {

using proxy::scaffold::format_class;
using proxy::scaffold::payload_kind;
using tests::payload_setting;

constexpr std::string_view pieces[] = {"{",
                                       "}",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       "\"",
                                       "'",
                                       "\\",
                                       ",",
                                       ":",
                                       ";",
                                       "=",
                                       "`",
                                       "```",
                                       "```json\n",
                                       "<",
                                       ">",
                                       "/",
                                       "|",
                                       "_",
                                       ".",
                                       "-",
                                       " ",
                                       "\n",
                                       "\n\n",
                                       "\t",
                                       "0",
                                       "12",
                                       "true",
                                       "None",
                                       "nul",
                                       "f",
                                       "g",
                                       "get_time",
                                       "function",
                                       "functions.f:0",
                                       "call:",
                                       "print",
                                       "import ",
                                       "x = ",
                                       "name",
                                       "\"name\"",
                                       "\"arguments\"",
                                       "\"a\": 1",
                                       "{\"name\": \"f\"",
                                       "\"function\"",
                                       "\"tool_calls\"",
                                       "\"type\": \"object\"",
                                       "\"properties\": {}",
                                       "<tool_call>",
                                       "</tool_call>",
                                       "<tool_calls>",
                                       "<function=f>",
                                       "</function>",
                                       "<parameter=a>",
                                       "</parameter>",
                                       "<parameter name=\"a\">",
                                       "<invoke name=\"f\">",
                                       "</invoke>",
                                       "<invoke",
                                       " name=\"f\">",
                                       "<f/>",
                                       "<path>",
                                       "</path>",
                                       "<arg_key>",
                                       "</arg_key>",
                                       "<arg_value>",
                                       "</arg_value>",
                                       "<tool_sep>",
                                       "[ARGS]",
                                       "[CALL_ID]",
                                       "[TOOL_CALLS]",
                                       "]<]minimax[>[",
                                       "<｜tool▁sep｜>",
                                       "<｜tool_sep｜>",
                                       "<｜DSML｜invoke name=\"f\">",
                                       "</｜DSML｜invoke>",
                                       "<|eom_id|>",
                                       "<|\"|>",
                                       "<escape>",
                                       "｜",
                                       "▁",
                                       "‖",
                                       "✿ARGS✿:",
                                       "杭州",
                                       "🌊",
                                       "\xE2",
                                       "\xEF\xBD",
                                       "\xFF",
                                       "\u200B",
                                       "word and another"};

constexpr std::string_view openers[] = {"<tool_call>",
                                        "<function=",
                                        "<invoke",
                                        "<invoke name=\"",
                                        "[TOOL_CALLS]",
                                        "<read_file>",
                                        "<｜DSML｜tool_calls>",
                                        "<｜DSML｜invoke name=",
                                        "]<]minimax[>[<tool_call>",
                                        "<|tool_call>",
                                        "✿FUNCTION✿:"};

constexpr payload_kind kinds[] = {payload_kind::none,          payload_kind::json_call,
                                  payload_kind::json_list,     payload_kind::json_single_key,
                                  payload_kind::json_any,      payload_kind::name_sep_json,
                                  payload_kind::name_kv,       payload_kind::param_tags,
                                  payload_kind::attr_params,   payload_kind::tag_params,
                                  payload_kind::pythonic,      payload_kind::gemma_map,
                                  payload_kind::call_any,      payload_kind::python_tag,
                                  payload_kind::name_sep_line, payload_kind::name_sep_text,
                                  payload_kind::arrow_map,     payload_kind::attr_tokens,
                                  payload_kind::channel_text,  payload_kind::free_text};

template <typename Engine, typename T, std::size_t N>
const T& pick(Engine& engine, const T (&from)[N]) {
    return from[engine() % N];
}

template <typename Engine>
std::string random_text(Engine& engine) {
    std::string text;
    const std::size_t count = 1 + engine() % 24;
    for (std::size_t at = 0; at < count; ++at) {
        text += pick(engine, pieces);
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(payload_random)

BOOST_AUTO_TEST_CASE(no_text_is_read_differently_at_a_cut) {
    constexpr std::size_t rounds = 20000;
    std::mt19937 engine{20240611};
    for (std::size_t round = 0; round < rounds; ++round) {
        payload_setting setting{.kind = kinds[round % std::size(kinds)]};
        setting.cls = engine() % 2 == 0 ? format_class::tagged : format_class::sentinel;
        if (engine() % 2 == 0) {
            setting.separators = {"[CALL_ID]", "[ARGS]", "<｜tool▁sep｜>"};
            setting.open = {"<｜tool▁call▁begin｜>"};
        }
        tests::check_sound(setting, pick(engine, openers), random_text(engine));
    }
}

BOOST_AUTO_TEST_CASE(what_follows_a_whole_payload_is_not_taken) {
    constexpr std::string_view wholes[] = {
        "{\"name\": \"f\", \"arguments\": {}}", "<function=f><parameter=a>1</parameter></function>",
        "<invoke name=\"f\"></invoke>", "f<arg_key>a</arg_key><arg_value>1</arg_value>", "f(a=1)"};
    std::mt19937 engine{7};
    for (std::size_t round = 0; round < 5000; ++round) {
        const std::string_view whole = wholes[round % std::size(wholes)];
        const std::string text = std::string{whole} + "\n\n" + random_text(engine);
        tests::check_sound({.kind = payload_kind::call_any}, "<tool_call>", text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
