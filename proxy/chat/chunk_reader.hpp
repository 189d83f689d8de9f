// What the members of a chunk mean, apart from how the JSON is walked: one reader for both ways.
// Internal to proxy/chat.
//
// A Node is one JSON value: first() its first byte, token() the whole of a scalar, is_container(),
// is_empty() of a container, whole() all its bytes, each_member() and each_element() to go into it.
// The last three give false when the text turns out to be broken.
#pragma once

#include "proxy/chat/chunk_key.hpp"
#include "proxy/chat/chunk_view.hpp"
#include "proxy/json/escape.hpp"

#include <charconv>

namespace proxy::chat {

inline text_span string_of(std::string_view token) {
    if (token.size() < 2 || token.front() != '"' || token.back() != '"') {
        return {};
    }
    return {token.substr(1, token.size() - 2), true};
}

/// Bytes from the opening quote of the key with inside `key` to the end of `token`.
inline std::string_view member_of(std::string_view key, std::string_view token) {
    const char* begin = key.data() - 1;
    return {begin, static_cast<std::size_t>(token.data() + token.size() - begin)};
}

/// Truthy as openai-python sees it: null, false, 0, "", [] and {} are not.
template <typename Node>
bool is_truthy(const Node& node) {
    const std::string_view token = node.token();
    switch (node.first()) {
    case '{':
    case '[':
        return !node.is_empty();
    case '"':
        return token.size() > 2;
    case 't':
        return true;
    case 'f':
    case 'n':
        return false;
    default:
        return token.substr(0, token.find_first_of("eE")).find_first_of("123456789") !=
               std::string_view::npos;
    }
}

/// Fills one chunk_view. A member of an unexpected type counts as absent.
struct chunk_view::reader {
    /// Where a choice's text comes from, weakest first.
    enum class source { none, text, message, delta };

    chunk_view& view;
    bool has_message = false;

    template <typename Node>
    bool top_member(std::string_view raw_key, Node& node) {
        const std::string_view token = node.token();
        switch (read_chunk_key(raw_key)) {
        case chunk_key::id:
            set_string(view.id, view.id_value, token);
            return true;
        case chunk_key::model:
            set_string(view.model, view.model_value, token);
            return true;
        case chunk_key::system_fingerprint:
            set_string(view.system_fingerprint, view.fingerprint_value, token);
            return true;
        case chunk_key::object:
            view.object = string_of(token);
            return true;
        case chunk_key::created:
            view.created = is_number(node.first()) ? token : std::string_view{};
            return true;
        case chunk_key::message:
            has_message = node.first() == '"';
            return true;
        case chunk_key::usage:
            view.usage = {};
            return node.first() != '{' || node.whole(view.usage);
        case chunk_key::error:
            view.error_is_object = node.first() == '{' && is_truthy(node);
            view.error = {};
            return !is_truthy(node) || node.whole(view.error);
        case chunk_key::choices:
            return choices(node);
        default:
            return true;
        }
    }

    /// Settles what depends on several members.
    void finish() {
        view.old_error_form =
            has_message && view.object.present && json::equals(view.object.inside, "error");
        if (view.choices_count_ > 0) {
            for (const auto& [position, inside] : view.orphans_) {
                const std::size_t at = std::min(position, view.choices_count_ - 1);
                view.choices_[at].earlier_copies.push_back(inside);
            }
        }
    }

  private:
    static bool is_number(char first) { return first == '-' || (first >= '0' && first <= '9'); }

    static void set_string(text_span& span, std::string_view& value, std::string_view token) {
        span = string_of(token);
        value = span.present ? token : std::string_view{};
    }

    template <typename Node>
    bool choices(Node& node) {
        keep_orphans();
        view.choices_count_ = 0;
        view.has_choices = node.first() == '[';
        if (!view.has_choices) {
            return true;
        }
        return node.each_element(
            [this](Node& element) { return element.first() != '{' || choice(element); });
    }

    /// A second `choices`: the strings of the first are copies that must be edited too.
    void keep_orphans() {
        for (std::size_t i = 0; i < view.choices_count_; ++i) {
            const choice_view& c = view.choices_[i];
            for (const std::string_view inside : c.earlier_copies) {
                view.orphans_.emplace_back(i, inside);
            }
            if (c.text.present) {
                view.orphans_.emplace_back(i, c.text.inside);
            }
        }
    }

