#include "tests/documents/documents.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

namespace tests::documents {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 7> roots = {
    "/usr/share",          "/usr/include",          "/usr/lib/python3",
    "/usr/lib/python3.11", "/usr/lib/node_modules", "/usr/local/lib/node_modules",
    "/usr/lib/gcc"};

constexpr std::uintmax_t file_bytes_max = 2 * 1024 * 1024;

bool is_document(const fs::path& path) {
    static const std::set<std::string> kinds = {
        ".md",   ".markdown", ".rst",  ".html", ".htm", ".xhtml", ".xml", ".xsl",  ".xslt", ".svg",
        ".json", ".js",       ".mjs",  ".cjs",  ".ts",  ".css",   ".py",  ".pyi",  ".h",    ".hpp",
        ".hh",   ".c",        ".cc",   ".cpp",  ".sh",  ".pl",    ".pm",  ".rb",   ".yaml", ".yml",
        ".j2",   ".jinja",    ".tmpl", ".el",   ".vim", ".lua",   ".m4",  ".cmake"};
    return kinds.contains(path.extension().string());
}

struct found {
    std::string path;
    std::uintmax_t bytes = 0;
};

std::vector<found> all_documents() {
    std::vector<found> all;
    const auto options = fs::directory_options::skip_permission_denied;
    for (const auto root : roots) {
        std::error_code ec;
        for (fs::recursive_directory_iterator at(root, options, ec), end; !ec && at != end;
             at.increment(ec)) {
            if (at->is_symlink(ec) || !at->is_regular_file(ec) || !is_document(at->path())) {
                continue;
            }
            const auto bytes = at->file_size(ec);
            if (!ec && bytes > 0 && bytes <= file_bytes_max) {
                all.push_back({at->path().string(), bytes});
            }
        }
    }
    std::ranges::sort(all, {}, &found::path);
    return all;
}

} // namespace

std::vector<std::string> installed_documents(const selection& most) {
    const auto all = all_documents();
    const std::size_t step = std::max<std::size_t>(1, all.size() / most.files_max);
    std::vector<std::string> chosen;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < all.size() && chosen.size() < most.files_max; i += step) {
        if (bytes + all[i].bytes <= most.bytes_max) {
            bytes += all[i].bytes;
            chosen.push_back(all[i].path);
        }
    }
    return chosen;
}

} // namespace tests::documents
