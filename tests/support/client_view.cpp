#include "tests/support/client_view.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/src.hpp>

#include <algorithm>
#include <charconv>

namespace tests {

namespace json = boost::json;

namespace {

std::string text_of(const json::object& from, std::string_view key) {
    const auto* value = from.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

const json::object* object_of(const json::object& from, std::string_view key) {
    const auto* value = from.if_contains(key);
    return value != nullptr ? value->if_object() : nullptr;
}

const json::array* array_of(const json::object& from, std::string_view key) {
    const auto* value = from.if_contains(key);
    return value != nullptr ? value->if_array() : nullptr;
}

std::size_t index_of(const json::object& from, std::size_t otherwise) {
    const auto* value = from.if_contains("index");
    return value != nullptr && value->is_int64() ? static_cast<std::size_t>(value->as_int64())
                                                 : otherwise;
}

void add_calls(assembled_choice& choice, const json::array& calls) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto& call = calls[i].as_object();
        auto& known = choice.calls[index_of(call, i)];
        known.id += text_of(call, "id");
        if (const auto* function = object_of(call, "function")) {
            known.name += text_of(*function, "name");
            known.arguments += text_of(*function, "arguments");
        }
    }
}

/// Takes a delta of a chunk or the message of a body.
void add_delta(client_view& view, assembled_choice& choice, const json::object& delta) {
    choice.content += text_of(delta, "content");
    choice.reasoning += text_of(delta, "reasoning_content") + text_of(delta, "reasoning");
    choice.role_deltas += delta.contains("role") ? 1 : 0;
    if (const auto* calls = array_of(delta, "tool_calls")) {
        view.call_deltas.push_back(json::serialize(*calls));
        add_calls(choice, *calls);
    }
}

void add_chunk(client_view& view, const json::object& chunk) {
    if (const auto* error = object_of(chunk, "error")) {
        view.errors.push_back(*error);
    }
    if (const auto* usage = object_of(chunk, "usage")) {
        view.usages.push_back(*usage);
    }
    const auto id = text_of(chunk, "id");
    if (!id.empty() && std::ranges::find(view.ids, id) == view.ids.end()) {
        view.ids.push_back(id);
    }
    const auto* choices = array_of(chunk, "choices");
    for (std::size_t i = 0; choices != nullptr && i < choices->size(); ++i) {
        const auto& from = (*choices)[i].as_object();
        auto& choice = view.choices[index_of(from, i)];
        for (const auto* member : {object_of(from, "delta"), object_of(from, "message")}) {
            if (member != nullptr) {
                add_delta(view, choice, *member);
            }
        }
        if (const auto finish = text_of(from, "finish_reason"); !finish.empty()) {
            choice.finishes.push_back(finish);
        }
    }
}

void add_event(client_view& view, const std::string& data) {
    view.events.push_back(data);
    view.ends_with_done = data == "[DONE]";
    if (view.ends_with_done) {
        ++view.dones;
        return;
    }
    boost::system::error_code ec;
    const auto parsed = json::parse(data, ec);
    if (ec || !parsed.is_object()) {
        ++view.unreadable;
        return;
    }
    add_chunk(view, parsed.as_object());
}

/// Takes the next line off `bytes`; none when it has no end.
std::optional<std::string_view> take_line(std::string_view& bytes) {
    const auto end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto line = bytes.substr(0, end);
    bytes.remove_prefix(end + (bytes.substr(end, 2) == "\r\n" ? 2 : 1));
    return line;
}

} // namespace

const assembled_choice& client_view::first() const {
    static const assembled_choice none;
    const auto found = choices.find(0);
    return found == choices.end() ? none : found->second;
}

client_view read_stream(std::string_view bytes) {
    client_view view;
    std::optional<std::string> data;
    bool in_block = false;
    while (const auto line = take_line(bytes)) {
        if (line->empty()) {
            if (data) {
                add_event(view, *data);
            }
            data.reset();
            in_block = false;
            continue;
        }
        in_block = true;
        if (line->starts_with("data:")) {
            auto value = line->substr(5);
            value.remove_prefix(value.starts_with(' ') ? 1 : 0);
            data = data ? *data + "\n" + std::string(value) : std::string(value);
        }
    }
    view.ends_in_event = in_block || !bytes.empty();
    return view;
}

client_view read_body(std::string_view body) {
    client_view view;
    add_event(view, std::string(body));
    return view;
}

std::optional<std::string> dechunk(std::string_view body) {
    std::string data;
    for (;;) {
        const auto line_end = body.find("\r\n");
        std::size_t size = 0;
        const auto* begin = body.data();
        const auto parsed =
            std::from_chars(begin, begin + std::min(line_end, body.size()), size, 16);
        if (line_end == std::string_view::npos || parsed.ec != std::errc()) {
            return std::nullopt;
        }
        body.remove_prefix(line_end + 2);
        if (size == 0) {
            return body == "\r\n" ? std::optional(data) : std::nullopt;
        }
        if (body.size() < size + 2 || body.substr(size, 2) != "\r\n") {
            return std::nullopt;
        }
        data += body.substr(0, size);
        body.remove_prefix(size + 2);
    }
}

std::string collapse_space(std::string_view text) {
    constexpr std::string_view space = " \t\r\n";
    std::string out;
    while (!text.empty()) {
        const auto begin = std::min(text.find_first_not_of(space), text.size());
        const auto word = text.substr(begin, text.find_first_of(space, begin) - begin);
        if (!word.empty()) {
            out += (out.empty() ? "" : " ") + std::string(word);
        }
        text.remove_prefix(begin + word.size());
    }
    return out;
}

} // namespace tests
