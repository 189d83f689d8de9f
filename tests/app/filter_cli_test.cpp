// `unscaffold filter` as a process: each kind of input, the context, what it says at the end.
#include "tests/app/process.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using tests::finished_process;
using tests::run;

namespace {

const std::string call =
    "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"zone\": \"UTC\"}}\n</tool_call>";

std::string chunk(const std::string& json_text) {
    return "data: "
           "{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\","
           "\"choices\":[{\"index\":0,"
           "\"delta\":{\"content\":\"" +
           json_text + "\"},\"finish_reason\":null}]}\n\n";
}

const std::string stream_end = "data: "
                               "{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,"
                               "\"model\":\"m\",\"choices\":[{\"index\":0,"
                               "\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

const std::string call_in_json =
    "<tool_call>{\\\"name\\\": \\\"get_time\\\", \\\"arguments\\\": {}}</tool_call>";

/// Runs the filter with tools in context.
finished_process filter(const char* kind, const std::string& input) {
    return run({"filter", "--as", kind, "--tools", "get_time,other"}, input);
}

} // namespace

BOOST_AUTO_TEST_SUITE(filter_cli)

BOOST_AUTO_TEST_CASE(text_loses_its_markup_and_nothing_else) {
    const finished_process p = filter("text", "Before. " + call + " After.\n");
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out == "Before.  After.\n");
    BOOST_TEST(p.err == "filter: spans=1 scaffold_stripped=" + std::to_string(call.size()) +
                            " formats=hermes\n");
}

BOOST_AUTO_TEST_CASE(clean_text_passes_byte_for_byte) {
    std::string text = "  \n leading, <b>tags</b>, a < b, [x], {\"name\": 1}\r\n\tend \xff\xfe ";
    text += std::string("\0x", 2);
    const finished_process p = filter("text", text);
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out == text);
    BOOST_TEST(p.err == "filter: spans=0 scaffold_stripped=0 formats=-\n");
}

BOOST_AUTO_TEST_CASE(a_text_of_markup_and_white_space_becomes_empty) {
    BOOST_TEST(filter("text", "\n\n" + call + "\n").out == "");
    BOOST_TEST(filter("text", " \n").out == " \n");
    BOOST_TEST(filter("text", "").out == "");
}

BOOST_AUTO_TEST_CASE(an_event_stream_goes_through_the_proxys_own_path) {
    const std::string in = chunk("Hello ") + chunk(call_in_json) + chunk("there.") + stream_end;
    const finished_process p = filter("sse", in);
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out == chunk("Hello ") + chunk("there.") + stream_end);
    BOOST_TEST(p.err.starts_with("filter: spans=1 scaffold_stripped="), p.err);
    BOOST_TEST(p.err.find("formats=hermes") != std::string::npos, p.err);
}

BOOST_AUTO_TEST_CASE(an_emptied_stream_ends_with_the_error_that_a_client_would_get) {
    const finished_process p = filter("auto", chunk(call_in_json) + stream_end);
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out.find("\"code\":\"malformed_reply\"") != std::string::npos, p.out);
    BOOST_TEST(p.out.ends_with("data: [DONE]\n\n"));
    BOOST_TEST(p.out.find("tool_call>") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_body_is_spliced_in_its_texts_only) {
    const std::string head = "{ \"id\" : \"c\", \"choices\" : [ {\"index\":0, \"message\" : "
                             "{\"role\":\"assistant\",\"content\":\"";
    const std::string tail = "\"}, \"finish_reason\":\"stop\"} ], \"usage\":{\"n\":1.50}}\n";
    const finished_process p = filter("json", head + "\\u0041 " + call_in_json + "\\/z" + tail);
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out == head + "\\u0041 \\/z" + tail);
    BOOST_TEST(p.err.find("spans=1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(auto_knows_the_kind_by_the_first_bytes) {
    const std::string body = "{\"choices\":[{\"text\":\"a " + call_in_json + "\"}]}";

    struct row {
        const char* name;
        std::string in, out;
    };

    const row rows[] = {
        {"text", "x " + call, "x "},
        {"events", chunk("a " + call_in_json) + chunk("b") + stream_end,
         chunk("a ") + chunk("b") + stream_end},
        {"comment first", ": hi\n\n" + chunk("a") + stream_end,
         ": hi\n\n" + chunk("a") + stream_end},
        {"body", body, "{\"choices\":[{\"text\":\"a \"}]}"},
        {"body behind white space", "\n " + body, "\n {\"choices\":[{\"text\":\"a \"}]}"},
        {"another object is text", "{\"a\": \"b\"} " + call, "{\"a\": \"b\"} "},
        {"empty", "", ""},
        {"one byte", "d", "d"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.name) {
            const finished_process p = filter("auto", r.in);
            BOOST_TEST(p.exit_code == 0);
            BOOST_TEST(p.out == r.out);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_body_is_said_and_fails) {
    for (const char* text :
         {"", "[]", "{\"choices\":1}", "{\"a\":1}", "{\"choices\":[}", "plain"}) {
        BOOST_TEST_CONTEXT(text) {
            const finished_process p = filter("json", text);
            BOOST_TEST(p.exit_code == 1);
            BOOST_TEST(p.out == "");
            BOOST_TEST(p.err.find("not a JSON object with \"choices\"") != std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(without_tools_in_context_plain_tags_stay_and_the_summary_says_why) {
    const finished_process p = run({"filter"}, "x " + call);
    BOOST_TEST(p.out == "x " + call);
    BOOST_TEST(p.err.find("spans=0") != std::string::npos, p.err);
    BOOST_TEST(p.err.find("no tools in context") != std::string::npos, p.err);
}

BOOST_AUTO_TEST_CASE(a_request_must_be_a_json_object) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("unscaffold_filter_request_" + std::to_string(::getpid()) + ".json");
    std::ofstream(path) << "{\"model\":\"m\",\"messages\":[],\"tools\":[{\"type\":\"function\","
                           "\"function\":{\"name\":\"get_time\"}}]}";
    const finished_process good = run({"filter", "--request", path.string()}, "x " + call);
    BOOST_TEST(good.exit_code == 0);
    BOOST_TEST(good.out == "x ");
    std::ofstream(path) << "[1]";
    const finished_process bad = run({"filter", "--request", path.string()}, "x");
    BOOST_TEST(bad.exit_code == 2);
    BOOST_TEST(bad.err.find("is not a JSON object") != std::string::npos);
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(a_large_text_passes_whole_and_a_span_without_end_costs_no_memory) {
    std::string text;
    for (int i = 0; text.size() < 3'000'000; ++i) {
        text += "line " + std::to_string(i) + " with <b> and [brackets]\n";
    }
    BOOST_TEST((filter("text", text).out == text));
    const finished_process p =
        filter("text", "a<tool_call>{\"name\": \"get_time\", \"arguments\": {\"x\": \"" +
                           std::string(3'000'000, 'y'));
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST((p.out == "a")); // not printed on failure
}

BOOST_AUTO_TEST_CASE(a_reader_that_has_gone_ends_it_without_a_crash) {
    tests::process_options options;
    options.arguments = {"filter", "--as", "text"};
    options.input = std::string(1'000'000, 'x');
    options.out_is_closed = true;
    tests::process process(options);
    const finished_process p = process.finish();
    BOOST_TEST(p.exit_code == 1);
    BOOST_TEST(p.err.find("terminate") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
