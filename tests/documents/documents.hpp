// Files that packages put on this machine: real text about markup, templates and code that nobody
// wrote for this test.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tests::documents {

struct selection {
    std::size_t files_max = 0;
    std::size_t bytes_max = 0;
};

/// Markdown, source, HTML, XML, JSON and template files below the folders where packages install
/// them, in the order of their paths. If there are more than `most` allows, an even choice of them;
/// files above 2 MiB are left out, links are not followed.
std::vector<std::string> installed_documents(const selection& most);

} // namespace tests::documents
