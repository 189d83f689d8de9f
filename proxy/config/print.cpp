#include "proxy/config/keys.hpp"
#include "proxy/config/load.hpp"

#include <algorithm>

namespace proxy::config {

namespace {

// A scalar that needs no quotes in YAML stays bare; anything else is written with them.
std::string scalar(const std::string& text) {
    const bool plain =
        !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   c == '.' || c == '_' || c == '-' || c == '/' || c == ':';
        });
    if (plain && text.back() != ':') {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return quoted + '"';
}

template <class Target>
std::string printed(const key<Target>& k, const Target& from) {
    const std::vector<std::string> values = k.get(from);
    if (!k.list) {
        return scalar(k.secret ? std::string(masked_secret) : values[0]);
    }
    std::string items;
    for (const std::string& value : values) {
        items +=
            (items.empty() ? "" : ", ") + scalar(k.secret ? std::string(masked_secret) : value);
    }
    return "[" + items + "]";
}

void print_upstreams(std::string& out, const settings& value) {
    out += value.upstreams.empty() ? "upstreams: []\n" : "upstreams:\n";
    for (const upstream_settings& upstream : value.upstreams) {
        std::string_view indent = "  - ";
        std::string_view section;
        for (const auto& k : upstream_keys()) {
            if (!k.get || (k.secret && k.get(upstream)[0].empty())) {
                continue;
            }
            const std::string_view name = k.name;
            const auto dot = name.find('.');
            const bool nested = dot != std::string_view::npos;
            if (nested && section != name.substr(0, dot)) {
                section = name.substr(0, dot);
                out.append("    ").append(section).append(":\n");
            }
            out.append(nested ? "      " : indent)
                .append(nested ? name.substr(dot + 1) : name)
                .append(": ")
                .append(printed(k, upstream))
                .append("\n");
            indent = "    ";
        }
    }
}

// Opens the sections of `name` that the name before it had not, and gives the indent of its key.
std::string open_sections(std::string& out, const std::string& name, std::string& open) {
    std::string indent;
    for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        const std::string section = name.substr(0, dot + 1);
        if (!open.starts_with(section)) {
            const auto begin = section.rfind('.', dot - 1);
            const auto word = begin == std::string::npos ? 0 : begin + 1;
            out.append(indent).append(section, word, dot - word).append(":\n");
            open = section;
        }
        indent += "  ";
    }
    return indent;
}

} // namespace

std::string print_config(const settings& value) {
    std::string out;
    std::string open;
    for (const key<settings>& k : settings_keys()) {
        if (!k.get) {
            continue;
        }
        const bool first_section = open.empty() && k.name.find('.') != std::string::npos;
        if (first_section) {
            print_upstreams(out, value);
        }
        const std::string indent = open_sections(out, k.name, open);
        const auto dot = k.name.rfind('.');
        out.append(indent).append(dot == std::string::npos ? k.name : k.name.substr(dot + 1));
        out.append(": ").append(printed(k, value)).append("\n");
    }
    return out;
}

} // namespace proxy::config
