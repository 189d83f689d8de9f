// Calls written as tags: <function=…>, <invoke name=…> in any prefix, tags that are keys.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/payload_tag_reader.hpp"

#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using proxy::scaffold::read_tag;
using proxy::scaffold::tag_word;
using tests::check;
using tests::payload_setting;

const payload_setting params{.kind = param_tags};
const payload_setting attributes{.kind = attr_params};
const payload_setting dsml{.kind = attr_params, .cls = format_class::sentinel};
const payload_setting keys{.kind = tag_params};
const payload_setting minimax3{.kind = tag_params, .cls = format_class::sentinel};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_tags)

BOOST_AUTO_TEST_CASE(parameters_end_with_the_function) {
    check(
        params,
        {
            {"one", "<function=", "f>\n<parameter=a>\n1\n</parameter>\n</function>§\n</tool_call>",
             complete, "f"},
            {"two", "<function=",
             "f><parameter=a>1</parameter><parameter=b>2</parameter></function>§ x", complete, "f"},
            {"none", "<function=", "f>\n</function>§\n", complete, "f"},
            {"dotted name", "<function=", "ns.f-1>\n</function>§", complete, "ns.f-1"},
            {"quoted name", "<function=", "\"f\">\n</function>§", complete, "f"},
            {"long value", "<function=",
             "f><parameter=a>\nline\n\nline 2\n</parameter></function>§", complete, "f"},
            {"empty value", "<function=", "f><parameter=a></parameter></function>§", complete, "f"},
            {"closed in itself", "<function=", "f><parameter=a/></function>§", complete, "f"},
            {"the wrapper's closer only",
             "<function=", "f>\n<parameter=a>1</parameter>§\n</tool_call>", complete, "f"},
            {"no parameter, the wrapper's closer only", "<function=", "f>§\n</tool_call>", complete,
             "f"},
            {"json body", "<function=", "f>{\"city\": \"Nantes\"}§ and text", complete, "f"},
            {"json body closed", "<function=", "f>{\"city\": \"Nantes\"}</function>§", complete,
             "f"},
            {"json body over lines", "<function=", "f>\n{\n\"a\": 1\n}\n</function>§", complete,
             "f"},
            {"json body empty", "<function=", "f>{}</function>§", complete, "f"},
            {"whole tag as opener", "<function name=\"f\">",
             "<param name=\"k\">v</param></function>§", complete, "f"},
        });
}

BOOST_AUTO_TEST_CASE(values_are_free_text) {
    check(
        params,
        {
            {"html",
             "<function=", "f>\n<parameter=a>\n<ul>\n<li>x</li>\n</ul>\n</parameter>\n</function>§",
             complete, "f"},
            {"generics",
             "<function=", "f><parameter=a>a<b && c>d; #include <map></parameter></function>§"},
            {"quote in a tag", "<function=", "f><parameter=a><x y=\"</parameter></function>§"},
            {"apostrophe", "<function=", "f><parameter=a><it's</parameter></function>§"},
            {"own closer in text",
             "<function=", "f><parameter=a>write </parameter> at the end</parameter></function>§"},
            {"own closer twice",
             "<function=", "f><parameter=a>x</parameter></parameter></function>§"},
            {"function closer in text",
             "<function=", "f><parameter=a>ends with </function> here</parameter>\n</function>§"},
            {"wrapper closer in text",
             "<function=", "f><parameter=a>ends with </tool_call> here</parameter></function>§"},
            {"opener in text", "<function=",
             "f><parameter=a>use <tool_call> or <function=x>\n</parameter>\n</function>§"},
            {"attributes of another dialect", "<function=",
             "f><parameter=a>\n<s>\n<parameter "
             "name=\"b\">5</parameter>\n</s>\n</parameter>\n</function>§"},
            {"a whole call inside", "<function=",
             "f>\n<parameter=a>\n<tool_call>\n<function=g>\n<parameter=b>\n1\n</parameter>\n</"
             "function>\n</tool_call>\n</parameter>\n</function>§\nrest",
             complete, "f"},
            {"unicode", "<function=", "f><parameter=a>杭州 🌊 ｜</parameter></function>§"},
            {"less-than at the end", "<function=", "f><parameter=a>a <</parameter></function>§"},
            {"closer broken off", "<function=", "f><parameter=a>x</param</parameter></function>§"},
        });
}

