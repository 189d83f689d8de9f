// Collects the markers of all formats: every literal once, with everything it can be.
#pragma once

#include "proxy/scaffold/matcher.hpp"
#include "proxy/scaffold/trie_builder.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

struct marker_builder {
    trie_builder trie;
    std::vector<marker_entry> entries; ///< trie_builder::node::entry counts these

    /// Adds the markers of `fmt`, which is number `index` of the catalog.
    void add_format(const format& fmt, std::uint16_t index);

  private:
    void add(const marker& m, marker_use use, std::uint32_t root);
    void add_mentions(std::string_view closer, marker_use use);
};

} // namespace proxy::scaffold
