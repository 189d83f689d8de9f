#include "proxy/config/file_reader.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/config/keys.hpp"
#include "proxy/config/yaml_tree.hpp"

#include <algorithm>
#include <set>

namespace proxy::config {

namespace {

class file_reader {
  public:
    file_reader(loaded& into, const std::string& file, const environment& env)
        : into_(into), file_(file), env_(env) {}

    /// Reads a section (the root: empty path) that must be a map or empty.
    void section(const yaml_node& node, const std::string& path) {
        if (node.kind == yaml_node::kinds::null) {
            return;
        }
        if (node.kind != yaml_node::kinds::map) {
            fail(node.line, path, "must hold keys: " + list(names_under(path)));
        }
        for (const yaml_member& member : node.members) {
            this->member(member, path.empty() ? member.key : path + "." + member.key, path);
        }
    }

  private:
    [[noreturn]] void fail(int line, const std::string& path, const std::string& what) const {
        throw config_error(place(line, path) + ": " + what);
    }

    std::string place(int line, const std::string& path) const {
        return file_ + ":" + std::to_string(line) + (path.empty() ? "" : ": " + path);
    }

    void member(const yaml_member& m, const std::string& path, const std::string& section_path) {
        refuse_later(m, path, path, later_keys());
        const auto& keys = settings_keys();
        const auto found = std::find_if(keys.begin(), keys.end(),
                                        [&](const key<settings>& k) { return k.name == path; });
        if (found != keys.end()) {
            leaf(*found, m);
        } else if (path == "upstreams") {
            upstreams(m);
        } else if (!names_under(path).empty()) {
            section(m.value, path);
        } else {
            unknown(m, path, names_under(section_path), all_names());
        }
    }

    void refuse_later(const yaml_member& m, const std::string& path, std::string_view name,
                      const std::vector<later_key>& later) const {
        for (const later_key& k : later) {
            if (k.name == name) {
                fail(m.line, path,
                     "has no effect in this version, remove it: " + std::string(k.hint));
            }
        }
    }

    void leaf(const key<settings>& k, const yaml_member& m) {
        if (!k.list) {
            const std::string where = place(m.line, k.name);
            take_value(into_, k, scalar(m, k.name), where);
            return;
        }
        if (m.value.kind != yaml_node::kinds::list) {
            fail(m.line, k.name, "must be a list, as in [a, b]");
        }
        for (const yaml_node& item : m.value.items) {
            const std::string where = place(item.line, k.name);
            if (item.kind != yaml_node::kinds::scalar) {
                throw config_error(where + ": each item must be a word");
            }
            take_value(into_, k, expand(item.text, env_, where), where);
        }
    }

    std::string scalar(const yaml_member& m, const std::string& path) const {
        if (m.value.kind == yaml_node::kinds::null) {
            fail(m.line, path, "needs a value");
        }
        if (m.value.kind != yaml_node::kinds::scalar) {
            fail(m.line, path, "must be a single value");
        }
        return expand(m.value.text, env_, place(m.line, path));
    }

    void upstreams(const yaml_member& m) {
        if (m.value.kind == yaml_node::kinds::null) {
            return;
        }
        if (m.value.kind != yaml_node::kinds::list ||
            m.value.items.size() > limits::upstreams_max) {
            fail(m.line, "upstreams", "must be a list of at most 64, as in [{base_url: http://…}]");
        }
        for (const yaml_node& item : m.value.items) {
            const auto index = into_.value.upstreams.size();
            into_.value.upstreams.push_back(
                upstream(item, "upstreams[" + std::to_string(index) + "]", index));
        }
    }

    upstream_settings upstream(const yaml_node& node, const std::string& path, std::size_t index) {
        std::vector<std::string> names;
        for (const auto& k : upstream_keys()) {
            names.push_back(k.name);
        }
        if (node.kind != yaml_node::kinds::map) {
            fail(node.line, path, "must hold keys: " + list(names));
        }
        upstream_settings result;
        result.name = index == 0 ? "main" : "upstream" + std::to_string(index + 1);
        for (const yaml_member& m : node.members) {
            const bool is_section = std::any_of(names.begin(), names.end(), [&](const auto& name) {
                return name.starts_with(m.key + ".");
            });
            if (!is_section) {
                upstream_member(m, path, m.key, names, result);
                continue;
            }
            if (m.value.kind != yaml_node::kinds::map) {
                fail(m.line, path + "." + m.key, "must hold keys");
            }
            for (const yaml_member& inner : m.value.members) {
                upstream_member(inner, path, m.key + "." + inner.key, names, result);
            }
        }
        if (result.base_url.empty()) {
            fail(node.line, path, "base_url: is missing, as in http://127.0.0.1:8000/v1");
        }
        return result;
    }