BOOST_AUTO_TEST_CASE(missing_closers_are_told_by_what_follows) {
    check(params,
          {
              {"text on a new line", "<function=", "f><parameter=a>1</parameter>§\nHere is more.",
               complete, "f"},
              {"text after a blank line", "<function=", "f><parameter=a>1</parameter>§\n\nHere"},
              {"the end", "<function=", "f><parameter=a>1</parameter>§\n"},
              {"the end of a closer", "<function=", "f><parameter=a>1</parameter>\n</func",
               confirmed},
              {"html on a new line", "<function=", "f><parameter=a>1</parameter>§\n<b>x</b>"},
              {"a value without closer",
               "<function=", "f><parameter=a>\n1\n<parameter=b>\n2\n</parameter>\n</function>§"},
              {"the last value without closer",
               "<function=", "f><parameter=a>1\n</function>§\n</tool_call>"},
              {"the last value, then the end", "<function=", "f><parameter=a>1\n</function>§\n"},
              {"the last value, then another call",
               "<function=", "f><parameter=a>1\n</function>§\n<function=g>"},
              {"value cut", "<function=", "f>\n<parameter=a>\ncmake -B b && cmake", confirmed, "f"},
              {"another opener", "<function=", "f><parameter=a>1</parameter>§\n<tool_call>"},
              {"another function", "<function=",
               "f><parameter=a>1</parameter><function=g><parameter=b>2</parameter></function>§",
               complete, "f"},
          });
    const std::string wide =
        "f><parameter=a>1</parameter>§" + std::string(1000, '\n') + "</function>";
    check(params, {{"too much white space", "<function=", wide, complete, "f"}});
}

BOOST_AUTO_TEST_CASE(a_function_tag_alone_is_no_call) {
    check(params, {
                      {"prose behind", "<function=", "beam> §is a section label", broken},
                      {"prose in it", "<function=", "beam§ is a label>", broken},
                      {"placeholder", "<function=", "...§>", broken},
                      {"nested bracket", "<function=", "§<name>>", broken},
                      {"no name", "<function=", ">", broken},
                      {"html behind", "<function=", "f>\n<b>", broken},
                      {"template body", "<function=", "f>{§...}</function>", broken},
                      {"name cut", "<function=", "read_fi", waiting},
                      {"nothing behind the name", "<function=", "f>\n", started},
                  });
    check_evidence(params, {
                               {"parameter tag", "<function=", "f>\n<parameter=a>§1"},
                               {"closer", "<function=", "f></function>§"},
                               {"json", "<function=", "f>{§\"a\": 1}"},
                           });
}

