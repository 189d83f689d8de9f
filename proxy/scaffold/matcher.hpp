// Finds the markers of all formats at one place of a text, at any cut of it.
//
// The markers form a trie in which equivalent spellings (bars, low lines; see format.hpp) lead to
// the same node, so that no variant is listed. skip() searches the next place where a marker may
// start: it looks at each byte once, for a node's failure link tells where a match that fails goes
// on. From such a place a probe follows the one match; the longest marker wins.
#pragma once

#include "proxy/scaffold/format.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

/// What a marker is to one format. A mention is the begin of a plain tag (`<function `): it only
/// tells that the text shows the tag's opener (D6).
enum class marker_role : std::uint8_t { open, section_open, close, section_close, mention };

struct marker_use {
    const scaffold::format* fmt = nullptr;
    std::uint16_t format = 0; ///< index in the catalog
    marker_role role = marker_role::open;
};

/// One literal of the catalog with everything it can be.
struct marker_entry {
    std::string literal;
    std::vector<marker_use> uses;
    bool sentinel = false; ///< every use is of a sentinel format

    /// True if some use has role `role`.
    bool has(marker_role role) const;
};

struct marker_builder;

class matcher {
  public:
    /// A match in progress. Belongs to one start position; the text is given anew at each call.
    struct probe {
        std::uint32_t node = 0;
        std::uint32_t length = 0;      ///< bytes followed so far
        std::uint32_t best_length = 0; ///< longest marker so far
        const marker_entry* best = nullptr;
        anchor_kind level = anchor_kind::anywhere; ///< among whose markers the match now is
        bool cut = false;                          ///< the text ended inside a marker
    };

    enum class outcome : std::uint8_t {
        none, ///< no marker starts here
        more, ///< a marker may start here: the next bytes tell
        hit,  ///< `best` with `best_length` starts here
    };

    /// Compiles the markers of `formats`, which must outlive the matcher. Throws
    /// std::invalid_argument if two spellings contradict each other.
    explicit matcher(const std::vector<format>& formats);

    /// The begin of a match at a place of this kind. Markers that count only there come first.
    probe start(anchor_kind level) const;

    /// The begin of a match behind a payload, where the closers of anchored formats count too.
    probe start_behind_payload() const;

    /// Follows `text`, which begins at the match's start and holds all bytes followed before.
    /// With `last`, nothing comes behind it: the outcome is not `more` if a marker was found.
    outcome follow(probe& p, std::string_view text, bool last) const;

    /// The marker that only lacks its final bracket behind the `p.length` bytes followed, or null.
    const marker_entry* unfinished(const probe& p) const;

    /// True if everything that can come of the match so far is a sentinel's.
    bool only_sentinels(const probe& p) const;

    /// How many bytes at the begin of `text` neither start a marker (of those that count anywhere)
    /// nor matter to code context. What stands there may still turn out to be no marker.
    std::size_t skip(std::string_view text) const;

    /// True if a marker can start with `c` at a place of this kind.
    bool starts(char c, anchor_kind level) const {
        return (starts_[static_cast<unsigned char>(c)] & (1U << static_cast<unsigned>(level))) != 0;
    }

    /// The formats that have no opener at all: their payload stands bare.
    const marker_entry& bare() const { return bare_; }

    std::size_t nodes() const { return nodes_.size(); }

  private:
    struct node {
        std::uint32_t first_edge = 0; // or the row of a wide node
        std::uint16_t edges = 0;
        bool tagged_below = false;
        bool stop = false;      // skip() ends here
        std::uint32_t link = 0; // where a match that fails here goes on
        std::uint32_t back = 0; // bytes followed of that other match
        const marker_entry* entry = nullptr;
    };

    struct edge {
        unsigned char byte;
        std::uint32_t target;
    };

    enum class gate : std::uint8_t { pass, start, stop };

    using row = std::array<std::uint32_t, 256>;

    static constexpr std::uint32_t no_node = 0;
    static constexpr std::size_t narrow_max = 4; // edges of a node that are searched one by one

    std::uint32_t child(std::uint32_t from, unsigned char byte) const {
        const node& at = nodes_[from];
        if (at.edges > narrow_max) {
            return rows_[at.first_edge][byte];
        }
        for (std::uint32_t i = at.first_edge; i < at.first_edge + at.edges; ++i) {
            if (edges_[i].byte == byte) {
                return edges_[i].target;
            }
        }
        return no_node;
    }

    void add_node(const marker_builder& build, std::uint32_t id);
    void set_gate();

    std::vector<node> nodes_; // 0 stands for "none", 1 to 4 are the roots
    std::vector<edge> edges_;
    std::vector<row> rows_; // of nodes with many edges
    std::vector<marker_entry> entries_;
    marker_entry bare_;
    std::array<gate, 256> gate_{};           // what skip() does at a byte outside any match
    std::array<std::uint8_t, 256> starts_{}; // one bit for each kind of place
};

} // namespace proxy::scaffold
