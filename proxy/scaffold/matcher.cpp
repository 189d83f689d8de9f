#include "proxy/scaffold/matcher.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/failure_links.hpp"
#include "proxy/scaffold/marker_builder.hpp"

#include <algorithm>
#include <initializer_list>

namespace proxy::scaffold {

namespace {

/// Spellings may be longer than the literal: bars doubled, wide characters.
constexpr std::uint32_t match_bytes_max = 3 * limits::marker_bytes_max;

} // namespace

bool marker_entry::has(marker_role role) const {
    return std::ranges::any_of(uses, [role](const marker_use& use) { return use.role == role; });
}

matcher::matcher(const std::vector<format>& formats) {
    marker_builder build;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const auto index = static_cast<std::uint16_t>(i);
        build.add_format(formats[i], index);
        if (formats[i].open.empty() && formats[i].section_open.empty()) {
            bare_.uses.push_back({&formats[i], index, marker_role::open});
        }
    }
    entries_ = std::move(build.entries);
    nodes_.resize(build.trie.nodes.size());
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        add_node(build, id);
    }
    const auto links = find_failure_links(build.trie);
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        nodes_[id].link = links[id].node;
        nodes_[id].back = links[id].back;
        nodes_[id].stop = links[id].stop;
    }
    set_gate();
}

void matcher::add_node(const marker_builder& build, std::uint32_t id) {
    const auto& from = build.trie.nodes[id];
    auto& to = nodes_[id];
    to.edges = static_cast<std::uint16_t>(from.edges.size());
    to.tagged_below = from.tagged_below;
    to.entry = from.entry == trie_builder::none ? nullptr : &entries_[from.entry];
    if (to.edges > narrow_max) {
        to.first_edge = static_cast<std::uint32_t>(rows_.size());
        auto& targets = rows_.emplace_back(row{});
        for (const auto& [byte, target] : from.edges) {
            targets[byte] = target;
        }
        return;
    }
    to.first_edge = static_cast<std::uint32_t>(edges_.size());
    for (const auto& [byte, target] : from.edges) {
        edges_.push_back({byte, target});
    }
}

void matcher::set_gate() {
    for (std::size_t i = 0; i < gate_.size(); ++i) {
        const auto byte = static_cast<unsigned char>(i);
        const bool any = child(trie_builder::root_any, byte) != no_node;
        const bool line = any || child(trie_builder::root_line, byte) != no_node;
        const bool turn = line || child(trie_builder::root_turn, byte) != no_node;
        const auto bit = [](bool set, anchor_kind level) {
            return static_cast<std::uint8_t>(set ? 1U << static_cast<unsigned>(level) : 0U);
        };
        starts_[i] = bit(any, anchor_kind::anywhere) | bit(line, anchor_kind::line) |
                     bit(turn, anchor_kind::turn);
        gate_[i] = any ? gate::start : gate::pass;
    }
    // A backslash can hide a backtick; a tilde counts at line starts only, which are not skipped.
    for (const char c : {'`', '\n', '\\'}) {
        gate_[static_cast<unsigned char>(c)] = gate::stop;
    }
}

matcher::probe matcher::start(anchor_kind level) const {
    probe p;
    p.level = level;
    p.node = trie_builder::root_of(level);
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
    for (const char bracket : {'>', ']'}) {
        const auto next = child(p.node, static_cast<unsigned char>(bracket));
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
    std::size_t start = 0;
    std::uint32_t at = trie_builder::root_any;
    for (std::size_t i = 0;;) {
        if (at == trie_builder::root_any) {
            while (i < text.size() && gate_[static_cast<unsigned char>(text[i])] == gate::pass) {
                ++i;
            }
            start = i;
            if (i == text.size() || gate_[static_cast<unsigned char>(text[i])] == gate::stop) {
                return i;
            }
        }
        if (i == text.size()) {
            return start; // the next bytes tell
        }
        if (const auto next = child(at, static_cast<unsigned char>(text[i])); next != no_node) {
            if (nodes_[next].stop) {
                return start;
            }
            at = next;
            ++i;
        } else {
            start = i - nodes_[at].back;
            at = nodes_[at].link;
        }
    }
}

} // namespace proxy::scaffold
