#include "proxy/config/formats_file.hpp"
#include "proxy/config/yaml_tree.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::config;
using kinds = yaml_node::kinds;

namespace {

std::string failure(const std::string& text) {
    try {
        read_yaml(text, "f.yaml");
    } catch (const config_error& error) {
        return error.what();
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(yaml_tree)

BOOST_AUTO_TEST_CASE(a_tree_has_its_keys_in_order_with_lines) {
    const yaml_node root =
        read_yaml("# comment\nb: 1\na:\n  - x\n  - {c: \"2\", d: }\n\nempty:\n", "f.yaml");
    BOOST_TEST((root.kind == kinds::map));
    BOOST_REQUIRE_EQUAL(root.members.size(), 3u);
    BOOST_TEST(root.members[0].key == "b");
    BOOST_TEST(root.members[0].line == 2);
    BOOST_TEST(root.members[0].value.text == "1");
    const yaml_node& list = root.members[1].value;
    BOOST_TEST((list.kind == kinds::list));
    BOOST_REQUIRE_EQUAL(list.items.size(), 2u);
    BOOST_TEST(list.items[0].text == "x");
    BOOST_TEST(list.items[1].line == 5);
    BOOST_TEST(list.items[1].members[0].value.text == "2");
    BOOST_TEST((list.items[1].members[1].value.kind == kinds::null));
    BOOST_TEST(root.members[2].line == 7);
    BOOST_TEST((root.members[2].value.kind == kinds::null));
}

BOOST_AUTO_TEST_CASE(an_empty_text_is_null) {
    for (const char* text : {"", "\n", "# only a comment\n", "---\n", "~"}) {
        BOOST_TEST_CONTEXT("'" << text << "'") {
            BOOST_TEST((read_yaml(text, "f").kind == kinds::null));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_quoted_null_is_a_word) {
    const yaml_node root = read_yaml("a: \"\"\nb: 'null'\nc: null\n", "f");
    BOOST_TEST((root.members[0].value.kind == kinds::scalar));
    BOOST_TEST((root.members[1].value.kind == kinds::scalar));
    BOOST_TEST((root.members[2].value.kind == kinds::null));
}

BOOST_AUTO_TEST_CASE(what_would_be_lost_in_silence_is_refused_with_its_line) {
    const std::pair<const char*, const char*> rows[] = {
        {"a: 1\nb: 2\na: 3\n", "f.yaml:3: a: stands twice, first in line 1"},
        {"s:\n  x: 1\n  'x': 2\n", "f.yaml:3: x: stands twice, first in line 2"},
        {"a: &v 1\nb: *v\n", "f.yaml:2: aliases"},
        {"a: 1\n---\nb: 2\n", "f.yaml: holds more than one YAML document"},
        {"? [a]\n: 1\n", "f.yaml:1: a key must be a word"},
        {"? {a: b}\n: 1\n", "f.yaml:1: a key must be a word"},
        {"~: 1\n", "f.yaml:1: a key must be a word"},
        {"a: [1, 2\nb: 3\n", "broken YAML"},
        {"a: \"x", "broken YAML"},
        {"a:\n\t- 1\n", "f.yaml:2: broken YAML"},
        {"a: b: c\n", "f.yaml:1: broken YAML"},
        {"{a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}}}}}}}}}",
         "nested too deep"},
    };
    for (const auto& [text, expected] : rows) {
        BOOST_TEST_CONTEXT(text) {
            const std::string message = failure(text);
            BOOST_TEST(message.find(expected) != std::string::npos, message);
        }
    }
}

BOOST_AUTO_TEST_CASE(depth_beyond_any_stack_is_refused_and_not_followed) {
    BOOST_TEST(!failure(std::string(200'000, '[')).empty());
    BOOST_TEST(!failure(std::string(200'000, '{')).empty());
}

BOOST_AUTO_TEST_SUITE_END()
