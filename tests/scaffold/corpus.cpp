#include "tests/scaffold/corpus.hpp"

#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <fstream>
#include <stdexcept>
#include <string_view>

namespace proxy::tests {

namespace {

json::value_view member(json::value_view object, std::string_view key) {
    const auto found = json::find_last(object, key);
    if (!found) {
        throw std::runtime_error("a corpus line without " + std::string(key));
    }
    return found->value;
}

} // namespace

std::vector<corpus_case> read_corpus() {
    std::ifstream file(TESTS_DIR "/corpus/scaffolding.jsonl");
    std::vector<corpus_case> cases;
    for (std::string line; std::getline(file, line);) {
        const auto row = json::read_value(line);
        if (!row) {
            throw std::runtime_error("a corpus line that is no JSON: " + line);
        }
        const auto text = [&](std::string_view key) {
            return json::unescape(member(*row, key).inside());
        };
        cases.push_back({text("id"), text("format"), text("kind"),
                         member(*row, "tools").raw == "true", text("raw"), text("clean")});
    }
    return cases;
}

} // namespace proxy::tests
