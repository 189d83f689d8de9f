#include "bench/soak/answer_facts.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <optional>

namespace bench::soak {

namespace {

namespace json = boost::json;

std::optional<json::object> parse_object(std::string_view text) {
    auto options = json::parse_options{};
    options.allow_invalid_utf8 = true;
    options.max_depth = 64;
    auto ec = boost::system::error_code{};
    auto value = json::parse(text, ec, {}, options);
    if (ec || !value.is_object()) {
        return std::nullopt;
    }
    return std::move(value.as_object());
}

std::string string_in(const json::object& from, std::string_view key) {
    const auto* value = from.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

const json::object* object_in(const json::object& from, std::string_view key) {
    const auto* value = from.if_contains(key);
    return value == nullptr ? nullptr : value->if_object();
}

const json::array* array_in(const json::object& from, std::string_view key) {
    const auto* value = from.if_contains(key);
    return value == nullptr ? nullptr : value->if_array();
}

void take_delta(choice_facts& choice, const json::object& delta) {
    const auto text = string_in(delta, "content");
    const auto* calls = array_in(delta, "tool_calls");
    const bool answers = (calls != nullptr && !calls->empty()) ||
                         !string_in(delta, "refusal").empty() ||
                         object_in(delta, "function_call") != nullptr;
    choice.text_after_finish =
        choice.text_after_finish || (!choice.finishes.empty() && (!text.empty() || answers));
    choice.answered = choice.answered || answers;
    choice.text += text;
}

void take_choice(answer_facts& facts, const json::object& from, std::size_t position) {
    const auto* index = from.if_contains("index");
    const auto number = index != nullptr && index->is_int64() && index->as_int64() >= 0
                            ? static_cast<std::size_t>(index->as_int64())
                            : position;
    const bool begun = object_in(from, "delta") != nullptr ||
                       object_in(from, "message") != nullptr || from.contains("text");
    if (!begun) {
        return;
    }
    auto& choice = facts.choices[number];
    for (const auto* key : {"delta", "message"}) {
        if (const auto* delta = object_in(from, key)) {
            take_delta(choice, *delta);
        }
    }
    const auto text = string_in(from, "text"); // of a legacy completion
    choice.text_after_finish =
        choice.text_after_finish || (!choice.finishes.empty() && !text.empty());
    choice.text += text;
    if (auto finish = string_in(from, "finish_reason"); !finish.empty()) {
        choice.finishes.push_back(std::move(finish));
    }
}

void take_object(answer_facts& facts, const json::object& chunk) {
    const auto note = [&](std::string_view key, std::set<std::string>& seen) {
        const auto* value = chunk.if_contains(key);
        if (value != nullptr && !value->is_null()) {
            seen.insert(json::serialize(*value));
        }
    };
    note("id", facts.ids);
    note("model", facts.models);
    note("created", facts.created);
    facts.errors += object_in(chunk, "error") != nullptr ? 1 : 0;
    if (const auto* choices = array_in(chunk, "choices")) {
        for (std::size_t i = 0; i < choices->size(); ++i) {
            if (const auto* choice = (*choices)[i].if_object()) {
                take_choice(facts, *choice, i);
            }
        }
    }
}

void take_data(answer_facts& facts, std::string_view data) {
    if (data == "[DONE]") {
        ++facts.dones;
        return;
    }
    facts.error_not_last = facts.error_not_last || facts.errors > 0;
    if (const auto object = parse_object(data)) {
        take_object(facts, *object);
    } else {
        facts.unreadable = true;
    }
}

// The length of the first block with its blank line; nothing when that has not come.
std::optional<std::size_t> block_length(std::string_view bytes) {
    auto line = std::size_t{0};
    while (true) {
        const auto end = bytes.find('\n', line);
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        const auto text = bytes.substr(line, end - line);
        line = end + 1;
        if (text.empty() || text == "\r") {
            return line;
        }
    }
}

void read_stream(answer_facts& facts, std::string_view body) {
    while (const auto length = block_length(body)) {
        const auto block = body.substr(0, *length);
        body.remove_prefix(*length);
        if (facts.dones > 0) { // no client reads on
            ++facts.behind_done;
            continue;
        }
        facts.blocks.emplace_back(block);
        if (const auto data = data_of(block); !data.empty()) {
            take_data(facts, data);
        }
    }
    facts.partial = !body.empty();
}

void blank_choice(json::object& choice) {
    for (const auto* key : {"delta", "message"}) {
        auto* delta = choice.if_contains(key);
        if (delta != nullptr && delta->is_object() && delta->as_object().contains("content")) {
            delta->as_object()["content"] = "";
        }
    }
    if (choice.contains("text")) {
        choice["text"] = "";
    }
    if (string_in(choice, "finish_reason") == "tool_calls") {
        choice["finish_reason"] = "stop";
    }
}

bool has_only(const json::object& object, std::initializer_list<std::string_view> keys) {
    return std::ranges::all_of(object, [&](const auto& member) {
        return std::ranges::find(keys, std::string_view(member.key())) != keys.end();
    });
}

} // namespace

bool answer_facts::all_finished() const {
    return !choices.empty() && std::ranges::none_of(choices, [](const auto& choice) {
        return choice.second.finishes.empty();
    });
}

const std::string& answer_facts::text(std::size_t choice) const {
    static const std::string none;
    const auto found = choices.find(choice);
    return found == choices.end() ? none : found->second.text;
}

answer_facts read_facts(std::string_view body, bool is_stream) {
    auto facts = answer_facts{};
    if (is_stream) {
        read_stream(facts, body);
    } else if (const auto object = parse_object(body)) {
        take_object(facts, *object);
    } else {
        facts.unreadable = true;
    }
    return facts;
}

std::string data_of(std::string_view block) {
    auto data = std::string{};
    while (!block.empty()) {
        const auto end = std::min(block.find('\n'), block.size());
        auto line = block.substr(0, end);
        block.remove_prefix(std::min(end + 1, block.size()));
        if (!line.starts_with("data:")) {
            continue;
        }
        line.remove_prefix(line.starts_with("data: ") ? 6 : 5);
        line = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
        data += (data.empty() ? "" : "\n") + std::string(line);
    }
    return data;
}

std::string blanked(std::string_view data) {
    auto object = parse_object(data);
    if (!object) {
        return {};
    }
    for (const auto* key : {"id", "created", "model", "usage", "system_fingerprint"}) {
        object->erase(key);
    }
    if (auto* choices = object->if_contains("choices"); choices && choices->is_array()) {
        for (auto& choice : choices->as_array()) {
            if (choice.is_object()) {
                blank_choice(choice.as_object());
            }
        }
    }
    return json::serialize(*object);
}

bool may_be_minted(std::string_view data) {
    const auto object = parse_object(data);
    if (!object) {
        return false;
    }
    if (has_only(*object, {"error"})) {
        return true;
    }
    const auto* choices = array_in(*object, "choices");
    if (choices == nullptr) {
        return false;
    }
    if (choices->empty()) {
        return object->contains("usage");
    }
    const auto* choice = choices->size() == 1 ? choices->front().if_object() : nullptr;
    const auto* delta = choice == nullptr ? nullptr : object_in(*choice, "delta");
    return delta != nullptr && has_only(*object, {"id", "object", "created", "model", "choices"}) &&
           has_only(*choice, {"index", "delta"}) && has_only(*delta, {"content"});
}

} // namespace bench::soak