BOOST_AUTO_TEST_CASE(invoke_reads_any_prefix) {
    check(attributes,
          {
              {"bare", "<invoke name=\"", "f\">\n<parameter name=\"a\">1</parameter>\n</invoke>§\n",
               complete, "f"},
              {"opener without attribute", "<invoke",
               " name=\"f\">\n<parameter name=\"a\">1</parameter>\n</invoke>§", complete, "f"},
              {"wrapper", "<function_calls>",
               "\n<invoke name=\"f\">\n<parameter "
               "name=\"a\">1</parameter>\n</invoke>§\n</function_calls>",
               complete, "f"},
              {"namespace", "<antml:function_calls>",
               "\n<antml:invoke name=\"f\">\n<antml:parameter "
               "name=\"a\">1</antml:parameter>\n</antml:invoke>§\n</antml:function_calls>",
               complete, "f"},
              {"namespace dropped", "<antml:function_calls>",
               "<invoke name=\"f\"><parameter "
               "name=\"a\">1</parameter></invoke>§</antml:function_calls>",
               complete, "f"},
              {"namespaces alternate", "<function_calls>",
               "<antml:invoke name=\"f\"><parameter name=\"a\">1</antml:parameter></invoke>§",
               complete, "f"},
              {"step", "<x:tool_calls>",
               "<steptml:invoke name=\"f\"><steptml:parameter "
               "name=\"a\">1</steptml:parameter></steptml:invoke>§",
               complete, "f"},
              {"muse", "<atem:function_calls>", "<atem:invoke name=\"f\"></atem:invoke>§", complete,
               "f"},
              {"minimax", "<minimax:tool_call>",
               "\n<invoke name=\"f\">\n</invoke>\n<invoke name=\"g\">\n<parameter "
               "name=\"a\">1</parameter>\n</invoke>§\n</minimax:tool_call>",
               complete, "f"},
              {"two without wrapper", "<invoke name=\"",
               "f\"></invoke>§\n<invoke name=\"g\"></invoke>", complete, "f"},
              {"single quotes", "<invoke", " name='f'><parameter name='a'>1</parameter></invoke>§",
               complete, "f"},
              {"escaped quotes", "<invoke",
               " name=\\\"f\\\"><parameter name=\\\"a\\\">1</parameter></invoke>§", complete, "f"},
              {"more attributes", "<invoke",
               " id=\"1\" name=\"f\"><parameter type=\"x\" name=\"a\">1</parameter></invoke>§",
               complete, "f"},
              {"json body", "<dots_function_call>",
               "<invoke name=\"f\">{\"a\": 1}</invoke>§</dots_function_call>", complete, "f"},
              {"json in the wrapper", "<dots_function_call>",
               "{\"name\": \"f\", \"arguments\": {}}§</dots_function_call>", complete, "f"},
              {"testng in a value", "<invoke name=\"",
               "f\"><parameter name=\"a\">\n<suite>\n<parameter "
               "name=\"b\">chrome</parameter>\n</suite>\n</parameter>\n</invoke>§",
               complete, "f"},
              {"self-closing in a value", "<invoke name=\"",
               "f\"><parameter name=\"a\"><parameter name=\"b\" "
               "value=\"c\"/>\n</parameter>\n</invoke>§",
               complete, "f"},
              {"closed in itself", "<invoke", " name=\"f\"/>§ x", complete, "f"},
              {"text behind", "<invoke name=\"", "f\"><parameter name=\"a\">1</parameter>§\nHere",
               complete, "f"},
              {"cut in a value", "<invoke name=\"", "f\"><parameter name=\"a\">Cargo.to", confirmed,
               "f"},
              {"cut closer of the wrapper", "<function_calls>",
               "<invoke name=\"f\"></invoke>\n</function_c", confirmed, "f"},
              {"wrapper unclosed", "<function_calls>", "<invoke name=\"f\"></invoke>§\n", complete,
               "f"},
              {"text behind the wrapper's call", "<function_calls>",
               "<invoke name=\"f\"></invoke>§\nDone.", complete, "f"},
              {"hyphened brackets", "<invoke name=\"",
               "f\"><parameter name=\"a\">x<y</parameter></invoke>§", complete, "f"},
          });
}

BOOST_AUTO_TEST_CASE(invoke_needs_a_name_and_a_child) {
    check(attributes,
          {
              {"prose", "<invoke", "§> elements call a method", broken},
              {"no name", "<invoke", ">", broken},
              {"prose behind the tag", "<invoke name=\"", "f\"> §calls f", broken},
              {"placeholder", "<invoke name=\"", "$FUNCTION\">", broken},
              {"bracket in the name", "<invoke name=\"", "§<name>\">", broken},
              {"html in the wrapper", "<function_calls>", "<b>", broken},
              {"closer in the wrapper", "<function_calls>", "</function_calls>", broken},
              {"parameter in the wrapper", "<function_calls>", "<parameter name=\"a\">", broken},
              {"foreign child", "<invoke name=\"", "f\"><arg>", broken},
              {"name cut", "<invoke name=\"", "get_", waiting},
              {"behind the tag", "<invoke name=\"", "f\">\n", started},
          });
    check_evidence(attributes, {
                                   {"parameter", "<invoke name=\"", "f\"><parameter name=\"a\">§1"},
                                   {"closer", "<invoke name=\"", "f\"></invoke>§"},
                               });
}

