// Where a match goes on when its next byte fits no marker: the failure links of Aho and Corasick.
//
// The link of a node names the longest other match in progress at the same place. Spellings that
// lead to one node must agree on it; where they don't, the node is one to stop at, like one where
// a marker is whole: the exact match then starts at the byte behind the failed start.
#pragma once

#include "proxy/scaffold/trie_builder.hpp"

#include <cstdint>
#include <vector>

namespace proxy::scaffold {

struct failure_link {
    std::uint32_t node = trie_builder::root_any;
    std::uint16_t back = 0; ///< bytes that the other match has followed; 0 at the root
    bool stop = false;      ///< a search for starts must not go on here by itself
};

/// The link of each node below trie_builder::root_any. Nodes behind a stop have none.
std::vector<failure_link> find_failure_links(const trie_builder& trie);

} // namespace proxy::scaffold
