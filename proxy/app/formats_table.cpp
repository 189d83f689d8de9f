#include "proxy/app/formats_table.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace proxy::app {

namespace {

constexpr std::size_t columns = 6;
using row = std::array<std::string, columns>;

const row titles{"name", "opener", "class", "families", "risk", "source"};

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

std::vector<row> rows_of(const scaffold::catalog& formats) {
    std::vector<row> rows;
    for (const scaffold::format& f : formats.formats()) {
        std::string families;
        for (const std::string& family : f.families) {
            families += (families.empty() ? "" : ", ") + family;
        }
        rows.push_back(
            {f.name, openers(f), std::string(class_name(f.cls)), families, f.risk, f.source});
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

void append_aligned(std::string& out, const row& cells,
                    const std::array<std::size_t, columns>& widths) {
    for (std::size_t i = 0; i + 1 < columns; ++i) {
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

std::string formats_table(const scaffold::catalog& formats) {
    const std::vector<row> rows = rows_of(formats);
    std::array<std::size_t, columns> widths{};
    for (std::size_t i = 0; i < columns; ++i) {
        widths[i] = titles[i].size();
        for (const row& cells : rows) {
            widths[i] = std::max(widths[i], width(cells[i]));
        }
    }
    std::string out;
    append_aligned(out, titles, widths);
    for (const row& cells : rows) {
        append_aligned(out, cells, widths);
    }
    return out;
}

std::string formats_markdown(const scaffold::catalog& formats) {
    std::string out = "|";
    for (const std::string& title : titles) {
        out += " " + title + " |";
    }
    out += "\n|";
    for (std::size_t i = 0; i < columns; ++i) {
        out += " --- |";
    }
    for (const row& cells : rows_of(formats)) {
        out += "\n|";
        for (std::size_t i = 0; i < columns; ++i) {
            const bool code = i < 2 && !cells[i].empty(); // name and opener
            out += code ? " `" + cell(cells[i]) + "` |" : " " + cell(cells[i]) + " |";
        }
    }
    return out + "\n";
}

} // namespace proxy::app