BOOST_AUTO_TEST_CASE(bars_come_in_every_spelling) {
    check(
        dsml,
        {
            {"v3.2", "<｜DSML｜function_calls>",
             "\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" "
             "string=\"true\">1</｜DSML｜parameter>\n</｜DSML｜invoke>§\n</｜DSML｜function_calls>",
             complete, "f"},
            {"two items", "<｜DSML｜tool_calls>",
             "<｜DSML｜invoke name=\"f\"></｜DSML｜invoke>\n<｜DSML｜invoke "
             "name=\"g\"></｜DSML｜invoke>§</｜DSML｜tool_calls>",
             complete, "f"},
            {"ascii", "<|DSML|tool_calls>",
             "\n<|DSML|invoke name=\"f\">\n</|DSML|invoke>§\n</|DSML|tool_calls>", complete, "f"},
            {"doubled", "<｜｜DSML｜｜tool_calls>",
             "<｜｜DSML｜｜ invoke name=\"f\"><｜｜DSML｜｜parameter "
             "name=\"a\">1</｜｜DSML｜｜parameter></｜｜DSML｜｜invoke>§",
             complete, "f"},
            {"mixed", "<‖DSML‖tool_calls>",
             "<‖DSML‖invoke name=\"f\"><｜｜DSML｜｜parameter "
             "name=\"a\">x</｜｜DSML｜｜parameter></‖DSML‖invoke>§</‖DSML‖tool_calls>gauge",
             complete, "f"},
            {"space before the bar", "<｜DSML |tool_calls>",
             "<｜DSML |invoke name=\"f\"></｜DSML |invoke>§", complete, "f"},
            {"without wrapper", "<｜DSML｜invoke",
             " name=\"f\">\n<｜DSML｜parameter "
             "name=\"a\">1</｜DSML｜parameter>\n</｜DSML｜invoke>§",
             complete, "f"},
            {"opener with attribute", "<｜DSML｜invoke name=", "\"f\"></｜DSML｜invoke>§", complete,
             "f"},
            {"prefix dropped inside", "<｜DSML｜tool_calls>",
             "<invoke name=\"f\"><parameter name=\"a\">1</parameter></invoke>§", complete, "f"},
            {"r namespace", "<｜DSML｜r:tool_calls>",
             "<｜DSML｜r:invoke name=\"f\"></｜DSML｜r:invoke>§", complete, "f"},
            {"gcml", "<｜GCML｜tool_calls>",
             "<｜GCML｜invoke name=\"f\"><｜GCML｜parameter name=\"a\" "
             "string=\"false\">1</｜GCML｜parameter></｜GCML｜invoke>§",
             complete, "f"},
            {"wrong block name", "<｜DSML｜tool_calls>",
             "<｜DSML｜tool_call name=\"f\"><｜DSML｜parameter "
             "name=\"a\">1</｜DSML｜parameter>§</｜DSML｜tool_call>",
             complete, "f"},
            {"name and fence", "<｜DSML｜toolcall>",
             "f\n```json\n{\"a\": 1}\n```§</｜DSML｜toolcall>", complete, "f"},
            {"parameters without invoke", "<｜DSML｜tool_calls>",
             "<｜DSML｜parameter name=\"a\">1</｜DSML｜parameter>§\n</｜DSML｜tool_calls>",
             complete},
            {"text behind", "<｜DSML｜invoke",
             " name=\"f\">\n<｜DSML｜parameter name=\"a\">1</｜DSML｜parameter>§\nHigh water",
             complete, "f"},
            {"prefix of the value's closer", "<｜DSML｜invoke",
             " name=\"f\"><｜DSML｜parameter name=\"a\">x</｜DSML｜para", confirmed, "f"},
            {"zero-width space is no bar", "<｜DSML｜tool_calls>",
             "<\u200B｜DSML｜invoke name=\"f\">", broken},
            {"prose", "<｜DSML｜tool_calls>", " opens §the block", broken},
            {"two wrappers", "<｜DSML｜tool_calls>",
             "<｜DSML｜tool_calls><｜DSML｜invoke name=\"f\"></｜DSML｜invoke>§", complete, "f"},
        });
    check_evidence(dsml, {
                             {"attribute", "<｜DSML｜invoke", " name=§\"f\"></｜DSML｜invoke>"},
                             {"in a wrapper", "<｜DSML｜tool_calls>",
                              "<｜DSML｜invoke name=\"f\">§</｜DSML｜invoke>"},
                         });
}

BOOST_AUTO_TEST_CASE(a_tag_may_be_the_key) {
    check(keys, {
                    {"one", "<read_file>", "\n<path>src/app.ts</path>§\n</read_file>", complete,
                     "read_file"},
                    {"two", "<read_file>", "<path>a</path><start_line>1</start_line>§</read_file>",
                     complete, "read_file"},
                    {"unclosed", "<read_file>", "<path>a</path>§\nDone", complete},
                    {"glued text", "<read_file>", "<path>a</path>§Done", complete},
                    {"html in a value", "<write_file>",
                     "<content><p>a</p>\n</content>§</write_file>", complete},
                    {"the same tag in a value", "<x>", "<a><a>1</a></a>§</x>", complete},
                    {"mcp", "<use_mcp_tool>",
                     "\n<server_name>s</server_name>\n<tool_name>t</"
                     "tool_name>\n<arguments>\n{\"a\": 1}\n</arguments>§\n</use_mcp_tool>",
                     complete},
                    {"cut", "<read_file>", "<path>src/a", confirmed, "read_file"},
                    {"no child", "<read_file>", "</read_file>", broken},
                    {"text", "<read_file>", "§lib/x</read_file>", broken},
                    {"attributes", "<read_file>", "<path id=\"1\">", broken},
                });
    check_evidence(keys, {{"child tag", "<read_file>", "<path>§a</path></read_file>"}});
}

