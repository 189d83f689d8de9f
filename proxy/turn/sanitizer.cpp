#include "proxy/turn/sanitizer.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/sse/event_writer.hpp"
#include "proxy/turn/body_events.hpp"
#include "proxy/turn/sanitizer_impl.hpp"

#include <functional>

namespace proxy::turn {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

} // namespace

void workspace_delete::operator()(workspace* w) const {
    delete w;
}

workspace_ptr make_workspace() {
    return workspace_ptr(new workspace);
}

sanitizer::impl::impl(const turn_settings& settings, const scaffold::catalog& formats,
                      workspace& work, const chat::request_view& request, std::string_view body)
    : legacy_completions_(settings.legacy_completions), reasoning_(settings.reasoning),
      event_bytes_max_(settings.event_bytes_max), formats_(formats), work_(work),
      recovery_(settings, request, body), context_(context_of(request, settings)),
      include_usage_(request.include_usage), now_(settings.event_bytes_max) {}

action sanitizer::impl::take_items(output& out) {
    action next = finished_ ? action::finish : action::proceed;
    while (const auto item = now_.parser.next()) {
        if (next == action::proceed) {
            next = take_item(*item, out);
        } else if (item->kind != sse::item_kind::line_feed) {
            spoiled_ = true;
            facts_.bytes_after_end += item->raw.size();
        }
    }
    if (next != action::proceed) {
        spoiled_ = spoiled_ || now_.parser.pending() > 0 || now_.parser.too_large();
        return next;
    }
    if (now_.parser.too_large()) {
        spoiled_ = true;
        return loud_end(upstream_end::cut, out);
    }
    return action::proceed;
}

action sanitizer::impl::take_item(const sse::item& item, output& out) {
    switch (item.kind) {
    case sse::item_kind::comment:
    case sse::item_kind::blank:
        pass_raw(item.raw, out);
        last_place_ = place::passed;
        return action::proceed;
    case sse::item_kind::fields:
        take_fields(item);
        return action::proceed;
    case sse::item_kind::line_feed:
        take_line_feed(item, out);
        return action::proceed;
    case sse::item_kind::event:
        break;
    }
    ++facts_.events;
    now_.id_lines_seen = now_.id_lines_seen || item.has_id;
    return take_event(item, out);
}

action sanitizer::impl::take_event(const sse::item& item, output& out) {
    if (item.single_data_line && !second_ && now_.shape.read(item.data, work_.chunk)) {
        take_chunk(item, out);
        return action::proceed;
    }
    const std::string_view data = trimmed(item.data);
    if (data.empty()) {
        ++facts_.events_dropped;
        last_place_ = place::dropped;
        return action::proceed;
    }
    if (data.starts_with("[DONE]")) {
        return done_event(&item, out);
    }
    if (!work_.chunk.parse(item.data)) {
        ++facts_.unreadable_events;
        pass_event(item, out);
        return action::proceed;
    }
    if (!work_.chunk.error.empty() || work_.chunk.old_error_form) {
        return upstream_error(item, out);
    }
    const bool spoke_before = answered_;
    take_chunk(item, out);
    // Not from the first text: once that is out the request is let go, and its memory serves here.
    if (standalone_ && spoke_before && !second_) {
        const chat::choice_view& choice = work_.chunk.choices()[0];
        if (!choice.text.inside.empty() && !choice.has_logprobs && !choice.has_token_ids) {
            now_.shape.learn(work_.chunk);
        }
    }
    return action::proceed;
}

// A block without data: its id and retry lines go in front of the next event, the rest is dropped,
// because SDKs read such a block as an event with empty data.
void sanitizer::impl::take_fields(const sse::item& item) {
    last_place_ = place::dropped;
    ++facts_.events_dropped;
    std::string_view rest = item.raw;
    while (!rest.empty()) {
        const std::size_t at = rest.find_first_of("\r\n");
        const std::string_view line = rest.substr(0, at);
        if (line.starts_with("id") || line.starts_with("retry")) {
            now_.pending_lines.append(line).append("\n");
            now_.id_lines_seen = now_.id_lines_seen || line.starts_with("id");
        }
        rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    }
    if (now_.pending_lines.size() > limits::head_bytes_max) {
        now_.pending_lines.clear();
    }
}

void sanitizer::impl::take_line_feed(const sse::item& item, output& out) {
    switch (last_place_) {
    case place::passed:
        pass_raw(item.raw, out);
        return;
    case place::dropped:
        return;
    case place::terminal:
        now_.terminals += item.raw;
        return;
    case place::held:
        if (auto* state = now_.choice(last_held_choice_, formats_, context_)) {
            state->track.extend_last_held(item.raw);
        }
        return;
    }
}

