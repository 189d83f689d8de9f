// Builds the trie of the markers: equivalent spellings lead to the same node.
#pragma once

#include "proxy/scaffold/matcher.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

class trie_builder {
  public:
    struct node {
        std::map<unsigned char, std::uint32_t> edges;
        std::size_t entry = none;
        bool tagged_below = false;
    };

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr std::uint32_t root_any = 1;
    static constexpr std::uint32_t root_line = 2;
    static constexpr std::uint32_t root_turn = 3;
    static constexpr std::uint32_t root_tail = 4;

    trie_builder() : nodes(5) {}

    /// The root of the markers that count at a place of this kind only.
    static std::uint32_t root_of(anchor_kind level);

    /// Adds `text` below `root` and returns its node, whose entry may be set already. Throws
    /// std::invalid_argument if the spelling meets another marker at a different node.
    std::uint32_t add(std::uint32_t root, std::string_view text, bool fold, bool tagged);

    /// Lets `:LABEL` stand in front of the final `>` of a tag that add() was given.
    void add_label(std::uint32_t root, std::string_view text);

    std::vector<node> nodes;

  private:
    std::uint32_t byte(std::uint32_t from, char c);
    std::uint32_t bar(std::uint32_t from, bool loose);
    void blanks_around_bar(std::uint32_t from, std::uint32_t target, char next);
    std::uint32_t low_line(std::uint32_t from);
    void chain(std::uint32_t from, std::string_view bytes, std::uint32_t target);
};

} // namespace proxy::scaffold
