#include "proxy/front/session.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/front/error_answer.hpp"
#include "proxy/front/exchange.hpp"
#include "proxy/front/peer_address.hpp"
#include "proxy/telemetry/log.hpp"
#include "proxy/telemetry/turn_record.hpp"
#include "proxy/upstream/would_block.hpp"

#include <algorithm>
#include <new>

namespace proxy::front {

namespace {

iovec piece_of(std::string_view text) {
    // sendmsg() does not write to its buffers; its type just can't say so.
    return {const_cast<char*>(text.data()), text.size()};
}

} // namespace

session::session(worker& owner, int fd)
    : owner_(owner), socket_(std::make_unique<upstream::socket>(owner.loop(), fd)),
      reader_(owner.shared().rules) {
    if (const auto& tls = owner.shared().tls.clients) {
        socket_->secure(upstream::tls_channel::from_client(tls, fd));
    }
}

session::~session() = default;

void session::start(session_list::iterator place) {
    place_ = place;
    since_ms_ = owner_.loop().now_ms();
    socket_->set_handler(this);
    socket_->resume_reading();
}

upstream::forwarded_parts session::forwarded() const {
    upstream::forwarded_parts out;
    out.client = peer_address(socket_->fd());
    out.encrypted = socket_->tls() != nullptr;
    if (const auto address = config::parse_ip(out.client)) {
        const auto& trusted = owner_.settings().clients.trusted;
        out.trusted = std::any_of(trusted.begin(), trusted.end(),
                                  [&](const auto& each) { return each.holds(*address); });
    }
    return out;
}

bool session::is_reading() const {
    return phase_ == phase::idle || phase_ == phase::head || phase_ == phase::body;
}

void session::enter(phase next) {
    phase_ = next;
    since_ms_ = owner_.loop().now_ms();
}

void session::on_readable() {
    const auto buffer = owner_.loop().read_buffer();
    const auto got = socket_->read(buffer);
    if (got < 0 && upstream::would_block(errno)) {
        return;
    }
    if (got <= 0) {
        if (got < 0 && socket_->tls() != nullptr && !socket_->tls()->is_established()) {
            const auto reason = socket_->tls()->reason();
            owner_.note_tls_failure(reason);
            if (reason == "http request") { // as OpenSSL names it: answered as it was asked
                socket_->secure(nullptr);
                return refuse({400, "This address speaks TLS: ask it with https."});
            }
        }
        // FIN counts as gone: it can't be told from a client that left (nginx does the same).
        return gone();
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    switch (phase_) {
    case phase::idle:
    case phase::head:
    case phase::body:
        return take_input(bytes);
    case phase::answering:
    case phase::flushing:
        return keep_input(bytes);
    case phase::lingering:
        lingered_ += bytes.size();
        if (lingered_ > limits::linger_bytes_max) {
            close();
        }
        return;
    case phase::closed:
        return;
    }
}

// Requests that are answered at once are answered in this loop, however many there are.
void session::take_input(std::string_view bytes) {
    taking_ = true;
    auto result = reader_.feed(bytes);
    while (result == request_reader::progress::ready) {
        begin_exchange();
        if (!is_reading()) {
            break;
        }
        result = reader_.feed({});
    }
    taking_ = false;
    if (!is_reading()) {
        return;
    }
    if (result == request_reader::progress::refused) {
        return refuse(reader_.why());
    }
    if (reader_.wants_continue()) {
        if (const auto fault = exchange::fault_of_head(reader_.head(), owner_.settings())) {
            return refuse(*fault); // its body need not be sent
        }
        const auto go_on = piece_of("HTTP/1.1 100 Continue\r\n\r\n");
        if (!write({&go_on, 1})) {
            return gone();
        }
    }
    auto next = reader_.idle() ? phase::idle : phase::head;
    if (reader_.in_body()) {
        next = phase::body;
    }
    if (next != phase_) {
        enter(next);
    }
}

void session::begin_exchange() {
    auto request = reader_.take();
    served_ = true;
    close_after_ = !request->head.keep_alive;
    enter(phase::answering);
    exchange_ = std::make_unique<exchange>(owner_, *this, std::move(request));
    exchange_->start();
}

// Bytes behind a request are kept for their turn, up to the size of a head.
void session::keep_input(std::string_view bytes) {
    reader_.keep(bytes);
    if (reader_.kept() >= owner_.settings().limits.head) {
        input_paused_ = true;
        socket_->pause_reading();
    }
}

void session::refuse(const refusal& why) {
    const auto id = owner_.new_request_id();
    telemetry::turn_record record;
    record.outcome = turn::outcome::error;
    record.request_id = id;
    record.route = "refused";
    record.status = why.status;
    record.error_code = usual_code(why.status);
    record.reason = why.message;
    owner_.shared().sink(record);
    error_answer answer;
    answer.status = why.status;
    answer.message = why.message;
    answer.close = true;
    answer.head_only = reader_.to_head();
    answer.request_id = id;
    const auto text = write_error(answer);
    const auto piece = piece_of(text);
    if (!write({&piece, 1})) {
        return gone();
    }
    finish_after(after_flush::linger);
}

bool session::write(std::span<const iovec> pieces) {
    if (queue_.empty()) {
        progress_ms_ = owner_.loop().now_ms();
    }
    if (!queue_.send(*socket_, pieces)) {
        return false;
    }
    if (!queue_.empty()) {
        socket_->wait_writable();
    }
    return true;
}

void session::on_writable() {
    if (phase_ == phase::closed) {
        return;
    }
    const auto before = queue_.size();
    if (!queue_.flush(*socket_)) {
        return gone();
    }
    if (queue_.size() < before) {
        progress_ms_ = owner_.loop().now_ms();
    }
    if (!queue_.empty()) {
        socket_->wait_writable();
    } else if (phase_ == phase::flushing) {
        return queue_ran_empty();
    }
    if (phase_ == phase::answering && queue_.size() <= limits::write_queue_low) {
        exchange_->client_drained();
    }
}

void session::answer_done(bool close) {
    owner_.bury(std::move(exchange_));
    close_after_ = close_after_ || close;
    if (!close_after_) {
        finish_after(after_flush::next_request);
    } else {
        // Closing over unread bytes is a reset, which may destroy the answer on its way.
        finish_after(reader_.kept() > 0 ? after_flush::linger : after_flush::close);
    }
}

void session::answer_broken(bool reset) {
    owner_.bury(std::move(exchange_));
    if (reset) {
        socket_->reset_on_close();
    } else {
        socket_->end_without_notice();
    }
    finish_after(after_flush::close);
}

void session::finish_after(after_flush next) {
    after_flush_ = next;
    enter(phase::flushing);
    if (queue_.empty()) {
        queue_ran_empty();
    }
}

void session::queue_ran_empty() {
    switch (after_flush_) {
    case after_flush::next_request:
        return read_next();
    case after_flush::linger:
        return begin_lingering();
    case after_flush::close:
        return close();
    }
}

void session::read_next() {
    enter(phase::idle);
    if (input_paused_) {
        input_paused_ = false;
        socket_->resume_reading();
    }
    if (!taking_ && reader_.kept() > 0) {
        take_input({});
    }
}

void session::begin_lingering() {
    socket_->finish_sending();
    enter(phase::lingering);
    socket_->resume_reading();
}

void session::gone() {
    if (exchange_) {
        exchange_->client_gone();
        owner_.bury(std::move(exchange_));
    }
    close();
}

void session::on_no_memory() {
    owner_.scratch().clear(); // what was put together for this client
    try {
        gone();
        telemetry::error("out of memory: a connection was given up");
    } catch (const std::bad_alloc&) { // not even to tell of it
        close();
    }
}

void session::close() {
    if (phase_ != phase::closed) {
        phase_ = phase::closed;
        socket_.reset();
        owner_.bury(*this);
    }
}

void session::end_now() {
    close_after_ = true;
    if (exchange_) {
        exchange_->end_now();
    }
    close();
}

} // namespace proxy::front
