#include "proxy/scaffold/trie_builder.hpp"

#include "proxy/scaffold/folded_marks.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace proxy::scaffold {

namespace {

std::size_t low_line_length(std::string_view text) {
    if (text.starts_with('_')) {
        return 1;
    }
    return text.starts_with(low_block) ? low_block.size() : 0;
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

} // namespace

std::uint32_t trie_builder::root_of(anchor_kind level) {
    switch (level) {
    case anchor_kind::anywhere:
        return root_any;
    case anchor_kind::line:
        return root_line;
    case anchor_kind::turn:
        return root_turn;
    }
    return root_any;
}

std::uint32_t trie_builder::byte(std::uint32_t from, char c) {
    const auto b = static_cast<unsigned char>(c);
    if (auto it = nodes[from].edges.find(b); it != nodes[from].edges.end()) {
        return it->second;
    }
    const auto target = static_cast<std::uint32_t>(nodes.size());
    nodes.emplace_back();
    nodes[from].edges.emplace(b, target);
    return target;
}

void trie_builder::chain(std::uint32_t from, std::string_view bytes, std::uint32_t target) {
    for (char c : bytes.substr(0, bytes.size() - 1)) {
        from = byte(from, c);
    }
    const auto last = static_cast<unsigned char>(bytes.back());
    const auto [it, fresh] = nodes[from].edges.emplace(last, target);
    if (!fresh && it->second != target) {
        throw std::invalid_argument("two spellings of markers contradict each other");
    }
}

std::uint32_t trie_builder::bar(std::uint32_t from, bool loose) {
    const auto target = byte(from, '|');
    for (const auto at : {from, target}) { // a bar may be doubled
        chain(at, "|", target);
        chain(at, wide_bar, target);
        chain(at, double_bar, target);
    }
    if (loose) { // "<｜DSML |", "<｜｜DSML｜｜ tool_calls>", and the parts on lines of their own
                 // were seen (formats.md, dsml-variants)
        for (const std::string_view blank : {" ", "\n"}) {
            chain(from, blank, from);
            chain(target, blank, target);
        }
    }
    return target;
}

void trie_builder::blanks_around_bar(std::uint32_t from, std::uint32_t target, char next) {
    const auto word = byte(target, next);
    for (const char blank : {' ', '\n'}) {
        chain(byte(target, blank), {&next, 1}, word);
        // Not the bar's own node: that is the one of markers without blanks too.
        const auto apart = bar(byte(from, blank), false);
        chain(apart, {&next, 1}, word);
        for (const char behind : {' ', '\n'}) {
            chain(byte(apart, behind), {&next, 1}, word);
        }
    }
}

std::uint32_t trie_builder::low_line(std::uint32_t from) {
    const auto target = byte(from, '_');
    chain(from, " ", target);
    chain(from, low_block, target);
    chain(from, "\\_", target);
    return target;
}

std::uint32_t trie_builder::add(std::uint32_t root, std::string_view text, bool fold, bool tagged) {
    std::uint32_t at = root;
    nodes[at].tagged_below |= tagged;
    for (std::size_t i = 0; i < text.size();) {
        const auto rest = text.substr(i);
        const auto bar_bytes = fold ? bar_length(rest) : 0;
        const auto low_bytes = fold ? low_line_length(rest) : 0;
        if (bar_bytes != 0) {
            const auto bracket = at;
            at = bar(at, i > 0 && is_upper(text[i - 1]));
            i += bar_bytes;
            if (i < text.size() && is_upper(text[i])) { // in front of DSML too, but once
                blanks_around_bar(bracket, at, text[i]);
            }
        } else if (low_bytes != 0) {
            at = low_line(at);
            i += low_bytes;
        } else {
            at = byte(at, text[i]);
            ++i;
        }
        nodes[at].tagged_below |= tagged;
    }
    return at;
}

void trie_builder::add_label(std::uint32_t root, std::string_view text) {
    const auto last = add(root, text.substr(0, text.size() - 1), false, true);
    const auto end = byte(last, text.back());
    const auto colon = byte(last, ':');
    const auto label = byte(colon, '0');
    nodes[label].tagged_below = nodes[colon].tagged_below = true;
    constexpr std::string_view label_bytes = "0123456789abcdefghijklmnopqrstuvwxyz_-";
    for (std::size_t i = 0; i < label_bytes.size(); ++i) {
        chain(colon, label_bytes.substr(i, 1), label);
        chain(label, label_bytes.substr(i, 1), label);
    }
    chain(label, text.substr(text.size() - 1), end);
}

} // namespace proxy::scaffold
