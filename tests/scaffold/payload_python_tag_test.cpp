// What stands behind <|python_tag|>.
#include "tests/scaffold/payload_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using enum proxy::scaffold::payload_kind;
using enum proxy::scaffold::payload_state;
using proxy::scaffold::format_class;
using tests::check;
using tests::payload_setting;

const payload_setting llama{.kind = python_tag, .cls = format_class::sentinel};

} // namespace

BOOST_AUTO_TEST_SUITE(payload_python_tag)

BOOST_AUTO_TEST_CASE(a_call_comes_in_three_forms) {
    check(
        llama,
        {
            {"json", "<|python_tag|>", R"({"name": "f", "parameters": {"q": "x"}}§<|eom_id|>)",
             complete, "f"},
            {"typed json", "<|python_tag|>",
             R"({"type": "function", "name": "f", "parameters": {}}§High)", complete, "f"},
            {"two objects", "<|python_tag|>",
             R"({"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}§)", complete, "f"},
            {"json list", "<|python_start|>", R"([{"name": "f", "parameters": {}}]§<|python_end|>)",
             complete, "f"},
            {"method", "<|python_tag|>", "search_web.call(query=\"Voyager 1\")§", complete,
             "search_web"},
            {"call", "<|python_tag|>", "f(port=\"Brest\")§High water", complete, "f"},
            {"call list", "<|python_start|>", "[f(a=1), g()]§<|python_end|>", complete, "f"},
            {"spaced", "<|python_tag|>", "\n{\"name\": \"f\"}§\n", complete, "f"},
            {"json cut", "<|python_tag|>", R"({"name": "f", "para)", confirmed, "f"},
            {"call cut", "<|python_tag|>", "f(a=\"x", confirmed, "f"},
        });
}

BOOST_AUTO_TEST_CASE(a_program_ends_with_the_message) {
    check(llama,
          {
              {"import", "<|python_tag|>", "import math\nprint(math.pi)§<|eom_id|>", complete},
              {"import as", "<|python_tag|>", "import numpy as np\nx = 1", complete},
              {"from", "<|python_tag|>", "from math import pi\nprint(pi)§<|eot_id|>", complete},
              {"assignment", "<|python_tag|>", "x = 2**16\nx", complete},
              {"definition", "<|python_tag|>", "def f(x):\n    return x < 2§<|eom_id|>", complete},
              {"print", "<|python_tag|>", "print(\"a\")\nprint(x)§<|eom_id|>", complete},
              {"expression", "<|python_tag|>", "sum(x for x in range(3))", complete},
              {"comment", "<|python_tag|>", "# count\nn = 1", complete},
              {"one line at the end", "<|python_tag|>", "import math", complete},
              {"half an end", "<|python_tag|>", "import math\nx = 1 <|eo", complete},
              {"not quite an end", "<|python_tag|>", "import math\nx <|eom|> <<|eom_id§<|eom_id|>",
               complete},
          });
}

BOOST_AUTO_TEST_CASE(prose_behind_the_tag_is_refuted) {
    check(llama, {
                     {"sentence", "<|python_tag|>", " is a token.", broken},
                     {"list", "<|python_tag|>", "\n§- <minimax:tool_call>", broken},
                     {"table", "<|python_tag|>", " §| x |", broken},
                     {"backtick", "<|python_tag|>", "` is", broken},
                     {"import in a sentence", "<|python_tag|>", "import it §first", broken},
                     {"import, spaced", "<|python_tag|>", " import math\n", broken},
                     {"from in a sentence", "<|python_tag|>", "from now on", broken},
                     {"comparison", "<|python_tag|>", "x == 1", broken},
                     {"template", "<|python_tag|>", R"({"name": §<name>})", broken},
                     {"word", "<|python_tag|>", "token", started},
                     {"nothing", "<|python_tag|>", "", waiting},
                 });
    const std::string word(200, 'x');
    check(llama, {{"a long word", "<|python_tag|>", word, broken}});
}

BOOST_AUTO_TEST_SUITE_END()
