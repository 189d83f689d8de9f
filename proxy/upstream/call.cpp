#include "proxy/upstream/call.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/free_memory.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/upstream/would_block.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <sys/uio.h>

namespace proxy::upstream {

namespace {

iovec piece_of(std::string_view text) {
    // Nobody writes to it; iovec just can't say so.
    return {const_cast<char*>(text.data()), text.size()};
}

} // namespace

void call::start(endpoint& target, std::string head, std::string_view body, bool is_head_request) {
    PROXY_ENSURE(!active());
    endpoint_ = &target;
    request_ = std::move(head);
    request_body_ = body;
    is_head_request_ = is_head_request;
    sent_ = 0;
    interim_ = 0;
    extra_ = false;
    paused_ = false;
    reusable_ = false;
    partial_.clear();
    decoder_ = body_decoder();
    socket_ = target.connections.take();
    pooled_ = socket_ != nullptr;
    if (pooled_) {
        on_connected(std::move(socket_));
    } else {
        dial();
    }
}

void call::dial() {
    state_ = state::dialing;
    pooled_ = false;
    dialer_ = std::make_unique<dialer>(loop_, *endpoint_, *this);
    dialer_->start(endpoint_->settings.connect_timeout);
}

void call::on_connected(std::unique_ptr<socket> connection) {
    if (dialer_) {
        // It is in the middle of this call, but has nothing left to do behind it.
        repeats_ += dialer_->repeats();
        dialer_.reset();
    }
    socket_ = std::move(connection);
    socket_->set_handler(this);
    state_ = state::sending;
    deadline_ms_ = loop_.now_ms() + endpoint_->settings.first_byte_timeout.count();
    send();
}

void call::on_dial_failed(dial_fault fault) {
    repeats_ += dialer_->repeats();
    const std::string insecure = "its TLS handshake failed: " + dialer_->reason();
    switch (fault) {
    case dial_fault::unknown_name:
        return fail(call_fault::unreachable, "its name has no address");
    case dial_fault::refused:
        return fail(call_fault::unreachable, "it refused the connection");
    case dial_fault::not_secure:
        return fail(call_fault::unreachable, insecure);
    case dial_fault::timed_out:
        return fail(call_fault::connect_timeout);
    case dial_fault::no_socket:
        return fail(call_fault::local);
    }
}

void call::send() {
    while (sent_ < request_.size() + request_body_.size()) {
        std::array<iovec, 2> pieces{};
        std::size_t count = 0;
        if (sent_ < request_.size()) {
            pieces[count++] = piece_of(std::string_view(request_).substr(sent_));
        }
        const auto in_body = sent_ > request_.size() ? sent_ - request_.size() : 0;
        if (in_body < request_body_.size()) {
            pieces[count++] = piece_of(request_body_.substr(in_body));
        }
        const auto wrote = socket_->write(std::span(pieces).first(count));
        if (wrote < 0) {
            if (!would_block(errno)) {
                return send_failed();
            }
            break;
        }
        sent_ += static_cast<std::size_t>(wrote);
    }
    // An answer may come before the request was taken: it is read all the same.
    socket_->resume_reading();
    if (sent_ < request_.size() + request_body_.size()) {
        socket_->wait_writable();
    } else {
        state_ = state::head;
        base::free_memory(request_);
        request_body_ = {};
    }
}

void call::send_failed() {
    if (sent_ == 0 && pooled_) {
        // The upstream closed its kept connection and the request never left: it is safe to ask
        // anew.
        ++repeats_;
        socket_.reset();
        return dial();
    }
    if (sent_ == 0) {
        return fail(call_fault::unreachable, "it closed the connection at once");
    }
    // It may have answered before it closed; what it said is still to be read.
    state_ = state::head;
    reusable_ = false;
    extra_ = true;
    socket_->resume_reading();
}

void call::on_writable() {
    if (state_ == state::sending) {
        send();
    }
}

void call::on_no_memory() {
    cancel();
    sink_.on_no_memory();
}

// The sink may have let go of the socket by the time that memory runs out: it is told from here.
void call::on_readable() try {
    const auto buffer = loop_.read_buffer();
    const auto got = socket_->read(buffer);
    if (got > 0) {
        take({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
        closed(true);
    } else if (!would_block(errno)) {
        closed(false);
    }

} catch (const std::bad_alloc&) {

    on_no_memory();
}

void call::take(std::string_view bytes) {
    if (state_ == state::body) {
        return take_body(bytes);
    }
    if (const auto rest = take_head(bytes)) {
        take_body(*rest);
    }
}

// Reads heads, interim ones too, until the final one is whole; gives what follows it in `bytes`.
std::optional<std::string_view> call::take_head(std::string_view bytes) {
    const auto searched = partial_.size();
    if (searched > 0) {
        partial_.append(bytes);
    }
    std::string_view input = searched > 0 ? std::string_view(partial_) : bytes;
    std::size_t from = searched;
    while (true) {
        constexpr std::string_view protocol = "HTTP/1.";
        if (!input.starts_with(protocol.substr(0, std::min(protocol.size(), input.size())))) {
            fail(call_fault::bad_head, "it does not speak HTTP/1.x");
            return std::nullopt;
        }
        const auto length = head_length(input, from);
        if (length.value_or(input.size()) > limits::head_bytes_max) {
            fail(call_fault::bad_head, "its head is too large");
            return std::nullopt;
        }
        if (!length) {
            if (input.size() != partial_.size()) {
                partial_ = std::string(input);
            }
            return std::nullopt;
        }
        const bool is_final = take_one_head(input.substr(0, *length));
        input.remove_prefix(*length);
        from = 0;
        if (state_ != state::head && state_ != state::sending) {
            // The head was final, or it was refused, or the sink gave up. What is left lies at the
            // end of this read, where padding is behind it.
            base::free_memory(partial_);
            return is_final && state_ == state::body
                       ? std::optional(bytes.substr(bytes.size() - input.size()))
                       : std::nullopt;
        }
    }
}

// True for a final head that was told; the state says whether anybody still listens.
bool call::take_one_head(std::string_view head) {
    response_head read;
    if (const auto fault = read_response_head(head, is_head_request_, read); !fault.empty()) {
        fail(call_fault::bad_head, fault);
        return false;
    }
    if (read.interim()) {
        if (++interim_ > limits::interim_answers_max) {
            fail(call_fault::bad_head, "it sends too many interim answers");
        }
        return false;
    }
    // Answered before the request was sent whole: the rest of it is in nobody's interest.
    extra_ = extra_ || state_ == state::sending;
    reusable_ = read.reusable;
    decoder_ = body_decoder(read.framing, read.content_length);
    state_ = state::body;
    deadline_ms_ = loop_.now_ms() + endpoint_->settings.idle_timeout.count();
    sink_.on_head(read);
    return true;
}

void call::take_body(std::string_view bytes) {
    deadline_ms_ = loop_.now_ms() + endpoint_->settings.idle_timeout.count();
    while (const auto piece = decoder_.next(bytes)) {
        sink_.on_data(*piece);
        if (state_ != state::body) {
            return;
        }
    }
    if (decoder_.complete()) {
        extra_ = extra_ || !bytes.empty();
        state_ = state::complete;
        socket_->pause_reading();
        sink_.on_end(turn::upstream_end::whole);
    } else if (decoder_.failed()) {
        end(turn::upstream_end::cut);
    }
    sink_.on_read_done();
}

void call::closed(bool orderly) {
    if (state_ != state::body) {
        return fail(call_fault::interrupted);
    }
    const bool whole = orderly && decoder_.whole_at_close();
    end(whole ? turn::upstream_end::whole : turn::upstream_end::cut);
    sink_.on_read_done();
}

void call::end(turn::upstream_end how) {
    state_ = state::ended;
    socket_.reset();
    sink_.on_end(how);
}

void call::fail(call_fault fault, std::string_view detail) {
    const bool unwritten = sent_ == 0;
    cancel();
    sink_.on_failed({fault, detail, unwritten});
}

void call::pause() {
    if (socket_ && state_ == state::body && !paused_) {
        paused_ = true;
        socket_->pause_reading();
    }
}

void call::resume() {
    if (socket_ && state_ == state::body && paused_) {
        paused_ = false;
        deadline_ms_ = loop_.now_ms() + endpoint_->settings.idle_timeout.count();
        socket_->resume_reading();
    }
}

void call::cancel() {
    state_ = state::ended;
    dialer_.reset();
    socket_.reset();
}

void call::release(bool spoiled) {
    const bool fit = socket_ && reusable_ && !extra_ && !spoiled;
    if (fit && state_ == state::complete) {
        endpoint_->connections.put(std::move(socket_));
    } else if (fit && state_ == state::body && decoder_.kind() == framing::chunked && !paused_) {
        endpoint_->connections.settle(std::move(socket_), decoder_);
    }
    cancel();
}

void call::sweep() {
    switch (state_) {
    case state::dialing:
        return dialer_->sweep();
    case state::sending:
    case state::head:
        if (loop_.now_ms() >= deadline_ms_) {
            return fail(call_fault::no_answer);
        }
        return socket_->recheck();
    case state::body:
        if (!paused_ && loop_.now_ms() >= deadline_ms_) {
            end(turn::upstream_end::stalled);
            return sink_.on_read_done();
        }
        return socket_->recheck();
    case state::idle:
    case state::complete:
    case state::ended:
        return;
    }
}

} // namespace proxy::upstream
