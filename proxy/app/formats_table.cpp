#include "proxy/app/formats_table.hpp"

#include <algorithm>
#include <vector>

namespace proxy::app {

namespace {

using row = std::vector<std::string>;

row titles(const case_counts* counts) {
    row all{"name", "opener", "class", "families", "risk", "source"};
    if (counts != nullptr) {
        all.insert(all.end() - 1, "cases");
    }
    return all;
}

std::string_view class_name(scaffold::format_class cls) {
    switch (cls) {
    case scaffold::format_class::sentinel:
        return "sentinel";
    case scaffold::format_class::tagged:
        return "tagged";
    case scaffold::format_class::shaped:
        return "shaped";
    }
    return {};
}

// The first opener, and how many more there are.
std::string openers(const scaffold::format& f) {
    std::string text = f.open.empty() ? std::string() : f.open.front().literal;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return f.open.size() < 2 ? text : text + " +" + std::to_string(f.open.size() - 1);
}

std::string count_of(const std::string& name, const case_counts& counts) {
    const auto found = counts.find(name);
    return std::to_string(found == counts.end() ? 0 : found->second);
}

// The titles and, below them, one row for each format.
std::vector<row> rows_of(const scaffold::catalog& formats, const case_counts* counts) {
    std::vector<row> rows{titles(counts)};
    for (const scaffold::format& f : formats.formats()) {
        std::string families;
        for (const std::string& family : f.families) {
            families += (families.empty() ? "" : ", ") + family;
        }
        row cells{f.name, openers(f), std::string(class_name(f.cls)), families, f.risk};
        if (counts != nullptr) {
            cells.push_back(count_of(f.name, *counts));
        }
        cells.push_back(f.source);
        rows.push_back(std::move(cells));
    }
    return rows;
}

// Columns on a terminal: the full-width bars of some openers (U+FF00 to U+FF60) take two.
std::size_t width(std::string_view text) {
    std::size_t result = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        result += (byte & 0xc0) != 0x80 ? 1 : 0;
        const bool wide =
            text.substr(i).starts_with("\xef\xbc") || text.substr(i).starts_with("\xef\xbd");
        result += wide ? 1 : 0;
    }
    return result;
}

void append_aligned(std::string& out, const row& cells, const std::vector<std::size_t>& widths) {
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
        out += cells[i];
        out.append(widths[i] - width(cells[i]) + 2, ' ');
    }
    out += cells.back();
    out += '\n';
}

// A bar ends a cell of a Markdown table, in code too, unless it is escaped.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '|' ? std::string("\\|") : std::string(1, c);
    }
    return out;
}

} // namespace

std::string formats_table(const scaffold::catalog& formats, const case_counts* counts) {
    const std::vector<row> rows = rows_of(formats, counts);
    std::vector<std::size_t> widths(rows.front().size());
    for (const row& cells : rows) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            widths[i] = std::max(widths[i], width(cells[i]));
        }
    }
    std::string out;
    for (const row& cells : rows) {
        append_aligned(out, cells, widths);
    }
    return out;
}

std::string formats_markdown(const scaffold::catalog& formats, const case_counts* counts) {
    const std::vector<row> rows = rows_of(formats, counts);
    std::string out;
    for (const row& cells : rows) {
        out += "|";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool code = i < 2 && &cells != &rows.front() && !cells[i].empty();
            out += code ? " `" + cell(cells[i]) + "` |" : " " + cell(cells[i]) + " |";
        }
        out += '\n';
        if (&cells == &rows.front()) {
            out += "|";
            for (std::size_t i = 0; i < cells.size(); ++i) {
                out += " --- |";
            }
            out += '\n';
        }
    }
    return out;
}

} // namespace proxy::app
