// The catalog as a file: what is read, and what is refused with which words.
#include "proxy/base/limits.hpp"
#include "proxy/config/formats_file.hpp"
#include "proxy/scaffold/catalog.hpp"
#include "proxy/scaffold/matcher.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace proxy::tests {

namespace {

using scaffold::format;

constexpr std::string_view head = "formats:\n"
                                  "  - name: one\n"
                                  "    families: [a model]\n"
                                  "    class: tagged\n"
                                  "    risk: low\n"
                                  "    source: https://example.org\n";

std::string problem_of(const std::string& yaml) {
    try {
        config::parse_formats(yaml, "f.yaml");
    } catch (const config::config_error& error) {
        return error.what();
    }
    return "";
}

format simple(std::string name, std::string opener) {
    format fmt;
    fmt.name = std::move(name);
    fmt.open = {{std::move(opener), false}};
    return fmt;
}

std::string catalog_problem(std::vector<format> formats) {
    try {
        scaffold::catalog built(std::move(formats));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(formats_file)

BOOST_AUTO_TEST_CASE(every_key_is_read) {
    const auto formats = config::parse_formats("formats:\n"
                                               "  - name: x-1\n"
                                               "    families: [A, B 2]\n"
                                               "    class: sentinel\n"
                                               "    strip_as: result\n"
                                               "    open: [\"<|a|>\", \"<|b|>\\n\"]\n"
                                               "    close: [\"<|c|>\"]\n"
                                               "    section_open: [\"<|d|>\"]\n"
                                               "    section_close: [\"<|e|>\"]\n"
                                               "    payload: name_sep_json\n"
                                               "    separators: [\"[S]\"]\n"
                                               "    keys: [tool]\n"
                                               "    list_keys: [tools]\n"
                                               "    aka: [x-2, x-3]\n"
                                               "    prefix: p_\n"
                                               "    anchor: turn\n"
                                               "    place: header\n"
                                               "    fold: true\n"
                                               "    repeat: false\n"
                                               "    glued: true\n"
                                               "    alone: true\n"
                                               "    behind_call: true\n"
                                               "    needs_tools: true\n"
                                               "    needs_declared_name: true\n"
                                               "    risk: high\n"
                                               "    source: https://example.org/x\n",
                                               "f.yaml");
    BOOST_REQUIRE_EQUAL(formats.size(), 1U);
    const auto& fmt = formats.front();
    BOOST_TEST(fmt.name == "x-1");
    BOOST_TEST(fmt.families.size() == 2);
    BOOST_TEST((fmt.cls == scaffold::format_class::sentinel));
    BOOST_TEST((fmt.strip_as == scaffold::span_kind::result));
    BOOST_REQUIRE_EQUAL(fmt.open.size(), 2U);
    BOOST_TEST(fmt.open[1].literal == "<|b|>\n");
    for (const auto* list : {&fmt.open, &fmt.close, &fmt.section_open, &fmt.section_close}) {
        BOOST_TEST(std::ranges::all_of(*list, &scaffold::marker::fold));
    }
    BOOST_TEST(fmt.close.size() + fmt.section_open.size() + fmt.section_close.size() == 3);
    BOOST_TEST((fmt.payload == scaffold::payload_kind::name_sep_json));
    BOOST_TEST(fmt.separators.at(0) == "[S]");
    BOOST_TEST(fmt.keys.at(0) == "tool");
    BOOST_TEST(fmt.list_keys.at(0) == "tools");
    BOOST_TEST(fmt.aka.size() == 2);
    BOOST_TEST(fmt.prefix == "p_");
    BOOST_TEST((fmt.anchor == scaffold::anchor_kind::turn));
    BOOST_TEST((fmt.place == scaffold::control_place::header));
    BOOST_TEST((!fmt.repeat && fmt.glued && fmt.alone && fmt.behind_call));
    BOOST_TEST((fmt.needs_tools && fmt.needs_declared_name));
    BOOST_TEST(fmt.risk == "high");
    BOOST_TEST(fmt.source == "https://example.org/x");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named_with_its_line) {
    struct row {
        std::string_view tail;
        std::string_view message;
    };

    const std::string long_marker =
        "    open: [\"<" + std::string(limits::marker_bytes_max, 'a') + "\"]\n";
    const row rows[] = {
        {"    open: [\"<a>\"]\n    opne: [\"<b>\"]\n", "f.yaml:8: opne: unknown key of a format"},
        {"    open: \"<a>\"\n", "f.yaml:7: open: a list of texts is allowed here"},
        {"    open: [[\"<a>\"]]\n", "f.yaml:7: open: a text is allowed here"},
        {"    open: [\"\"]\n", "f.yaml:7: open: '' has 0 bytes; 2 to 64 are allowed"},
        {"    open: [\"<\"]\n", "f.yaml:7: open: '<' has 1 bytes; 2 to 64 are allowed"},
        {long_marker, "has 65 bytes; 2 to 64 are allowed"},
        {"    open: [\"<a>\"]\n    payload: jason\n",
         "f.yaml:8: payload: 'jason' is none of none, json_call, json_list"},
        {"    open: [\"<a>\"]\n    repeat: maybe\n",
         "f.yaml:8: repeat: 'maybe' is none of true, false"},
        {"    open: [\"<a>\"]\n    anchor: page\n",
         "f.yaml:8: anchor: 'page' is none of anywhere, line, turn"},
        {"    close: [\"</a>\"]\n", "f.yaml:2: open: every format needs this key"},
        {"    open: [\"<a>\"]\n    open: [\"<b>\"]\n", "f.yaml:8"},
        {"    open: [\"<a>\"]\n  - name: one\n    families: [b]\n    open: [\"<b>\"]\n    risk: "
         "low\n"
         "    source: s\n",
         "f.yaml:8: name: 'one' stands twice"},
        {"    open: [\"<a>\"]\n  - families: [b]\n    open: [\"<b>\"]\n    risk: low\n    source: "
         "s\n",
         "f.yaml:8: name: every format needs this key"},
        {"    open: [\"<a>\"]\n  - name: b\n    open: [\"<b>\"]\n    risk: low\n    source: s\n",
         "f.yaml:8: families: every format needs this key"},
        {"    open: [\"<a>\"]\n  - name: Two Words\n",
         "f.yaml:8: name: a name of lower-case letters, digits, '-' and '.' is allowed here"},
        {"    open: [\"<a>\"]\n  - just text\n",
         "f.yaml:8: formats: a list of maps is allowed here"},
        {"    open: [\"<a>\"]\nother: 1\n",
         "f.yaml:8: other: unknown key; 'formats' is allowed here"},
        {"    open: [\"<a>\n", "f.yaml:"},
    };
    for (const auto& r : rows) {
        const auto problem = problem_of(std::string(head) + std::string(r.tail));
        BOOST_TEST(problem.find(r.message) != std::string::npos,
                   "'" << problem << "' doesn't hold '" << r.message << "'");
    }
    BOOST_TEST(!problem_of("").empty());
    BOOST_TEST(!problem_of("formats: []\n").empty());
    BOOST_TEST(problem_of("formats: yes\n") == "f.yaml:1: formats: a list of maps is allowed here");
    BOOST_TEST(problem_of(std::string(head) + "    open: [\"<a>\"]\n").empty());
}

BOOST_AUTO_TEST_CASE(the_built_in_catalog_says_of_each_format_where_it_was_seen) {
    const auto catalog = config::built_in_catalog();
    std::set<std::string> names;
    BOOST_TEST(catalog.formats().size() > 60);
    for (const auto& fmt : catalog.formats()) {
        BOOST_TEST(names.insert(fmt.name).second, fmt.name);
        BOOST_TEST(!fmt.families.empty(), fmt.name);
        BOOST_TEST(fmt.source.starts_with("https://"), fmt.name);
        BOOST_TEST((fmt.risk == "low" || fmt.risk == "medium" || fmt.risk == "high"), fmt.name);
        const bool shaped = fmt.cls == scaffold::format_class::shaped;
        BOOST_TEST((!shaped || fmt.needs_tools || fmt.needs_declared_name), fmt.name);
    }
}

BOOST_AUTO_TEST_CASE(every_dialect_that_was_published_has_its_row) {
    constexpr std::string_view dialects[] = {"hermes",
                                             "hermes-alias",
                                             "granite20b-fc",
                                             "tool-calls-list",
                                             "tool-calls-lines",
                                             "granite3",
                                             "phi4-mini",
                                             "functools",
                                             "nemotron-toolcall",
                                             "apertus",
                                             "internlm2",
                                             "command-r7b",
                                             "command-r1",
                                             "cofl",
                                             "gigachat3",
                                             "sarashina",
                                             "pangu",
                                             "xlam",
                                             "rwkv",
                                             "qwen3-coder",
                                             "functionary31",
                                             "seed-oss",
                                             "minicpm5",
                                             "invoke-xml",
                                             "minimax-m2",
                                             "minimax-m3",
                                             "dots",
                                             "step3",
                                             "gigachat35",
                                             "dsml-v32",
                                             "dsml-v4",
                                             "dsml-variants",
                                             "muse",
                                             "mcp-xml",
                                             "toolname-xml",
                                             "tool-use-xml",
                                             "glm45",
                                             "longcat",
                                             "hy3",
                                             "hy4",
                                             "k2-horizon",
                                             "solar-open2",
                                             "plamo3",
                                             "mistral-v3",
                                             "mistral-v7",
                                             "mistral-v11",
                                             "mistral-v13",
                                             "mistral-v11-old",
                                             "deepseek-v3",
                                             "deepseek-r1",
                                             "deepseek-v31",
                                             "deepseek-r1-typos",
                                             "kimi-k2",
                                             "kimi-k3",
                                             "gemma4",
                                             "functiongemma",
                                             "inkling",
                                             "lfm2",
                                             "llama-python-tag",
                                             "llama4-pythonic",
                                             "olmo3",
                                             "functionary32",
                                             "functionary2",
                                             "qwen-agent",
                                             "harmony-call",
                                             "harmony-analysis",
                                             "harmony-final",
                                             "harmony-preamble",
                                             "bare-json",
                                             "pythonic",
                                             "json-fence",
                                             "info-fence",
                                             "react",
                                             "calling-tool",
                                             "bracket-block",
                                             "name-paren",
                                             "mistral-residue",
                                             "kimi-residue",
                                             "gemma-residue",
                                             "harmony-residue"};
    const auto catalog = config::built_in_catalog();
    std::set<std::string_view> known;
    for (const auto& fmt : catalog.formats()) {
        BOOST_TEST(known.insert(fmt.name).second, fmt.name);
        for (const auto& name : fmt.aka) {
            BOOST_TEST(known.insert(name).second, name << " stands twice");
        }
    }
    for (const auto name : dialects) {
        BOOST_TEST(known.contains(name), name);
    }
}

BOOST_AUTO_TEST_CASE(the_automaton_of_the_built_in_catalog_stays_small) {
    const auto catalog = config::built_in_catalog();
    BOOST_TEST(catalog.markers().nodes() < 10'000U);
}

BOOST_AUTO_TEST_CASE(formats_can_be_switched_off_by_name) {
    const auto all = config::built_in_catalog();
    const auto fewer = config::built_in_catalog({"hermes", "glm45"});
    BOOST_TEST(fewer.formats().size() + 2 == all.formats().size());
    BOOST_TEST(std::ranges::count(fewer.formats(), "hermes", &format::name) == 0);
    BOOST_CHECK_EXCEPTION(config::built_in_catalog({"hermez"}), config::config_error,
                          [](const config::config_error& error) {
                              return std::string_view(error.what()).find("'hermez'") !=
                                     std::string_view::npos;
                          });
}

BOOST_AUTO_TEST_CASE(a_catalog_refuses_what_it_cannot_compile) {
    BOOST_TEST(catalog_problem({simple("a", "<a>")}).empty());
    BOOST_TEST(catalog_problem({simple("a", "<a>"), simple("a", "<b>")}) ==
               "format 'a': the name stands twice");
    BOOST_TEST(catalog_problem({simple("a", "<")}) ==
               "format 'a': a marker needs at least 2 bytes");
    BOOST_TEST(catalog_problem({simple("a", std::string(65, 'x'))}).find("longer than 64") !=
               std::string::npos);
    format none;
    none.name = "none";
    BOOST_TEST(catalog_problem({none}) == "format 'none': no opener");
    std::vector<format> many;
    for (std::size_t i = 0; i <= limits::formats_max; ++i) {
        many.push_back(simple(std::to_string(i), "<" + std::to_string(i) + ">"));
    }
    BOOST_TEST(catalog_problem(many) == "more than 256 formats");
}

BOOST_AUTO_TEST_CASE(a_folded_marker_must_not_meet_another_one_at_a_different_place) {
    auto folded = simple("folded", "<a_b>");
    folded.open[0].fold = true;
    BOOST_TEST(!catalog_problem({simple("plain", "<a b c>"), folded}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace proxy::tests
