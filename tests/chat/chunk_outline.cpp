#include "tests/chat/chunk_outline.hpp"

#include "proxy/base/limits.hpp"

namespace tests {

namespace {

using proxy::chat::choice_view;
using proxy::chat::text_span;

void add(std::string& out, std::string_view name, const text_span& span) {
    if (span.present) {
        out.append(" ").append(name).append("=").append(span.inside);
    }
}

void add(std::string& out, std::string_view name, std::string_view value) {
    if (!value.empty()) {
        out.append(" ").append(name).append("=").append(value);
    }
}

void add(std::string& out, std::string_view name, bool set) {
    if (set) {
        out.append(" ").append(name);
    }
}

void add_choice(std::string& out, const choice_view& c) {
    out += " | index " + std::to_string(c.index);
    add(out, "text", c.text);
    for (const std::string_view copy : c.earlier_copies) {
        out.append(" copy=").append(copy);
    }
    add(out, "reasoning", c.reasoning);
    add(out, "role", c.has_role);
    add(out, "member", c.role_member);
    add(out, "call", c.has_call);
    add(out, "refusal", c.has_refusal);
    add(out, "audio", c.has_audio);
    add(out, "logprobs", c.has_logprobs);
    add(out, "token_ids", c.has_token_ids);
    add(out, "finish", c.finish_reason);
}

} // namespace

std::string outline(const proxy::chat::chunk_view& view) {
    std::string out;
    add(out, "id", view.id);
    add(out, "id_value", view.id_value);
    add(out, "model", view.model);
    add(out, "model_value", view.model_value);
    add(out, "object", view.object);
    add(out, "fingerprint", view.system_fingerprint);
    add(out, "fingerprint_value", view.fingerprint_value);
    add(out, "created", view.created);
    add(out, "usage", view.usage);
    add(out, "error", view.error);
    add(out, "object_error", view.error_is_object);
    add(out, "old_error", view.old_error_form);
    add(out, "choices", view.has_choices);
    for (std::size_t i = 0; i < view.choices_count(); ++i) {
        add_choice(out, view.choices()[i]);
    }
    return out.empty() ? out : out.substr(1);
}

} // namespace tests

namespace proxy::chat {

bool chunk_view_paths::run(chunk_view& view, way how, std::string_view padded) {
    if (how == way::parse) {
        return view.parse(padded);
    }
    view.reset(padded);
    return how == way::fast ? view.parse_fast() : view.parse_scan();
}

std::string chunk_view_paths::outline(way how, std::string_view data) {
    std::string padded(data);
    padded.append(limits::json_padding, '}'); // the worst that can follow: more JSON
    chunk_view view;
    const bool read = run(view, how, std::string_view(padded).substr(0, data.size()));
    return read ? tests::outline(view) : "no";
}

} // namespace proxy::chat
