// Finds the markers of all formats at one place of a text, at any cut of it.
//
// The markers form a trie in which equivalent spellings (bars, low lines; see format.hpp) lead to
// the same node, so that no variant is listed. A match starts at a byte that can begin a marker and
// is followed from there; the longest marker wins. A failed match goes on one byte behind its
// start: as hardly any marker holds the first byte of another one, that stays linear.
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

    /// How many bytes at the begin of `text` neither start a marker nor matter to code context.
    std::size_t skip(std::string_view text) const;

    /// True if a marker can start with `c` at a place of this kind.
    bool starts(char c, anchor_kind level) const;

    /// The formats that have no opener at all: their payload stands bare.
    const marker_entry& bare() const { return bare_; }

    std::size_t nodes() const { return nodes_.size(); }

  private:
    struct node {
        std::uint32_t first_edge = 0;
        std::uint16_t edges = 0;
        bool tagged_below = false;
        const marker_entry* entry = nullptr;
    };

    struct edge {
        unsigned char byte;
        std::uint32_t target;
    };

    static constexpr std::uint32_t no_node = 0;
    static constexpr std::size_t roots = 5; // ids below are roots, or "none"

    std::uint32_t child(std::uint32_t from, unsigned char byte) const;

    std::vector<node> nodes_; // 0 stands for "none", 1 to 4 are the roots
    std::vector<edge> edges_;
    std::vector<marker_entry> entries_;
    marker_entry bare_;
    std::array<bool, 256> interesting_{};
    // A root has many children and is asked for every byte that could start a marker.
    std::array<std::array<std::uint32_t, 256>, roots> root_children_{};
};

} // namespace proxy::scaffold
