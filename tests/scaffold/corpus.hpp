// Reads tests/corpus/scaffolding.jsonl.
#pragma once

#include <string>
#include <vector>

namespace proxy::tests {

struct corpus_case {
    std::string id;
    std::string format;
    std::string kind; ///< leak, mixed, partial, prose
    bool tools = false;
    std::string raw;
    std::string clean;
};

std::vector<corpus_case> read_corpus();

} // namespace proxy::tests
