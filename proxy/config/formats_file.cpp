#include "proxy/config/formats_file.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/config/yaml_tree.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace proxy::config {

namespace {

using scaffold::format;
using scaffold::marker;

template <class Value>
struct word {
    std::string_view name;
    Value value;
};

constexpr auto classes = std::to_array<word<scaffold::format_class>>({
    {"sentinel", scaffold::format_class::sentinel},
    {"tagged", scaffold::format_class::tagged},
    {"shaped", scaffold::format_class::shaped},
});

constexpr auto kinds = std::to_array<word<scaffold::span_kind>>({
    {"call", scaffold::span_kind::call},
    {"result", scaffold::span_kind::result},
    {"reasoning", scaffold::span_kind::reasoning},
    {"control", scaffold::span_kind::control},
});

constexpr auto anchors = std::to_array<word<scaffold::anchor_kind>>({
    {"anywhere", scaffold::anchor_kind::anywhere},
    {"line", scaffold::anchor_kind::line},
    {"turn", scaffold::anchor_kind::turn},
});

constexpr auto places = std::to_array<word<scaffold::control_place>>({
    {"trailing", scaffold::control_place::trailing},
    {"header", scaffold::control_place::header},
    {"envelope", scaffold::control_place::envelope},
});

constexpr auto payloads = std::to_array<word<scaffold::payload_kind>>({
    {"none", scaffold::payload_kind::none},
    {"json_call", scaffold::payload_kind::json_call},
    {"json_list", scaffold::payload_kind::json_list},
    {"json_single_key", scaffold::payload_kind::json_single_key},
    {"json_any", scaffold::payload_kind::json_any},
    {"name_sep_json", scaffold::payload_kind::name_sep_json},
    {"name_sep_line", scaffold::payload_kind::name_sep_line},
    {"name_sep_text", scaffold::payload_kind::name_sep_text},
    {"name_kv", scaffold::payload_kind::name_kv},
    {"param_tags", scaffold::payload_kind::param_tags},
    {"attr_params", scaffold::payload_kind::attr_params},
    {"tag_params", scaffold::payload_kind::tag_params},
    {"pythonic", scaffold::payload_kind::pythonic},
    {"gemma_map", scaffold::payload_kind::gemma_map},
    {"arrow_map", scaffold::payload_kind::arrow_map},
    {"attr_tokens", scaffold::payload_kind::attr_tokens},
    {"channel_text", scaffold::payload_kind::channel_text},
    {"harmony", scaffold::payload_kind::harmony},
    {"call_any", scaffold::payload_kind::call_any},
    {"python_tag", scaffold::payload_kind::python_tag},
    {"free_text", scaffold::payload_kind::free_text},
});

constexpr auto risks = std::to_array<word<std::string_view>>({
    {"low", "low"},
    {"medium", "medium"},
    {"high", "high"},
});

constexpr auto switches = std::to_array<word<bool>>({{"true", true}, {"false", false}});

/// What a message about one value needs.
struct spot {
    const std::string& file;
    int line;
    std::string_view key;

    [[noreturn]] void fail(std::string_view problem) const {
        throw config_error(file + ":" + std::to_string(line) + ": " + std::string(key) + ": " +
                           std::string(problem));
    }
};

const std::string& text_of(const yaml_node& node, const spot& at) {
    if (node.kind != yaml_node::kinds::scalar) {
        at.fail("a text is allowed here");
    }
    return node.text;
}

template <class Value, std::size_t N>
Value one_of(const yaml_node& node, const spot& at, const std::array<word<Value>, N>& words) {
    const auto& text = text_of(node, at);
    for (const auto& known : words) {
        if (known.name == text) {
            return known.value;
        }
    }
    std::string allowed;
    for (const auto& known : words) {
        allowed += (allowed.empty() ? "" : ", ") + std::string(known.name);
    }
    at.fail("'" + text.substr(0, limits::marker_bytes_max) + "' is none of " + allowed);
}

std::vector<std::string> texts_of(const yaml_node& node, const spot& at) {
    if (node.kind != yaml_node::kinds::list) {
        at.fail("a list of texts is allowed here");
    }
    std::vector<std::string> texts;
    for (const auto& item : node.items) {
        texts.push_back(text_of(item, {at.file, item.line, at.key}));
    }
    return texts;
}

/// Literals of 2 to limits::marker_bytes_max bytes.
std::vector<marker> markers_of(const yaml_node& node, const spot& at) {
    std::vector<marker> markers;
    for (auto& literal : texts_of(node, at)) {
        if (literal.size() < 2 || literal.size() > limits::marker_bytes_max) {
            at.fail("'" + literal.substr(0, limits::marker_bytes_max) + "' has " +
                    std::to_string(literal.size()) + " bytes; 2 to " +
                    std::to_string(limits::marker_bytes_max) + " are allowed");
        }
        markers.push_back({std::move(literal), false});
    }
    return markers;
}

std::string name_of(const yaml_node& node, const spot& at) {
    const auto& text = text_of(node, at);
    const bool plain = std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    });
    if (text.empty() || !plain) {
        at.fail("a name of lower-case letters, digits, '-' and '.' is allowed here");
    }
    return text;
}

struct key_reader {
    std::string_view key;
    void (*read)(format& into, const yaml_node& value, const spot& at);
};

