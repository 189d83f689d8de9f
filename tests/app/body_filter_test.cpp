#include "proxy/app/body_filter.hpp"
#include "proxy/config/formats_file.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy;

namespace {

struct result {
    std::optional<std::string> body;
    app::strip_summary summary;
};

result filtered(std::string_view body) {
    static const scaffold::catalog catalog = config::built_in_catalog();
    result r;
    scaffold::context context;
    context.tools = true;
    r.body = app::filter_body(body, catalog, context, r.summary);
    return r;
}

const std::string call = R"(<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>)";
const std::string escaped_call =
    R"(\u003ctool_call\u003e{\"name\": \"f\", \"arguments\": {}}\u003c\/tool_call\u003e)";

} // namespace

BOOST_AUTO_TEST_SUITE(body_filter)

BOOST_AUTO_TEST_CASE(only_stripped_bytes_go) {
    struct row {
        const char* name;
        std::string before, after;
        std::uint64_t spans;
    };

    const row rows[] = {
        {"message", R"({"choices":[{"message":{"content":"a )" + call + R"(\n\u00e9\/"}}]})",
         R"({"choices":[{"message":{"content":"a \n\u00e9\/"}}]})", 1},
        {"delta", R"({"choices":[{"delta":{"content":"a)" + call + R"("}}]})",
         R"({"choices":[{"delta":{"content":"a"}}]})", 1},
        {"legacy text", R"({"choices":[{"text":"a)" + call + R"("}]})",
         R"({"choices":[{"text":"a"}]})", 1},
        {"escaped markup", R"({"choices":[{"text":"a)" + escaped_call + R"(b"}]})",
         R"({"choices":[{"text":"ab"}]})", 1},
        {"two spans", R"({"choices":[{"text":"a)" + call + "b" + call + R"(c"}]})",
         R"({"choices":[{"text":"abc"}]})", 2},
        {"two choices", R"({"choices":[{"text":")" + call + R"("},{"text":"x)" + call + R"("}]})",
         R"({"choices":[{"text":""},{"text":"x"}]})", 2},
        {"only white space left", R"({"choices":[{"text":"\n )" + call + R"( \n"}]})",
         R"({"choices":[{"text":""}]})", 1},
        {"equal keys", R"({"choices":[{"text":"a)" + call + R"(","text":"b)" + call + R"("}]})",
         R"({"choices":[{"text":"a","text":"b"}]})", 2},
        {"other members",
         R"({"x":")" + call + R"(","choices":[{"message":{"role":")" + call + R"(","reasoning":")" +
             call + R"("}}]})",
         R"({"x":")" + call + R"(","choices":[{"message":{"role":")" + call + R"(","reasoning":")" +
             call + R"("}}]})",
         0},
        {"null content", R"({"choices":[{"message":{"content":null}},{"message":null},{},1]})",
         R"({"choices":[{"message":{"content":null}},{"message":null},{},1]})", 0},
        {"clean", "{\n \"choices\" : [ {\"text\" : \"a < b \\ud83d\"} ] }\n",
         "{\n \"choices\" : [ {\"text\" : \"a < b \\ud83d\"} ] }\n", 0},
        {"no choices", R"({"choices":[]})", R"({"choices":[]})", 0},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.name) {
            const result out = filtered(r.before);
            BOOST_REQUIRE(out.body.has_value());
            BOOST_TEST(*out.body == r.after);
            BOOST_TEST(out.summary.spans == r.spans);
        }
    }
}

BOOST_AUTO_TEST_CASE(other_texts_are_no_bodies) {
    for (const char* text : {"", "null", "[]", "\"choices\"", "{}", R"({"choices":{}})",
                             R"({"choices":[)", R"({"choices":[]} x)"}) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(!filtered(text).body.has_value());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
