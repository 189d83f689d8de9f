#include "proxy/turn/token_lists.hpp"

#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include <string>

namespace proxy::turn {

namespace {

void clear_lists_in(event_editor& editor, json::value_view object) {
    json::object_walker members(object);
    while (const auto member = members.next()) {
        const bool list =
            json::equals(member->key, "logprobs") || json::equals(member->key, "token_ids");
        if (list && !member->value.is_null()) {
            editor.replace(member->value.raw, "null");
        }
    }
}

bool has_index(json::value_view choice, std::uint32_t index) {
    const auto member = json::find_last(choice, "index");
    return member ? member->value.raw == std::to_string(index) : index == 0;
}

} // namespace

void clear_token_lists(event_editor& editor, std::string_view data, std::uint32_t index) {
    const auto root = json::read_value(data);
    if (!root || root->kind != json::kind::object) {
        return;
    }
    const auto choices = json::find_last(*root, "choices");
    if (!choices || choices->value.kind != json::kind::array) {
        return;
    }
    json::array_walker walker(choices->value);
    while (const auto choice = walker.next()) {
        if (choice->kind != json::kind::object || !has_index(*choice, index)) {
            continue;
        }
        clear_lists_in(editor, *choice);
        const auto delta = json::find_last(*choice, "delta");
        if (delta && delta->value.kind == json::kind::object) {
            clear_lists_in(editor, delta->value);
        }
    }
}

} // namespace proxy::turn
