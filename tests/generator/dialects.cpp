#include "tests/generator/dialects.hpp"

#include <iterator>

namespace tests::generator {

namespace {

/// An object with members in the given order, whose sure place is behind the name.
json_call object_of(const std::vector<std::pair<std::string, std::string>>& members,
                    std::size_t name_at, const json_style& style) {
    json_call out{"{", 0};
    for (std::size_t i = 0; i < members.size(); ++i) {
        out.text += i == 0 ? "" : style.comma;
        out.text += json_quoted(members[i].first) + style.colon + members[i].second;
        if (i == name_at) {
            out.sure = out.text.size();
        }
    }
    out.text += "}";
    return out;
}

json_call inside(std::string_view before, const json_call& inner, std::string_view behind) {
    return {std::string(before) + inner.text + std::string(behind), before.size() + inner.sure};
}

json_call odd_json_call(dice& chance, const call& from) {
    const auto style = random_json_style(chance);
    const auto name = json_quoted(from.name);
    const auto arguments = to_json(from.arguments, style, 1);
    switch (chance.below(7)) {
    case 0:
        return object_of({{"arguments", arguments}, {"name", name}}, 1, style);
    case 1:
        return object_of({{"name", name}, {"arguments", json_quoted(arguments)}}, 0, style);
    case 2:
        return inside("{\"type\": \"function\", \"function\": ",
                      plain_json_call(chance, from, "name", "arguments"), "}");
    case 3:
        return inside("{\"function\": ", plain_json_call(chance, from, "name", "arguments"), "}");
    case 4:
        return object_of({{"id", "\"call_7\""}, {"name", name}, {"arguments", arguments}}, 1,
                         style);
    case 5:
        return inside("{", plain_json_call(chance, from, "name", "arguments"), "}");
    default: {
        const char quote = chance.chance(70) ? '\'' : '"';
        json_call out{"{" + python_quoted("name", quote) + ": " + python_quoted(from.name, quote),
                      0};
        out.sure = out.text.size();
        out.text += ", " + python_quoted("arguments", quote) + ": " +
                    to_python(from.arguments, quote) + "}";
        return out;
    }
    }
}

} // namespace

json_call plain_json_call(dice& chance, const call& from, std::string_view name_key,
                          std::string_view arguments_key) {
    const auto style = random_json_style(chance);
    return object_of({{std::string(name_key), json_quoted(from.name)},
                      {std::string(arguments_key), to_json(from.arguments, style, 1)}},
                     0, style);
}

json_call random_json_call(dice& chance, const call& from) {
    if (chance.chance(35)) {
        return odd_json_call(chance, from);
    }
    return plain_json_call(chance, from, "name", chance.chance(75) ? "arguments" : "parameters");
}

markup list_in(dice& chance, const std::vector<call>& all, std::string_view open,
               std::string_view close) {
    const auto gap = maybe_line(chance);
    draft out;
    out.add(open).add(gap).add("[");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto object = plain_json_call(chance, all[i], "name", "arguments");
        out.add(i == 0 ? "" : ", ").add(std::string_view(object.text).substr(0, object.sure));
        out.sure().add(std::string_view(object.text).substr(object.sure));
    }
    return out.add("]").body_end().add(close);
}

std::string python_call(dice& chance, const call& from) {
    const char quote = chance.chance(60) ? '"' : '\'';
    std::string out = from.name + "(";
    for (std::size_t i = 0; i < from.arguments.items.size(); ++i) {
        out += i == 0 ? "" : ", ";
        out += from.arguments.keys[i] + "=" + to_python(from.arguments.items[i], quote);
    }
    return out + ")";
}

std::string_view maybe_line(dice& chance) {
    return chance.chance(60) ? "\n" : "";
}

const std::vector<dialect>& all_dialects() {
    static const std::vector<dialect> all = [] {
        std::vector<dialect> out;
        for (auto* table :
             {json_dialects, json_token_dialects, tag_dialects, prefixed_tag_dialects,
              pair_dialects, named_dialects, token_dialects, shaped_dialects, text_dialects}) {
            auto rows = table();
            out.insert(out.end(), std::make_move_iterator(rows.begin()),
                       std::make_move_iterator(rows.end()));
        }
        return out;
    }();
    return all;
}

} // namespace tests::generator
