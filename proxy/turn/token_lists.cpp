#include "proxy/turn/token_lists.hpp"

#include "proxy/json/escape.hpp"
#include "proxy/turn/token_alignment.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace proxy::turn {

namespace {

std::optional<std::vector<json::value_view>> elements(json::value_view list, std::size_t count) {
    std::vector<json::value_view> out;
    json::array_walker walker(list);
    while (const auto element = walker.next()) {
        out.push_back(*element);
    }
    return out.size() == count ? std::optional(std::move(out)) : std::nullopt;
}

// The list without the entries that go; nothing if it has another number of entries.
std::optional<std::string> shortened(json::value_view list, const alignment& tokens) {
    if (tokens.none) {
        return "[]";
    }
    const auto all = elements(list, tokens.stays.size());
    if (!all) {
        return std::nullopt;
    }
    std::string out = "[";
    for (std::size_t i = 0; i < all->size(); ++i) {
        if (tokens.stays[i]) {
            out.append(out.size() > 1 ? "," : "").append((*all)[i].raw);
        }
    }
    return out + "]";
}

// text_offset: as shortened(), each offset less the characters that went in front of it.
std::optional<std::string> moved_offsets(json::value_view list, const alignment& tokens,
                                         const text_cut& cut) {
    if (tokens.none) {
        return "[]";
    }
    const auto all = elements(list, tokens.stays.size());
    if (!all) {
        return std::nullopt;
    }
    std::string out = "[";
    std::uint64_t gone = cut.shift;
    auto range = cut.stripped->begin();
    for (std::size_t i = 0; i < all->size(); ++i) {
        if (!tokens.stays[i]) {
            continue;
        }
        for (; range != cut.stripped->end() && range->end <= tokens.begins[i]; ++range) {
            gone += code_points(cut.text.substr(range->begin, range->end - range->begin));
        }
        const auto offset = json_count((*all)[i]);
        out += out.size() > 1 ? "," : "";
        out += offset ? std::to_string(*offset - std::min(*offset, gone)) : (*all)[i].raw;
    }
    return out + "]";
}

bool is_parallel_list(std::string_view key) {
    static constexpr std::array<std::string_view, 4> keys = {"content", "tokens", "token_logprobs",
                                                             "top_logprobs"};
    return std::any_of(keys.begin(), keys.end(),
                       [key](std::string_view name) { return json::equals(key, name); });
}

// Only where text of this event went, entries go; the offsets of later events move all the same.
bool cut_logprobs(json::value_view logprobs, const alignment& tokens, const text_cut& cut,
                  const replacer& replace) {
    json::object_walker members(logprobs);
    std::vector<std::pair<std::string_view, std::string>> edits;
    while (const auto found = members.next()) {
        if (found->value.kind != json::kind::array) {
            continue;
        }
        const bool offsets = json::equals(found->key, "text_offset");
        if (!offsets && (cut.stripped->empty() || !is_parallel_list(found->key))) {
            continue;
        }
        auto list =
            offsets ? moved_offsets(found->value, tokens, cut) : shortened(found->value, tokens);
        if (!list) {
            return false;
        }
        edits.emplace_back(found->value.raw, std::move(*list));
    }
    for (const auto& [old, text] : edits) {
        replace(old, text);
    }
    return true;
}

bool cut_lists_in(json::value_view object, const std::optional<alignment>& tokens,
                  const text_cut& cut, const replacer& replace) {
    bool aligned = true;
    json::object_walker members(object);
    while (const auto found = members.next()) {
        const bool logprobs = json::equals(found->key, "logprobs");
        const bool ids = json::equals(found->key, "token_ids");
        if ((!logprobs && !ids) || found->value.is_null()) {
            continue;
        }
        bool done = false;
        if (logprobs && tokens && found->value.kind == json::kind::object) {
            done = cut_logprobs(found->value, *tokens, cut, replace);
        } else if (ids && cut.stripped->empty()) {
            done = true;
        } else if (ids && tokens && found->value.kind == json::kind::array) {
            const auto list = shortened(found->value, *tokens);
            done = list.has_value();
            replace(found->value.raw, list.value_or("null"));
            aligned = aligned && done;
            continue;
        }
        if (!done) {
            replace(found->value.raw, "null");
            aligned = false;
        }
    }
    return aligned;
}

void move_index(json::value_view object, const cut_places& places, const replacer& replace) {
    for (const char* key : {"start_index", "end_index"}) {
        const auto index = json_member(object, key, json::kind::number);
        const auto value = index ? json_count(*index) : std::nullopt;
        if (value && places.moved(*value) != *value) {
            replace(index->raw, std::to_string(places.moved(*value)));
        }
    }
}

} // namespace

bool cut_token_lists(json::value_view choice, const text_cut& cut, const replacer& replace) {
    if (choice.kind != json::kind::object || (cut.stripped->empty() && cut.shift == 0)) {
        return true;
    }
    const auto delta = json_member(choice, "delta", json::kind::object);
    auto logprobs = json_member(choice, "logprobs", json::kind::object);
    if (!logprobs && delta) {
        logprobs = json_member(*delta, "logprobs", json::kind::object);
    }
    const bool no_offsets = logprobs && !json_member(*logprobs, "text_offset", json::kind::array);
    if (cut.stripped->empty() && (!logprobs || no_offsets)) {
        return true;
    }
    auto tokens = logprobs ? align(*logprobs, cut) : std::nullopt;
    const auto& gone = *cut.stripped;
    if (gone.size() == 1 && gone[0].end - gone[0].begin == cut.text.size()) {
        tokens = alignment{true, {}, {}};
    }
    bool aligned = cut_lists_in(choice, tokens, cut, replace);
    if (delta) {
        aligned = cut_lists_in(*delta, tokens, cut, replace) && aligned;
    }
    return aligned;
}

void move_citations(json::value_view message, const cut_places& places, const replacer& replace) {
    const auto annotations = json_member(message, "annotations", json::kind::array);
    if (!annotations || places.stripped() == 0) {
        return;
    }
    json::array_walker walker(*annotations);
    while (const auto note = walker.next()) {
        if (note->kind != json::kind::object) {
            continue;
        }
        move_index(*note, places, replace);
        if (const auto citation = json_member(*note, "url_citation", json::kind::object)) {
            move_index(*citation, places, replace);
        }
    }
}

std::optional<json::value_view> find_choice(std::string_view data, std::size_t position) {
    const auto root = json::read_value(data);
    const auto choices = root ? json_member(*root, "choices", json::kind::array) : std::nullopt;
    if (!choices) {
        return std::nullopt;
    }
    json::array_walker walker(*choices);
    while (const auto choice = walker.next()) {
        if (choice->kind == json::kind::object && position-- == 0) {
            return *choice;
        }
    }
    return std::nullopt;
}

} // namespace proxy::turn