    choice_view& add_choice() {
        if (view.choices_count_ == view.choices_.size()) {
            view.choices_.emplace_back();
        }
        choice_view& c = view.choices_[view.choices_count_++];
        auto copies = std::move(c.earlier_copies); // keeps its memory
        copies.clear();
        c = {};
        c.earlier_copies = std::move(copies);
        return c;
    }

    template <typename Node>
    bool choice(Node& node) {
        choice_view& c = add_choice();
        source from = source::none;
        return node.each_member([&](std::string_view raw_key, Node& value) {
            const std::string_view token = value.token();
            switch (read_chunk_key(raw_key)) {
            case chunk_key::index:
                c.index = index_of(token);
                return true;
            case chunk_key::delta:
                return enter(c, from, source::delta, value);
            case chunk_key::message:
                return enter(c, from, source::message, value);
            case chunk_key::text:
                if (from == source::none || from == source::text) {
                    from = source::text;
                    set_text(c, token);
                }
                return true;
            case chunk_key::finish_reason:
                c.finish_reason = string_of(token);
                return true;
            case chunk_key::logprobs:
                c.has_logprobs = token != "null";
                return true;
            case chunk_key::token_ids:
                c.has_token_ids = token != "null";
                return true;
            default:
                return true;
            }
        });
    }

    /// 0 where the token is no integer of 32 bits.
    static std::uint32_t index_of(std::string_view token) {
        std::uint32_t index = 0;
        const char* end = token.data() + token.size();
        const auto [stop, error] = std::from_chars(token.data(), end, index);
        return error == std::errc{} && stop == end ? index : 0;
    }

    /// The last of equal strings counts; those before it are kept apart.
    static void set_text(choice_view& c, std::string_view token) {
        if (c.text.present) {
            c.earlier_copies.push_back(c.text.inside);
        }
        c.text = string_of(token);
    }

    /// Goes into a `delta` or `message`, unless a stronger source was there.
    template <typename Node>
    static bool enter(choice_view& c, source& from, source here, Node& node) {
        const bool object = node.first() == '{';
        if (here < from || (here > from && !object)) {
            return true;
        }
        forget_delta(c, here == from);
        from = here;
        return !object || delta(c, node);
    }

    static void forget_delta(choice_view& c, bool same_key) {
        if (!same_key) {
            c.earlier_copies.clear();
        } else if (c.text.present) {
            c.earlier_copies.push_back(c.text.inside);
        }
        c.text = {};
        c.reasoning = {};
        c.role_member = {};
        c.has_role = c.has_call = c.has_refusal = c.has_audio = false;
    }

    template <typename Node>
    static bool delta(choice_view& c, Node& node) {
        text_span reasoning_content;
        text_span reasoning;
        bool tool_calls = false;
        bool function_call = false;
        const bool whole = node.each_member([&](std::string_view raw_key, Node& value) {
            const std::string_view token = value.token();
            switch (read_chunk_key(raw_key)) {
            case chunk_key::content:
                set_text(c, token);
                break;
            case chunk_key::role:
                c.has_role = true;
                c.role_member =
                    value.is_container() ? std::string_view{} : member_of(raw_key, token);
                break;
            case chunk_key::reasoning_content:
                reasoning_content = string_of(token);
                break;
            case chunk_key::reasoning:
                reasoning = string_of(token);
                break;
            case chunk_key::tool_calls:
                tool_calls = value.first() == '[' && !value.is_empty();
                break;
            case chunk_key::function_call:
                function_call = value.first() == '{';
                break;
            case chunk_key::refusal:
                c.has_refusal = string_of(token).inside.size() > 0;
                break;
            case chunk_key::audio:
                c.has_audio = value.first() == '{';
                break;
            default:
                break;
            }
            return true;
        });
        c.reasoning = reasoning_content.present ? reasoning_content : reasoning;
        c.has_call = tool_calls || function_call;
        return whole;
    }
};

} // namespace proxy::chat
