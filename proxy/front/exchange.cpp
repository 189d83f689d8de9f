#include "proxy/front/exchange.hpp"

#include "proxy/front/max_forwards.hpp"
#include "proxy/front/mode_field.hpp"
#include "proxy/telemetry/credentials.hpp"
#include "proxy/telemetry/turn_record.hpp"
#include "proxy/upstream/request_writer.hpp"

namespace proxy::front {

namespace {

std::string_view route_name(surface value) {
    switch (value) {
    case surface::chat:
        return "chat";
    case surface::completions:
        return "completions";
    case surface::other:
    case surface::refused:
        return "other";
    }
    return "";
}

mode_field mode_of(const request_head& head, const config::settings& settings) {
    return settings.mode_header ? read_mode_field(head.fields) : mode_field{};
}

std::optional<refusal> fault_of(surface where, const mode_field& mode) {
    if (where == surface::refused) {
        return refusal{400, "The path holds dot segments."};
    }
    return mode.valid ? std::nullopt : std::optional(refusal{400, mode_field_error});
}

std::chrono::microseconds since(std::chrono::steady_clock::time_point from,
                                std::chrono::steady_clock::time_point to) {
    return std::chrono::duration_cast<std::chrono::microseconds>(to - from);
}

} // namespace

exchange::exchange(worker& owner, session& client, std::unique_ptr<client_request> request)
    : owner_(owner), client_(client), request_(std::move(request)), call_(owner.loop(), *this) {
    const auto given = upstream::find_field(request_->head.fields, "x-request-id");
    request_id_ = given ? std::string(*given) : owner_.new_request_id();
}

exchange::~exchange() {
    if (counted_) {
        owner_.release_stream();
    }
}

std::optional<refusal> exchange::fault_of_head(const front::request_head& head,
                                               const config::settings& settings) {
    return fault_of(find_surface(head.method, head.target), mode_of(head, settings));
}

void exchange::start() {
    const auto& head = request_->head;
    surface_ = find_surface(head.method, head.target);
    const auto asked = mode_of(head, owner_.settings());
    if (const auto fault = fault_of(surface_, asked)) {
        return answer_error({fault->status, fault->message});
    }
    asked_mode_ = asked.mode;
    if (max_forwards(head) == 0U) {
        return answer_options();
    }
    if (client_.has_left()) { // with its last bytes: nobody is to be asked for it
        return client_.gone();
    }
    counted_ = owner_.take_stream();
    if (!counted_) {
        return answer_error({503, "Too many requests are in progress."});
    }
    send_first(0);
}

// The first upstream serves; the next only if not one byte reached the one before.
void exchange::send_first(std::size_t index) {
    upstream_index_ = index;
    auto& endpoint = *owner_.endpoints()[index];
    const bool readable = surface_ == surface::chat || surface_ == surface::completions;
    mode_ = readable ? asked_mode_.value_or(endpoint.settings.mode) : config::upstream_mode::off;
    call_.start(endpoint, request_head(index, request_->body.size(), false), request_->body,
                request_->head.method == "HEAD");
}

std::string exchange::request_head(std::size_t index, std::size_t body_bytes,
                                   bool changed_body) const {
    const auto& endpoint = *owner_.endpoints()[index];
    const auto target = upstream_target(request_->head.target, endpoint.settings.path);
    upstream::request_parts parts;
    parts.method = request_->head.method;
    parts.target = target;
    parts.fields = &request_->head.fields;
    parts.authority = endpoint.settings.authority;
    if (endpoint.settings.preserve_host) {
        const auto host = upstream::find_field(request_->head.fields, "host").value_or("");
        parts.authority = host.empty() ? parts.authority : host;
    }
    upstream::forwarded_parts forwarded;
    if (endpoint.settings.forwarded) {
        forwarded = client_.forwarded();
        forwarded.http_1_0 = request_->head.http_1_0;
        parts.forwarded = &forwarded;
    }
    parts.has_body = request_->head.framing != upstream::framing::none || is_post();
    parts.body_bytes = body_bytes;
    parts.identity_only = looks();
    parts.api_key = endpoint.settings.api_key;
    parts.key_always = endpoint.settings.auth_override;
    parts.consumed = !owner_.settings().clients.keys.empty();
    parts.foreign = index > 0;
    parts.changed_body = changed_body;
    parts.request_id = request_id_;
    if (const auto hops = max_forwards(request_->head)) {
        parts.max_forwards = *hops - 1;
    }
    return upstream::write_request_head(parts);
}

bool exchange::is_post() const {
    const auto method = request_->head.method;
    return method == "POST" || method == "PUT" || method == "PATCH";
}

// Once an answer has said so, it stays so, whatever the client has sent behind its request.
bool exchange::is_last() {
    last_ = last_ || owner_.draining() || !request_->head.keep_alive;
    return last_;
}

void exchange::answer_error(error_answer error) {
    error.close = is_last();
    error.head_only = request_->head.method == "HEAD";
    error.request_id = request_id_;
    error_code_ = error.code.empty() ? usual_code(error.status) : error.code;
    status_ = error.status;
    if (error.type.empty()) { // else the message holds an upstream's
        kept().reason = error.message;
    }
    call_.cancel();
    answer_whole(write_error(error), turn::outcome::error);
}

// The client asked for the last one on the way to answer, and that is this proxy.
void exchange::answer_options() {
    status_ = 204;
    answer_whole(options_answer(request_id_, is_last()), turn::outcome::passed);
}

void exchange::answer_whole(const std::string& text, turn::outcome outcome) {
    const iovec piece{const_cast<char*>(text.data()), text.size()};
    if (!client_.write({&piece, 1})) {
        return client_.gone();
    }
    finished_ = true;
    report(outcome);
    client_.answer_done(last_);
}

void exchange::finish() {
    finished_ = true;
    call_.release(surplus_ || (turn_ && turn_->upstream_spoiled()));
    report(turn::outcome::passed);
    client_.answer_done(last_ || answer_.framing() == answer_framing::close);
}

// An answer that is not whole must not look whole.
void exchange::break_off() {
    if (reading_ == reading::undecided) {
        // Not a byte of it went out yet.
        return answer_error({502, "The upstream's answer was cut.", "upstream_interrupted"});
    }
    finished_ = true;
    call_.cancel();
    report(turn::outcome::error);
    client_.answer_broken(answer_.framing() == answer_framing::close);
}

void exchange::client_drained() {
    call_.resume();
}

void exchange::client_gone() {
    if (finished_) {
        return;
    }
    finished_ = true;
    call_.cancel();
    if (turn_) {
        turn_->cancelled();
    }
    if (body_turn_) {
        body_turn_->cancelled();
    }
    if (shadow_) {
        shadow_->cancelled();
    }
    report(turn::outcome::cancelled);
}

// A correction, an error answer or a JSON answer may still need it; a stream that has said
// something doesn't.
bool exchange::needs_request() const {
    return turn_ ? turn_->wants_body() : reading_ != reading::bytes;
}

// Most of a stream's time nobody needs what was asked: only what the log must not show is kept.
void exchange::let_request_go() {
    if (!request_) {
        return;
    }
    for (const auto& f : request_->head.fields) {
        telemetry::add_credentials(f.name, f.value, credentials_);
    }
    request_.reset();
}

exchange::kept_texts& exchange::kept() {
    if (!kept_) {
        kept_ = std::make_unique<kept_texts>(owner_.shared().memory);
    }
    return *kept_;
}

void exchange::report(turn::outcome outcome) {
    let_request_go();
    const auto now = clock::now();
    telemetry::turn_record record;
    record.report = turn_ ? &turn_->facts() : nullptr;
    if (body_turn_) {
        record.report = &body_turn_->facts();
    }
    turn::report watched;
    if (shadow_) {
        watched = shadow_->facts();
        record.report = &watched;
    }
    record.outcome = outcome;
    if (record.report != nullptr && !shadow_) {
        owner_.shared().budget.note(record.report->corrections > 0 &&
                                    record.report->outcome == turn::outcome::failed);
    }
    record.request_id = request_id_;
    record.route = route_name(surface_);
    record.upstream = owner_.endpoints()[upstream_index_]->settings.name;
    if (correcting_ && correction_index() != upstream_index_) {
        record.correction_upstream = owner_.endpoints()[correction_index()]->settings.name;
    }
    record.status = status_;
    record.retries = retries_ + call_.repeats();
    record.error_code = error_code_;
    if (kept_) {
        record.reason = kept_->reason;
    }
    if (first_token_) {
        record.first_token = since(started_, *first_token_);
    }
    record.total = since(started_, now);
    record.credentials = credentials_;
    owner_.shared().sink(record);
}

} // namespace proxy::front
