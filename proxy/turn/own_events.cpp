#include "proxy/turn/own_events.hpp"

#include "proxy/sse/event_writer.hpp"

namespace proxy::turn {

namespace {

void learn_value(std::string& known, std::string_view raw) {
    if (known.empty() && !raw.empty() && raw != "\"\"" && raw != "null") {
        known = raw;
    }
}

void append_member(std::string& json, std::string_view key, std::string_view raw) {
    if (!raw.empty()) {
        json.append("\"").append(key).append("\":").append(raw).append(",");
    }
}

std::string chunk_head(const identity& who) {
    std::string json = "{";
    append_member(json, "id", who.id);
    append_member(json, "object", who.object);
    append_member(json, "created", who.created);
    append_member(json, "model", who.model);
    return json;
}

} // namespace

void identity::learn(const chat::chunk_view& chunk) {
    learn_value(id, chunk.id_value);
    learn_value(created, chunk.created);
    learn_value(model, chunk.model_value);
    learn_value(fingerprint, chunk.fingerprint_value);
    if (object.empty() && chunk.object.present) {
        object.append("\"").append(chunk.object.inside).append("\"");
    }
}

void append_text_event(std::string& out, const identity& who, std::uint32_t index,
                       std::string_view raw_text, bool legacy_completions) {
    std::string json = chunk_head(who);
    json += "\"choices\":[{\"index\":" + std::to_string(index);
    json += legacy_completions ? ",\"text\":\"" : ",\"delta\":{\"content\":\"";
    json += raw_text;
    json += legacy_completions ? "\"" : "\"}";
    json += ",\"finish_reason\":null}]}";
    sse::append_data_event(out, json);
}

void append_usage_event(std::string& out, const identity& who, std::string_view usage) {
    std::string json = chunk_head(who);
    json.append("\"choices\":[],\"usage\":").append(usage).append("}");
    sse::append_data_event(out, json);
}

void append_loud_end(std::string& out, const chat::error_info& error) {
    sse::append_data_event(out, chat::error_json(error));
    out += sse::done_event;
}

} // namespace proxy::turn