BOOST_AUTO_TEST_CASE(a_token_may_stand_before_every_tag) {
    check(minimax3,
          {
              {"whole", "]<]minimax[>[<tool_call>",
               "\n]<]minimax[>[<invoke "
               "name=\"f\">]<]minimax[>[<path>src/lib.rs]<]minimax[>[</"
               "path>]<]minimax[>[<n>130]<]minimax[>[</n>]<]minimax[>[</invoke>§\n]<]minimax[>[</"
               "tool_call>",
               complete, "f"},
              {"two calls", "]<]minimax[>[<tool_call>",
               "]<]minimax[>[<invoke name=\"f\">]<]minimax[>[</invoke>]<]minimax[>[<invoke "
               "name=\"g\">]<]minimax[>[</invoke>§]<]minimax[>[</tool_call>",
               complete, "f"},
              {"without wrapper", "]<]minimax[>[<invoke",
               " name=\"f\">]<]minimax[>[<a>1]<]minimax[>[</a>]<]minimax[>[</invoke>§", complete,
               "f"},
              {"items", "]<]minimax[>[<invoke",
               " name=\"f\">]<]minimax[>[<a>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[</"
               "a>]<]minimax[>[</invoke>§",
               complete, "f"},
              {"cut", "]<]minimax[>[<invoke", " name=\"f\">]<]minimax[>[<a>1", confirmed, "f"},
              {"half a token", "]<]minimax[>[<tool_call>", "]<]mini§x", broken},
              {"bracket", "]<]minimax[>[<tool_call>", "]§ is", broken},
          });
}

BOOST_AUTO_TEST_CASE(a_long_value_is_passed_over) {
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    std::string text = "f><parameter=a>";
    while (text.size() < megabyte) {
        text += "<li>x</li> </param eter> < </ plain text";
    }
    text += "</parameter></function>";
    tests::fed_scanner scanner{params, "<function="};
    for (std::size_t at = 0; at < text.size(); at += 11) {
        scanner.feed(std::string_view{text}.substr(at, 11));
    }
    BOOST_TEST(scanner.taken() == text.size());
    BOOST_TEST(scanner.tail() == 0U);
}

BOOST_AUTO_TEST_CASE(a_tag_is_taken_apart) {
    struct row {
        std::string_view raw;
        tag_word word;
        std::string_view name;
        bool closing;
    };

    const row rows[] = {
        {"<function=f>", tag_word::call, "f", false},
        {"</function>", tag_word::call, "", true},
        {"<invoke name=\"a > b\">", tag_word::call, "a > b", false},
        {"<｜DSML｜invoke name=\"f\">", tag_word::call, "f", false},
        {"</｜DSML｜ parameter>", tag_word::parameter, "", true},
        {"<tool_call:6124c78e>", tag_word::wrapper, "", false},
        {"<seed:tool_call>", tag_word::wrapper, "", false},
        {"<cofl:tool_call id=\"1\" name=\"f\">", tag_word::call, "f", false},
        {"<arg_key:opensource>", tag_word::arg_key, "", false},
        {"<longcat_arg_value>", tag_word::arg_value, "", false},
        {"<tool_sep>", tag_word::tool_sep, "", false},
        {"<div parameter=\"1\">", tag_word::other, "", false},
        {"<parameters>", tag_word::other, "", false},
        {"<a:b:c:d:e:invoke>", tag_word::other, "", false},
    };
    for (const row& row : rows) {
        BOOST_TEST_CONTEXT(row.raw) {
            const auto found = read_tag(row.raw);
            BOOST_REQUIRE(found.has_value());
            BOOST_TEST((found->word == row.word));
            BOOST_TEST(found->name == row.name);
            BOOST_TEST(found->closing == row.closing);
        }
    }
    for (const std::string_view raw : {"<>", "< >", "a<b>", "<b", "<=>", "</>", "<|>"}) {
        BOOST_TEST(!read_tag(raw).has_value(), raw);
    }
}

BOOST_AUTO_TEST_SUITE_END()
