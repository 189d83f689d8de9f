#include "proxy/app/case_counts.hpp"

#include "proxy/app/text_filter.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace proxy::app {

namespace {

struct example {
    std::string text;
    bool tools = false;
};

std::optional<example> read_example(std::string_view line) {
    const auto row = json::read_value(line);
    if (!row || row->kind != json::kind::object) {
        return std::nullopt;
    }
    const auto raw = json::find_last(*row, "raw");
    const auto tools = json::find_last(*row, "tools");
    if (!raw || raw->value.kind != json::kind::string) {
        return std::nullopt;
    }
    return example{json::unescape(raw->value.inside()), tools && tools->value.raw == "true"};
}

} // namespace

void count_cases(std::string_view lines, const scaffold::catalog& formats,
                 const std::vector<std::string>& tool_names, case_counts& counts) {
    scaffold::context with_tools;
    with_tools.tools = true;
    with_tools.names = tool_names;
    std::ranges::sort(with_tools.names);
    const scaffold::context without;
    std::size_t number = 0;
    while (!lines.empty()) {
        ++number;
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        const auto read = read_example(line);
        if (!read) {
            throw std::runtime_error("line " + std::to_string(number) +
                                     ": not an object with a text in `raw`");
        }
        strip_summary found;
        text_filter filter(formats, read->tools ? with_tools : without, found);
        std::string kept;
        filter.feed(read->text, kept);
        filter.finish(kept);
        for (const std::string& name : found.formats) {
            ++counts[name];
        }
    }
}

} // namespace proxy::app
