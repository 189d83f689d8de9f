#include "proxy/scaffold/matcher.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/trie_builder.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>

namespace proxy::scaffold {

namespace {

/// Spellings may be longer than the literal: bars doubled, wide characters.
constexpr std::uint32_t match_bytes_max = 3 * limits::marker_bytes_max;

std::uint32_t root_of(anchor_kind level) {
    switch (level) {
    case anchor_kind::anywhere:
        return trie_builder::root_any;
    case anchor_kind::line:
        return trie_builder::root_line;
    case anchor_kind::turn:
        return trie_builder::root_turn;
    }
    return trie_builder::root_any;
}

struct builder {
    trie_builder trie;
    std::vector<marker_entry> entries;

    void add(const marker& m, marker_use use, std::uint32_t root) {
        const std::string& literal = m.literal;
        const bool sentinel = use.fmt->cls == format_class::sentinel;
        const auto node = trie.add(root, literal, m.fold, !sentinel);
        if (m.label) {
            trie.add_label(root, literal);
        }
        auto& index = trie.nodes[node].entry;
        if (index == trie_builder::none) {
            index = entries.size();
            entries.push_back({literal, {}, true});
        }
        auto& entry = entries[index];
        entry.sentinel = entry.sentinel && sentinel;
        const bool known = std::ranges::any_of(entry.uses, [&](const marker_use& u) {
            return u.format == use.format && u.role == use.role;
        });
        if (!known) {
            entry.uses.push_back(use);
        }
    }

    /// The ways in which a text can show the opener of the plain tag that `closer` closes.
    void add_mentions(std::string_view closer, marker_use use) {
        if (closer.size() < 4 || closer[1] != '/' || use.fmt->cls == format_class::sentinel) {
            return;
        }
        use.role = marker_role::mention;
        const std::string tag = closer.front() + std::string(closer.substr(2, closer.size() - 3));
        for (char end : {closer.back(), ' ', '=', '\n'}) {
            add({tag + end}, use, trie_builder::root_any);
        }
    }

    void add_format(const format& fmt, std::uint16_t index) {
        const auto root = root_of(fmt.anchor);
        // What closes an anchored format is nothing that could stand alone.
        const auto close_root =
            fmt.anchor == anchor_kind::anywhere ? trie_builder::root_any : trie_builder::root_tail;
        for (const auto& m : fmt.open) {
            add(m, {&fmt, index, marker_role::open}, root);
            if (fmt.payload == payload_kind::none) {
                add_mentions(m.literal, {&fmt, index, marker_role::mention});
            }
        }
        for (const auto& m : fmt.section_open) {
            add(m, {&fmt, index, marker_role::section_open}, root);
        }
        for (const auto& m : fmt.close) {
            add(m, {&fmt, index, marker_role::close}, close_root);
            add_mentions(m.literal, {&fmt, index, marker_role::mention});
        }
        for (const auto& m : fmt.section_close) {
            add(m, {&fmt, index, marker_role::section_close}, trie_builder::root_any);
            add_mentions(m.literal, {&fmt, index, marker_role::mention});
        }
    }
};

} // namespace

bool marker_entry::has(marker_role role) const {
    return std::ranges::any_of(uses, [role](const marker_use& use) { return use.role == role; });
}

matcher::matcher(const std::vector<format>& formats) {
    builder build;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const auto index = static_cast<std::uint16_t>(i);
        build.add_format(formats[i], index);
        if (formats[i].open.empty() && formats[i].section_open.empty()) {
            bare_.uses.push_back({&formats[i], index, marker_role::open});
        }
    }
    entries_ = std::move(build.entries);
    for (const auto& from : build.trie.nodes) {
        node to;
        to.first_edge = static_cast<std::uint32_t>(edges_.size());
        to.edges = static_cast<std::uint16_t>(from.edges.size());
        to.tagged_below = from.tagged_below;
        to.entry = from.entry == trie_builder::none ? nullptr : &entries_[from.entry];
        nodes_.push_back(to);
        for (const auto& [byte, target] : from.edges) {
            edges_.push_back({byte, target});
        }
    }
    for (std::uint32_t root = 0; root < roots; ++root) {
        for (std::uint32_t i = 0; i < nodes_[root].edges; ++i) {
            const edge& e = edges_[nodes_[root].first_edge + i];
            root_children_[root][e.byte] = e.target;
        }
    }
    // A backslash can hide a backtick; a tilde counts at line starts only, which are not skipped.
    for (char c : {'`', '\n', '\\'}) {
        interesting_[static_cast<unsigned char>(c)] = true;
    }
    for (const auto& [byte, target] : build.trie.nodes[trie_builder::root_any].edges) {
        interesting_[byte] = true;
    }
}

