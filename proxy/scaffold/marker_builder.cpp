#include "proxy/scaffold/marker_builder.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace proxy::scaffold {

void marker_builder::add(const marker& m, marker_use use, std::uint32_t root) {
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
void marker_builder::add_mentions(std::string_view closer, marker_use use) {
    if (closer.size() < 4 || closer[1] != '/' || use.fmt->cls == format_class::sentinel) {
        return;
    }
    use.role = marker_role::mention;
    const std::string tag = closer.front() + std::string(closer.substr(2, closer.size() - 3));
    for (char end : {closer.back(), ' ', '=', '\n'}) {
        add({tag + end}, use, trie_builder::root_any);
    }
}

void marker_builder::add_format(const format& fmt, std::uint16_t index) {
    const auto root = trie_builder::root_of(fmt.anchor);
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

} // namespace proxy::scaffold
