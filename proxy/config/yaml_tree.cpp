#include "proxy/config/yaml_tree.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/config/formats_file.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <utility>

namespace proxy::config {

namespace {

[[noreturn]] void fail(const std::string& file, const YAML::Mark& mark, const std::string& what) {
    throw config_error(file + ":" + std::to_string(mark.line + 1) + ": " + what);
}

// Takes the parser's events instead of its nodes: those have lost equal keys and aliases.
class tree_builder : public YAML::EventHandler {
  public:
    explicit tree_builder(const std::string& file) : file_(file) {}

    yaml_node take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark&) override {}

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        add(mark, yaml_node::kinds::null, "");
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        fail(file_, mark, "aliases (*name) are not supported; write the value out");
    }

    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  const std::string& value) override {
        add(mark, yaml_node::kinds::scalar, value);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open(mark, yaml_node::kinds::list);
    }

    void OnSequenceEnd() override { open_.pop_back(); }

    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        open(mark, yaml_node::kinds::map);
    }

    void OnMapEnd() override { open_.pop_back(); }

  private:
    struct level {
        yaml_node* node;
        bool wants_value = false; // of a map: its last member has no value yet
    };

    void open(const YAML::Mark& mark, yaml_node::kinds kind) {
        yaml_node* const node = add(mark, kind, "");
        if (open_.size() == limits::config_depth_max) {
            fail(file_, mark, "nested too deep");
        }
        open_.push_back({node});
    }

    // Puts a node in its place; a pointer to it stays good while it is open, as nothing is added
    // beside an open node.
    yaml_node* add(const YAML::Mark& mark, yaml_node::kinds kind, const std::string& text) {
        yaml_node node;
        node.kind = kind;
        node.line = mark.line + 1;
        node.text = text;
        if (open_.empty()) {
            root_ = std::move(node);
            return &root_;
        }
        level& parent = open_.back();
        if (parent.node->kind == yaml_node::kinds::list) {
            return &parent.node->items.emplace_back(std::move(node));
        }
        parent.wants_value = !parent.wants_value;
        if (parent.wants_value) {
            add_key(mark, *parent.node, node);
            return parent.node;
        }
        parent.node->members.back().value = std::move(node);
        return &parent.node->members.back().value;
    }

    void add_key(const YAML::Mark& mark, yaml_node& map, const yaml_node& key) {
        if (key.kind != yaml_node::kinds::scalar) {
            fail(file_, mark, "a key must be a word");
        }
        for (const yaml_member& member : map.members) {
            if (member.key == key.text) {
                fail(file_, mark,
                     key.text + ": stands twice, first in line " + std::to_string(member.line));
            }
        }
        map.members.push_back({key.text, key.line, {}});
    }

    const std::string& file_;
    yaml_node root_;
    std::vector<level> open_;
};

} // namespace

yaml_node read_yaml(std::string_view text, const std::string& file) {
    std::istringstream input{std::string(text)};
    try {
        YAML::Parser parser(input);
        tree_builder first(file);
        parser.HandleNextDocument(first);
        tree_builder second(file);
        if (parser.HandleNextDocument(second)) {
            throw config_error(file + ": holds more than one YAML document");
        }
        return first.take();
    } catch (const YAML::Exception& error) {
        fail(file, error.mark, "broken YAML: " + error.msg);
    }
}

} // namespace proxy::config