constexpr auto key_readers = std::to_array<key_reader>({
    {"name", [](format& f, const yaml_node& v, const spot& at) { f.name = name_of(v, at); }},
    {"families",
     [](format& f, const yaml_node& v, const spot& at) { f.families = texts_of(v, at); }},
    {"class",
     [](format& f, const yaml_node& v, const spot& at) { f.cls = one_of(v, at, classes); }},
    {"strip_as",
     [](format& f, const yaml_node& v, const spot& at) { f.strip_as = one_of(v, at, kinds); }},
    {"open", [](format& f, const yaml_node& v, const spot& at) { f.open = markers_of(v, at); }},
    {"close", [](format& f, const yaml_node& v, const spot& at) { f.close = markers_of(v, at); }},
    {"section_open",
     [](format& f, const yaml_node& v, const spot& at) { f.section_open = markers_of(v, at); }},
    {"section_close",
     [](format& f, const yaml_node& v, const spot& at) { f.section_close = markers_of(v, at); }},
    {"payload",
     [](format& f, const yaml_node& v, const spot& at) { f.payload = one_of(v, at, payloads); }},
    {"separators",
     [](format& f, const yaml_node& v, const spot& at) { f.separators = texts_of(v, at); }},
    {"keys", [](format& f, const yaml_node& v, const spot& at) { f.keys = texts_of(v, at); }},
    {"list_keys",
     [](format& f, const yaml_node& v, const spot& at) { f.list_keys = texts_of(v, at); }},
    {"aka", [](format& f, const yaml_node& v, const spot& at) { f.aka = texts_of(v, at); }},
    {"prefix", [](format& f, const yaml_node& v, const spot& at) { f.prefix = text_of(v, at); }},
    {"anchor",
     [](format& f, const yaml_node& v, const spot& at) { f.anchor = one_of(v, at, anchors); }},
    {"place",
     [](format& f, const yaml_node& v, const spot& at) { f.place = one_of(v, at, places); }},
    {"glued",
     [](format& f, const yaml_node& v, const spot& at) { f.glued = one_of(v, at, switches); }},
    {"alone",
     [](format& f, const yaml_node& v, const spot& at) { f.alone = one_of(v, at, switches); }},
    {"behind_call", [](format& f, const yaml_node& v,
                       const spot& at) { f.behind_call = one_of(v, at, switches); }},
    {"repeat",
     [](format& f, const yaml_node& v, const spot& at) { f.repeat = one_of(v, at, switches); }},
    {"needs_tools", [](format& f, const yaml_node& v,
                       const spot& at) { f.needs_tools = one_of(v, at, switches); }},
    {"needs_declared_name",
     [](format& f, const yaml_node& v,
        const spot& at) { f.needs_declared_name = one_of(v, at, switches); }},
    {"risk", [](format& f, const yaml_node& v, const spot& at) { f.risk = one_of(v, at, risks); }},
    {"source", [](format& f, const yaml_node& v, const spot& at) { f.source = text_of(v, at); }},
});

/// `fold` and `label` are said once for all markers of a format.
void set_spellings(format& into, bool fold, bool label) {
    for (auto* list : {&into.open, &into.close, &into.section_open, &into.section_close}) {
        for (auto& m : *list) {
            m.fold = fold;
            m.label = label && m.literal.ends_with('>');
        }
    }
}

void need(const yaml_node& row, const std::string& file, std::string_view key, bool there) {
    if (!there) {
        spot{file, row.line, key}.fail("every format needs this key");
    }
}

format read_format(const yaml_node& row, const std::string& file) {
    if (row.kind != yaml_node::kinds::map) {
        spot{file, row.line, "formats"}.fail("a list of maps is allowed here");
    }
    format into;
    bool fold = false;
    bool label = false;
    for (const auto& member : row.members) {
        const spot at{file, member.line, member.key};
        if (member.key == "fold") {
            fold = one_of(member.value, at, switches);
            continue;
        }
        if (member.key == "label") {
            label = one_of(member.value, at, switches);
            continue;
        }
        const auto known = std::ranges::find(key_readers, member.key, &key_reader::key);
        if (known == key_readers.end()) {
            at.fail("unknown key of a format");
        }
        known->read(into, member.value, at);
    }
    set_spellings(into, fold, label);
    need(row, file, "name", !into.name.empty());
    need(row, file, "families", !into.families.empty());
    need(row, file, "risk", !into.risk.empty());
    need(row, file, "source", !into.source.empty());
    need(row, file, "open",
         !into.open.empty() || !into.section_open.empty() ||
             into.cls == scaffold::format_class::shaped);
    return into;
}

} // namespace

std::vector<format> parse_formats(std::string_view yaml, const std::string& file) {
    const auto tree = read_yaml(yaml, file);
    std::vector<format> formats;
    for (const auto& member : tree.members) {
        if (member.key != "formats") {
            spot{file, member.line, member.key}.fail("unknown key; 'formats' is allowed here");
        }
        if (member.value.kind != yaml_node::kinds::list) {
            spot{file, member.line, "formats"}.fail("a list of maps is allowed here");
        }
        for (const auto& row : member.value.items) {
            auto next = read_format(row, file);
            if (std::ranges::find(formats, next.name, &format::name) != formats.end()) {
                spot{file, row.line, "name"}.fail("'" + next.name + "' stands twice");
            }
            formats.push_back(std::move(next));
        }
    }
    if (formats.empty()) {
        spot{file, tree.line, "formats"}.fail("a list with at least one format is needed");
    }
    return formats;
}

scaffold::catalog built_in_catalog(const std::vector<std::string>& disabled) {
    auto formats = parse_formats(embedded_formats(), "conf/formats.yaml");
    for (const auto& name : disabled) {
        const auto it = std::ranges::find(formats, name, &format::name);
        if (it == formats.end()) {
            throw config_error("sanitize.formats.disable: no format is called '" + name + "'");
        }
        formats.erase(it);
    }
    return scaffold::catalog(std::move(formats));
}

} // namespace proxy::config
