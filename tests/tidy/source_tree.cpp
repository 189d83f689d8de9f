#include "tests/tidy/source_tree.hpp"

#include <filesystem>
#include <fstream>
#include <regex>

namespace tests {

namespace fs = std::filesystem;

namespace {

source_file load(const fs::path& path, const fs::path& root) {
    source_file file;
    const fs::path relative = fs::relative(path, root);
    file.path = relative.generic_string();
    auto part = relative.begin();
    ++part;
    file.folder = part->string();
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        file.lines.push_back(line);
    }
    return file;
}

} // namespace

std::vector<source_file> sources_below(const std::string& root) {
    const fs::path top = SOURCE_DIR;
    std::vector<source_file> files;
    if (!fs::exists(top / root)) {
        return files;
    }
    for (const auto& entry : fs::recursive_directory_iterator(top / root)) {
        const bool ours = entry.path().string().find("node_modules") == std::string::npos;
        const auto extension = entry.path().extension();
        if (ours && entry.is_regular_file() && (extension == ".hpp" || extension == ".cpp")) {
            files.push_back(load(entry.path(), top));
        }
    }
    return files;
}

std::string included(const std::string& line) {
    static const std::regex pattern(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
    std::smatch match;
    return std::regex_search(line, match, pattern) ? match[1].str() : std::string();
}

} // namespace tests
