// The first half of a call: a connection, kept or new, and the request.
#include "proxy/base/ensure.hpp"
#include "proxy/base/free_memory.hpp"
#include "proxy/upstream/call.hpp"
#include "proxy/upstream/would_block.hpp"

#include <array>
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

} // namespace proxy::upstream