std::uint32_t matcher::child(std::uint32_t from, unsigned char byte) const {
    if (from < roots) {
        return root_children_[from][byte];
    }
    const node& at = nodes_[from];
    for (std::uint32_t i = at.first_edge; i < at.first_edge + at.edges; ++i) {
        if (edges_[i].byte == byte) {
            return edges_[i].target;
        }
    }
    return no_node;
}

matcher::probe matcher::start(anchor_kind level) const {
    probe p;
    p.level = level;
    p.node = root_of(level);
    return p;
}

matcher::probe matcher::start_behind_payload() const {
    probe p;
    p.level = anchor_kind::line;
    p.node = trie_builder::root_tail;
    return p;
}

matcher::outcome matcher::follow(probe& p, std::string_view text, bool last) const {
    while (true) {
        while (p.length < text.size()) {
            const auto next = p.length < match_bytes_max
                                  ? child(p.node, static_cast<unsigned char>(text[p.length]))
                                  : no_node;
            if (next == no_node) {
                break;
            }
            p.node = next;
            ++p.length;
            if (const auto* found = nodes_[next].entry) {
                p.best = found;
                p.best_length = p.length;
            }
        }
        const bool open_end = p.length == text.size() && nodes_[p.node].edges != 0 && !last;
        if (open_end) {
            return outcome::more;
        }
        const bool cut =
            p.cut || (p.length != 0 && p.length == text.size() && nodes_[p.node].edges != 0);
        p.cut = cut;
        if (p.best != nullptr) {
            return outcome::hit;
        }
        if (p.level == anchor_kind::anywhere) {
            return outcome::none;
        }
        p = start(p.level == anchor_kind::turn ? anchor_kind::line : anchor_kind::anywhere);
        p.cut = cut;
    }
}

const marker_entry* matcher::unfinished(const probe& p) const {
    for (const unsigned char bracket : {'>', ']'}) {
        const auto next = child(p.node, bracket);
        const auto* entry = next == no_node ? nullptr : nodes_[next].entry;
        const bool only_mentioned =
            entry != nullptr && std::ranges::all_of(entry->uses, [](const marker_use& use) {
                return use.role == marker_role::mention;
            });
        if (entry != nullptr && !only_mentioned) {
            return entry;
        }
    }
    return nullptr;
}

bool matcher::only_sentinels(const probe& p) const {
    return !nodes_[p.node].tagged_below;
}

std::size_t matcher::skip(std::string_view text) const {
    std::size_t i = 0;
    while (i < text.size() && !interesting_[static_cast<unsigned char>(text[i])]) {
        ++i;
    }
    return i;
}

bool matcher::starts(char c, anchor_kind level) const {
    const auto byte = static_cast<unsigned char>(c);
    return child(trie_builder::root_any, byte) != no_node ||
           (level != anchor_kind::anywhere && child(trie_builder::root_line, byte) != no_node) ||
           (level == anchor_kind::turn && child(trie_builder::root_turn, byte) != no_node);
}

} // namespace proxy::scaffold
