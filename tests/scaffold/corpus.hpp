// Reads the cases of tests/corpus: what a model wrote, and what of it must reach the user.
#pragma once

#include <string>
#include <vector>

namespace proxy::tests {

struct corpus_case {
    std::string file;
    std::string id;
    std::string format; ///< a format of the catalog, or `prose-…`
    std::string form;   ///< whole, cut, …; empty for prose
    std::string kind;   ///< leak, mixed, partial, prose
    bool tools = false;
    std::string raw;
    std::string clean;
};

/// All cases of all files, by file name. Throws for a line that is not a case.
std::vector<corpus_case> read_corpus();

} // namespace proxy::tests