    void upstream_member(const yaml_member& m, const std::string& path, const std::string& name,
                         const std::vector<std::string>& names, upstream_settings& result) {
        const auto& keys = upstream_keys();
        const auto found =
            std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.name == name; });
        if (found == keys.end()) {
            unknown(m, path + "." + name, names, names);
        }
        const std::string where = place(m.line, path + "." + name);
        const std::string value = scalar(m, path + "." + name);
        const std::string problem = found->set(result, value);
        if (!problem.empty()) {
            throw_bad_value(where, value, found->secret, problem);
        }
        into_.places[path + "." + name] = where;
    }

    // `near` are the names of the same section, which come first; `all` those of the whole file.
    [[noreturn]] void unknown(const yaml_member& m, const std::string& path,
                              const std::vector<std::string>& near,
                              const std::vector<std::string>& all) const {
        std::string meant = nearest_name(m.key, near);
        if (meant.empty()) {
            meant = nearest_name(m.key, all);
        }
        fail(m.line, quoted_path(path),
             meant.empty() ? "unknown key; allowed here: " + list(near)
                           : "unknown key; did you mean " + meant + "?");
    }

    // The name comes from the file and may hold anything; a plain one needs no quotes.
    static std::string quoted_path(const std::string& path) {
        const bool plain = std::all_of(path.begin(), path.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   c == '.' || c == '_' || c == '-' || c == '[' || c == ']';
        });
        return plain ? path : quoted(path);
    }

    static std::vector<std::string> all_names() {
        std::vector<std::string> names{"upstreams"};
        for (const auto& k : settings_keys()) {
            names.push_back(k.name);
            for (auto dot = k.name.find('.'); dot != std::string::npos;
                 dot = k.name.find('.', dot + 1)) {
                names.push_back(k.name.substr(0, dot));
            }
        }
        return names;
    }

    /// Names of the keys and sections right below a section; empty when there is no such section.
    static std::vector<std::string> names_under(const std::string& path) {
        const std::string prefix = path.empty() ? "" : path + ".";
        std::set<std::string> names;
        for (const std::string& name : all_names()) {
            if (name.size() > prefix.size() && name.starts_with(prefix) &&
                name.find('.', prefix.size()) == std::string::npos) {
                names.insert(name.substr(prefix.size()));
            }
        }
        return {names.begin(), names.end()};
    }

    static std::string list(const std::vector<std::string>& names) {
        std::string text;
        for (const std::string& name : names) {
            text += (text.empty() ? "" : ", ") + name;
        }
        return text;
    }

    loaded& into_;
    const std::string& file_;
    const environment& env_;
};

bool variable_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

} // namespace

void take_file(loaded& into, std::string_view yaml, const std::string& file,
               const environment& env) {
    file_reader(into, file, env).section(read_yaml(yaml, file), "");
}

std::string expand(std::string_view text, const environment& env, const std::string& where) {
    std::string result;
    while (!text.empty()) {
        const auto start = std::min(text.find("${"), text.size());
        if (start > 0 && start < text.size() && text[start - 1] == '$') {
            result.append(text.substr(0, start - 1)).append("${");
            text.remove_prefix(start + 2);
            continue;
        }
        result.append(text.substr(0, start));
        text.remove_prefix(start);
        if (text.empty()) {
            break;
        }
        const auto close = text.find('}');
        const std::string name(text.substr(2, close == std::string_view::npos ? 0 : close - 2));
        if (name.empty() || !std::all_of(name.begin(), name.end(), variable_char)) {
            throw config_error(where + ": \"${\" needs the name of an environment variable and a "
                                       "\"}\"; a literal one is written $${");
        }
        const auto value = env(name);
        if (!value) {
            throw config_error(where + ": environment variable " + name + " is not set");
        }
        result += *value;
        text.remove_prefix(close + 1);
    }
    return result;
}

} // namespace proxy::config
