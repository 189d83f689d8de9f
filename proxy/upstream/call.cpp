#include "proxy/upstream/call.hpp"

#include "proxy/base/free_memory.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/upstream/would_block.hpp"

#include <algorithm>
#include <new>

namespace proxy::upstream {

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
        return socket_->recheck(limits::upstream_silent_ticks);
    case state::body:
        if (!paused_ && loop_.now_ms() >= deadline_ms_) {
            end(turn::upstream_end::stalled);
            return sink_.on_read_done();
        }
        return socket_->recheck(limits::upstream_silent_ticks);
    case state::idle:
    case state::complete:
    case state::ended:
        return;
    }
}

} // namespace proxy::upstream
