#include "proxy/base/limits.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include "tests/support/allocations.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using proxy::json::array_walker;
using proxy::json::find_last;
using proxy::json::kind;
using proxy::json::object_walker;
using proxy::json::read_value;
using proxy::json::value_view;

const char* const accepted[] = {
    "{}",
    "[]",
    "\"\"",
    "0",
    "-0",
    "10",
    "1.5",
    "-0.0",
    "1e5",
    "1E+5",
    "1e-5",
    "1.25e400",
    "true",
    "false",
    "null",
    " { } ",
    "\t[\n]\r",
    R"({"a":1})",
    R"({ "a" : 1 , "b" : [ 1 , { } ] })",
    R"([1,"a",null,[],{},[[]]])",
    R"({"":""})",
    R"({"a":1,"a":2})",
    R"("\"")",
    R"("\\")",
    R"("\\\"")",
    R"({"a\"b":"]}"})",
    "\"\xFF\xE2\"",
    "\"a\nb\"",
    R"("\ud800")",
    R"("\q")",
    "123456789012345678901234567890",
    R"([{"a":[{"b":[]}]}])",
};

const char* const refused[] = {
    "",
    " ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\"a",
    R"("a\")",
    R"("\)",
    "{]",
    "[}",
    "[1",
    "[1,",
    "[,]",
    "[1,]",
    "[1 2]",
    "{,}",
    R"({"a"})",
    R"({"a":})",
    R"({"a":1,})",
    R"({"a":1 "b":2})",
    R"({"a" 1})",
    R"({a:1})",
    R"({1:1})",
    R"({"a":1}})",
    R"({"a":1}{})",
    "{} x",
    "[] ,",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1.e5",
    "1e",
    "1e+",
    "0x1",
    "1a",
    "--1",
    "tru",
    "True",
    "nul",
    "nulll",
    "truefalse",
    "NaN",
    "Infinity",
    "'a'",
    "//",
    R"({"a":/**/1})",
    "\xEF\xBB\xBF{}",
    "[1]]",
    R"(["a"b])",
    R"({"a":tru})",
    R"([{"a":[}])",
    "data",
    "[DONE]",
};

std::string text_of(const value_view& value) {
    return std::string(value.raw);
}

value_view value(std::string_view text) {
    const auto read = read_value(text);
    BOOST_REQUIRE(read);
    return *read;
}

/// Writes the value again from what the walkers give.
std::string rewritten(const value_view& v) {
    std::string out;
    if (v.kind == kind::object) {
        out += '{';
        object_walker members(v);
        while (const auto m = members.next()) {
            BOOST_TEST(m->whole.front() == '"');
            BOOST_TEST(
                (m->whole.data() + m->whole.size() == m->value.raw.data() + m->value.raw.size()));
            out += out.size() > 1 ? "," : "";
            out += '"' + std::string(m->key) + "\":" + rewritten(m->value);
        }
        return out + '}';
    }
    if (v.kind == kind::array) {
        out += '[';
        array_walker elements(v);
        while (const auto e = elements.next()) {
            out += out.size() > 1 ? "," : "";
            out += rewritten(*e);
        }
        return out + ']';
    }
    return text_of(v);
}

std::string without_space(std::string text) {
    bool in_string = false;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_string && text[i] == '\\') {
            out += text[i++];
        } else if (text[i] == '"') {
            in_string = !in_string;
        } else if (!in_string && std::string_view(" \t\r\n").find(text[i]) != std::string::npos) {
            continue;
        }
        out += text[i];
    }
    return out;
}

std::string nested(std::size_t depth, char open, char close) {
    return std::string(depth, open) + std::string(depth, close);
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_scan)