void sanitizer::impl::pass_event(const sse::item& item, output& out) {
    if (!now_.pending_lines.empty()) {
        out.own(now_.pending_lines);
        now_.pending_lines.clear();
    }
    pass_raw(item.raw, out);
    last_place_ = place::passed;
}

// What lies in the read stays there until it is written; an event that was completed from the
// parser's carry does not, and is copied.
void sanitizer::impl::pass_raw(std::string_view raw, output& out) {
    const std::less_equal<const char*> not_behind;
    const bool in_read = not_behind(read_.data(), raw.data()) &&
                         not_behind(raw.data() + raw.size(), read_.data() + read_.size());
    if (in_read) {
        out.pass(raw);
    } else {
        out.own(raw);
    }
}

void sanitizer::impl::emit_before(output& out) {
    if (!work_.before.empty()) {
        out.own(work_.before);
        work_.before.clear();
    }
}

// --- the public face ------------------------------------------------------------------------

sanitizer::sanitizer(const turn_settings& settings, const scaffold::catalog& formats,
                     workspace& work, const chat::request_view& request, std::string_view body)
    : impl_(std::make_unique<impl>(settings, formats, work, request, body)) {}

sanitizer::~sanitizer() = default;

action sanitizer::push(std::string_view bytes, output& out) {
    PROXY_ENSURE(!impl_->correcting_);
    impl_->read_ = bytes;
    impl_->now_.parser.push(bytes);
    return impl_->take_items(out);
}

action sanitizer::end(upstream_end how, output& out) {
    impl& turn = *impl_;
    PROXY_ENSURE(!turn.correcting_);
    if (turn.finished_) {
        return action::finish;
    }
    if (trimmed(turn.now_.parser.pending_bytes()) == "data: [DONE]" ||
        trimmed(turn.now_.parser.pending_bytes()) == "data:[DONE]") {
        return turn.done_event(nullptr, out);
    }
    if (turn.now_.whole()) {
        return turn.reach_verdict(sse::done_event, out);
    }
    return turn.loud_end(how, out);
}

bool sanitizer::awaiting_verdict() const {
    return !impl_->finished_ && !impl_->correcting_ && impl_->now_.whole();
}

action sanitizer::verdict_timeout(output& out) {
    if (!awaiting_verdict()) {
        return impl_->finished_ ? action::finish : action::proceed;
    }
    impl_->spoiled_ = true;
    return impl_->reach_verdict(sse::done_event, out);
}

std::string sanitizer::correction_body() const {
    PROXY_ENSURE(impl_->correcting_);
    return impl_->recovery_.body(impl_->reason_);
}

void sanitizer::begin_second() {
    PROXY_ENSURE(impl_->correcting_);
    impl_->correcting_ = false;
    impl_->recovery_.settle();
}

action sanitizer::second_body(std::string_view json, output& out) {
    PROXY_ENSURE(impl_->correcting_);
    const bool tells_usage = impl_->include_usage_ || !impl_->first_usage_.empty();
    auto events = events_of(json, tells_usage);
    if (!events) {
        return second_refused(chat::error_message(json), out);
    }
    begin_second();
    if (!tells_usage) {
        impl_->now_.usage = std::move(events->usage); // for the log alone
    }
    std::string& bytes = impl_->second_events_;
    bytes = std::move(events->bytes);
    const std::size_t length = bytes.size();
    bytes.resize(length + limits::json_padding);
    return push(std::string_view(bytes).substr(0, length), out);
}

action sanitizer::second_refused(std::string_view upstream_message, output& out) {
    PROXY_ENSURE(impl_->correcting_);
    begin_second();
    std::string message = "The reply was malformed and the correction request failed";
    message += upstream_message.empty() ? "." : ": " + std::string(upstream_message);
    return impl_->fail("correction_failed", std::move(message), "invalid_response_error", out);
}

bool sanitizer::answered() const {
    return impl_->answered_;
}

bool sanitizer::wants_body() const {
    return impl_->recovery_.wants_body() && !impl_->finished_;
}

void sanitizer::keepalive(output& out) {
    const impl& turn = *impl_;
    const bool ours = turn.correcting_ || (turn.second_ && !turn.answered_) ||
                      turn.now_.holds_text() || !turn.now_.terminals.empty();
    if (turn.finished_ || !ours) {
        return;
    }
    const std::size_t mark = out.arena().size();
    sse::append_comment(out.arena(), "keep-alive", !turn.now_.id_lines_seen);
    out.own_since(mark);
}

void sanitizer::cancelled() {
    if (!impl_->finished_) {
        impl_->finished_ = true;
        impl_->recovery_.settle();
        impl_->facts_.outcome = outcome::cancelled;
    }
}

bool sanitizer::finished() const {
    return impl_->finished_;
}

bool sanitizer::upstream_spoiled() const {
    return impl_->spoiled_;
}

const report& sanitizer::facts() const {
    return impl_->facts_;
}

} // namespace proxy::turn
