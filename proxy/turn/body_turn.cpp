#include "proxy/turn/body_turn.hpp"

#include "proxy/base/text.hpp"
#include "proxy/chat/error_object.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/turn/token_lists.hpp"
#include "proxy/turn/usage.hpp"

#include <charconv>
#include <utility>

namespace proxy::turn {

namespace {

std::optional<json::value_view> member(json::value_view object, std::string_view key) {
    if (object.kind != json::kind::object) {
        return std::nullopt;
    }
    const auto found = json::find_last(object, key);
    return found ? std::optional(found->value) : std::nullopt;
}

bool is_filled_string(const std::optional<json::value_view>& value) {
    return value && value->kind == json::kind::string && !value->inside().empty();
}

bool is_filled_list(const std::optional<json::value_view>& value) {
    return value && value->kind == json::kind::array && json::array_walker(*value).next();
}

bool is_object(const std::optional<json::value_view>& value) {
    return value && value->kind == json::kind::object;
}

std::uint32_t index_of(json::value_view choice) {
    std::uint32_t index = 0;
    if (const auto value = member(choice, "index")) {
        std::from_chars(value->raw.data(), value->raw.data() + value->raw.size(), index);
    }
    return index;
}

bool is_truthy(const std::optional<json::value_view>& value) {
    return value && !value->is_null() && value->raw != "false" && value->raw != "\"\"" &&
           value->raw != "0";
}

} // namespace

body_turn::body_turn(const turn_settings& settings, const scaffold::catalog& formats,
                     const chat::request_view& request, std::string_view body)
    : settings_(settings), formats_(formats), recovery_(settings, request, body),
      context_(context_of(request, settings)) {}

action body_turn::take(std::string_view answer, std::string& out) {
    answer_ = answer;
    edits_.clear();
    usage_.clear();
    markup_ = exempt_finish_ = reasoning_seen_ = false;
    all_stopped_ = true;
    const auto root = json::read_value(answer);
    const auto choices = root ? member(*root, "choices") : std::nullopt;
    if (!choices || choices->kind != json::kind::array) {
        if (second_) {
            return second_refused(chat::error_message(answer), out);
        }
        out = answer; // no completion: not ours to judge
        return close(root && is_truthy(member(*root, "error")) ? outcome::error : outcome::passed);
    }
    json::array_walker walker(*choices);
    for (std::size_t i = 0; i < limits::choices_max; ++i) {
        const auto choice = walker.next();
        if (!choice) {
            break;
        }
        take_choice(*choice);
    }
    take_identity(*root);
    take_usage(*root);
    return decide_turn(out);
}

void body_turn::take_choice(json::value_view choice) {
    if (choice.kind != json::kind::object) {
        return;
    }
    const std::uint32_t index = index_of(choice);
    if (settings_.legacy_completions) {
        take_text(choice, "text", choice, index);
        take_finish(choice, false);
        return;
    }
    const auto message = member(choice, "message");
    const bool readable = is_object(message);
    const bool has_call = readable && (is_filled_list(member(*message, "tool_calls")) ||
                                       is_object(member(*message, "function_call")));
    if (readable) {
        answered_ = answered_ || has_call || is_filled_string(member(*message, "refusal")) ||
                    is_object(member(*message, "audio"));
        take_reasoning(*message, index);
        take_text(*message, "content", choice, index);
    }
    take_finish(choice, has_call);
}

// Filters one text; all copies of an equal key get the same new text, the last one counts.
void body_turn::take_text(json::value_view holder, std::string_view key, json::value_view choice,
                          std::uint32_t index) {
    const auto value = member(holder, key);
    if (!is_filled_string(value)) {
        return;
    }
    json::decoded_string text;
    text.set(value->inside());
    scaffold::choice_filter filter(formats_, context_);
    decided_.clear();
    filter.feed(text.text(), decided_);
    filter.finish(decided_);
    note(index, false);
    std::string kept;
    std::size_t at = 0;
    bool visible = false;
    bool reasoning = false;
    std::vector<byte_range> gone;
    cut_places places;
    for (const scaffold::run& run : decided_.runs) {
        const bool strip = run.kind == scaffold::run_kind::strip;
        places.add(text.text().substr(at, run.bytes), strip);
        if (strip) {
            add_range(gone, {at, at + run.bytes});
        } else {
            const std::size_t from = text.raw_offset(at);
            kept += text.raw().substr(from, text.raw_offset(at + run.bytes) - from);
            reasoning = reasoning || run.kind == scaffold::run_kind::reasoning;
            visible = visible || (run.kind == scaffold::run_kind::text &&
                                  !base::is_blank(text.text().substr(at, run.bytes)));
        }
        at += run.bytes;
    }
    answered_ = answered_ || visible;
    if (gone.empty()) {
        return;
    }
    if (!visible && !reasoning) {
        kept.clear(); // W3: white space alone is empty
        gone = {{0, text.text().size()}};
    }
    json::object_walker copies(holder);
    while (const auto copy = copies.next()) {
        if (json::equals(copy->key, key) && copy->value.kind == json::kind::string) {
            replace(copy->value.inside(), kept);
        }
    }
    const auto follow = [this](std::string_view old, std::string_view now) { replace(old, now); };
    if (!cut_token_lists(choice, {text.text(), &gone, 0}, follow)) {
        ++facts_.token_lists_nulled;
    }
    move_citations(holder, places, follow);
}

void body_turn::take_reasoning(json::value_view message, std::uint32_t index) {
    auto value = member(message, "reasoning_content");
    if (!is_filled_string(value)) {
        value = member(message, "reasoning");
    }
    reasoning_seen_ = reasoning_seen_ || is_filled_string(value);
    if (is_filled_string(value) && settings_.reasoning == reasoning_mode::detect) {
        scaffold::choice_filter filter(formats_, context_);
        decided_.clear();
        filter.feed(json::unescape(value->inside()), decided_);
        filter.finish(decided_);
        note(index, true);
    }
}

void body_turn::take_finish(json::value_view choice, bool has_call) {
    const auto value = member(choice, "finish_reason");
    if (!is_filled_string(value)) {
        return;
    }
    std::string reason = json::unescape(value->inside());
    exempt_finish_ = exempt_finish_ || is_exempt_finish(reason);
    all_stopped_ = all_stopped_ && reason == "stop";
    if (reason == "tool_calls" && !has_call) {
        reason = "stop";
        replace(value->inside(), reason);
    }
    facts_.finish = std::move(reason);
}

void body_turn::note(std::uint32_t index, bool in_reasoning) {
    for (const scaffold::span& found : decided_.spans) {
        markup_ = markup_ || found.kind == scaffold::span_kind::call ||
                  found.kind == scaffold::span_kind::result;
        if (!in_reasoning) {
            note_span(facts_, found, index, second_ ? 2 : 1);
        }
    }
}

void body_turn::replace(std::string_view old, std::string_view text) {
    edits_.replace(static_cast<std::size_t>(old.data() - answer_.data()), old.size(), text);
}

// One response has one id: the second answer speaks as the first one did.
void body_turn::take_identity(json::value_view root) {
    const std::pair<const char*, std::string*> known[] = {
        {"id", &who_.id},
        {"created", &who_.created},
        {"model", &who_.model},
        {"system_fingerprint", &who_.fingerprint}};
    for (const auto& [key, ours] : known) {
        const auto theirs = member(root, key);
        if (!theirs || theirs->is_null()) {
            continue;
        }
        if (ours->empty()) {
            *ours = theirs->raw;
        } else if (second_ && theirs->raw != *ours) {
            replace(theirs->raw, *ours);
        }
    }
}

void body_turn::take_usage(json::value_view root) {
    const auto usage = member(root, "usage");
    if (is_object(usage)) {
        usage_ = usage->raw;
    }
    if (!second_ || first_usage_.empty()) {
        return;
    }
    std::string sum;
    append_usage_sum(sum, first_usage_, usage_);
    if (usage) {
        replace(usage->raw, sum);
    } else {
        const std::size_t end =
            static_cast<std::size_t>(root.raw.data() - answer_.data()) + root.raw.size() - 1;
        edits_.replace(end, 0, ",\"usage\":" + sum);
    }
}

} // namespace proxy::turn