BOOST_AUTO_TEST_CASE(whole_values_are_accepted) {
    for (const std::string_view text : accepted) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(read_value(text).has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused) {
    for (const std::string_view text : refused) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(!read_value(text));
        }
    }
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_container_is_refused) {
    for (const std::string_view text : accepted) {
        if (text.front() != '{' && text.front() != '[') {
            continue;
        }
        for (std::size_t size = 0; size < text.size(); ++size) {
            BOOST_TEST_CONTEXT(text.substr(0, size)) {
                BOOST_TEST(!read_value(text.substr(0, size)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(kinds_and_bounds) {
    BOOST_TEST((value(" {\"a\":1} ").kind == kind::object));
    BOOST_TEST(text_of(value(" {\"a\":1} ")) == "{\"a\":1}");
    BOOST_TEST((value("[1]").kind == kind::array));
    BOOST_TEST((value("\"a\"").kind == kind::string));
    BOOST_TEST(value(" \"a\" ").inside() == "a");
    BOOST_TEST((value("-1.5").kind == kind::number));
    BOOST_TEST((value("true").kind == kind::literal));
    BOOST_TEST(value("null").is_null());
    BOOST_TEST(!value("\"null\"").is_null());
    BOOST_TEST(value("12").inside().empty());
}

BOOST_AUTO_TEST_CASE(walkers_give_every_part) {
    for (const std::string_view text : accepted) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(rewritten(value(text)) == without_space(std::string(text)));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_member_runs_from_its_key_to_its_value) {
    const std::string text = "{ \"a\" : [ 1 , 2 ]  , \"b\":\"x\\\"y\" }";
    object_walker members(value(text));
    const auto a = members.next();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->whole == "\"a\" : [ 1 , 2 ]");
    const auto b = members.next();
    BOOST_REQUIRE(b);
    BOOST_TEST(b->whole == "\"b\":\"x\\\"y\"");
    BOOST_TEST(b->value.inside() == "x\\\"y");
    BOOST_TEST(!members.next());
    BOOST_TEST(!members.next());
}

BOOST_AUTO_TEST_CASE(of_equal_keys_the_last_is_found) {
    const value_view object = value(R"({"a":1,"b":2,"\u0061":3,"aa":4})");
    BOOST_REQUIRE(find_last(object, "a"));
    BOOST_TEST(find_last(object, "a")->value.raw == "3");
    BOOST_TEST(find_last(object, "b")->value.raw == "2");
    BOOST_TEST(!find_last(object, "c"));
    BOOST_TEST(!find_last(value("{}"), "a"));
}

BOOST_AUTO_TEST_CASE(nesting_is_bounded) {
    const std::size_t most = proxy::limits::json_depth_max;
    BOOST_TEST(read_value(nested(most, '[', ']')).has_value());
    BOOST_TEST(!read_value(nested(most + 1, '[', ']')));
    std::string objects;
    for (std::size_t i = 0; i < most; ++i) {
        objects += "{\"a\":";
    }
    BOOST_TEST(read_value(objects + "1" + std::string(most, '}')).has_value());
    BOOST_TEST(!read_value("[" + objects + "1" + std::string(most, '}') + "]"));
    BOOST_TEST(!read_value(std::string(1000000, '[')));
}

BOOST_AUTO_TEST_CASE(hard_texts_take_linear_time) {
    const std::size_t size = std::size_t{2} << 20;
    BOOST_TEST(!read_value("\"" + std::string(size, '\\')));
    BOOST_TEST(read_value("\"" + std::string(size, '\\') + "\"").has_value());
    std::string quotes = "\"";
    while (quotes.size() < size) {
        quotes += "\\\"";
    }
    BOOST_TEST(!read_value(quotes));
    BOOST_TEST(read_value(quotes + "\"").has_value());
    std::string elements = "[";
    while (elements.size() < size) {
        elements += "[],{},\"\",";
    }
    const std::string text = elements + "0]";
    array_walker walker(value(text));
    std::size_t count = 0;
    while (walker.next()) {
        ++count;
    }
    BOOST_TEST(count > size / 4);
}

BOOST_AUTO_TEST_CASE(scanning_allocates_nothing) {
    const std::string text = R"({"a":[1,{"b":"c"}],"d":null})";
    const tests::allocation_count before;
    const auto read = read_value(text);
    const bool found = read && find_last(*read, "d").has_value();
    BOOST_TEST(before.made() == 0U);
    BOOST_TEST(found);
}

BOOST_AUTO_TEST_SUITE_END()
