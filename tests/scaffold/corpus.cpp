#include "tests/scaffold/corpus.hpp"

#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <algorithm>
#include <filesystem>
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

namespace {

corpus_case read_case(const std::string& line, const std::string& file) {
    const auto row = json::read_value(line);
    if (!row) {
        throw std::runtime_error("a line of " + file + " that is no JSON: " + line);
    }
    const auto text = [&](std::string_view key) {
        return json::unescape(member(*row, key).inside());
    };
    const bool has_form = json::find_last(*row, "form").has_value();
    return {file,           text("id"),
            text("format"), has_form ? text("form") : "",
            text("kind"),   member(*row, "tools").raw == "true",
            text("raw"),    text("clean")};
}

} // namespace

std::vector<corpus_case> read_corpus() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(TESTS_DIR "/corpus")) {
        if (entry.path().extension() == ".jsonl") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    std::vector<corpus_case> cases;
    for (const auto& path : files) {
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);) {
            cases.push_back(read_case(line, path.filename().string()));
        }
    }
    return cases;
}

} // namespace proxy::tests
