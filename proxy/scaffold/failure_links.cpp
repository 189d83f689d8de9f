#include "proxy/scaffold/failure_links.hpp"

#include <deque>

namespace proxy::scaffold {

namespace {

constexpr auto root = trie_builder::root_any;

/// Bytes that matter to code context, so that a search must not pass over them inside a match.
bool is_context(unsigned char byte) {
    return byte == '`' || byte == '\n' || byte == '\\';
}

class link_finder {
  public:
    explicit link_finder(const trie_builder& trie)
        : trie_(trie), links_(trie.nodes.size()), seen_(trie.nodes.size()) {}

    std::vector<failure_link> run() {
        std::deque<std::uint32_t> open = {root};
        seen_[root] = true;
        while (!open.empty()) {
            const auto from = open.front();
            open.pop_front();
            for (const auto& [byte, target] : trie_.nodes[from].edges) {
                if (visit(from, byte, target)) {
                    open.push_back(target);
                }
            }
        }
        spread_stops();
        return std::move(links_);
    }

  private:
    /// Notes the edge's link for its target; true if the search goes on behind a new node.
    bool visit(std::uint32_t from, unsigned char byte, std::uint32_t target) {
        auto& link = links_[target];
        const auto found = follow(from, byte);
        const bool agrees = found.node == link.node && found.back == link.back;
        const bool fresh = !seen_[target];
        seen_[target] = true;
        link = fresh ? failure_link{found.node, found.back, link.stop} : link;
        link.stop = link.stop || is_context(byte) || !(fresh || agrees) ||
                    trie_.nodes[target].entry != trie_builder::none;
        return fresh && !link.stop;
    }

    /// The longest match that `byte` leads to from what else is in progress at `from`.
    failure_link follow(std::uint32_t from, unsigned char byte) const {
        while (from != root) {
            const auto back = links_[from].back;
            from = links_[from].node;
            const auto& edges = trie_.nodes[from].edges;
            if (const auto next = edges.find(byte); next != edges.end()) {
                return {next->second, static_cast<std::uint16_t>(back + 1), false};
            }
        }
        return {};
    }

    /// A match in which another one is whole, or at a stop, is at a stop itself.
    void spread_stops() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (auto& link : links_) {
                const bool stop = link.stop || links_[link.node].stop;
                changed = changed || stop != link.stop;
                link.stop = stop;
            }
        }
    }

    const trie_builder& trie_;
    std::vector<failure_link> links_;
    std::vector<bool> seen_;
};

} // namespace

std::vector<failure_link> find_failure_links(const trie_builder& trie) {
    return link_finder(trie).run();
}

} // namespace proxy::scaffold
