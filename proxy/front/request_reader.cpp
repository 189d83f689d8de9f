#include "proxy/front/request_reader.hpp"

#include "proxy/base/ensure.hpp"

#include <algorithm>
#include <utility>

namespace proxy::front {

namespace {

// Memory is taken as bytes come, whatever a Content-Length promises.
constexpr std::size_t body_reserve_max = std::size_t{1} << 20;

} // namespace

request_reader::progress request_reader::feed(std::string_view bytes) {
    std::string joined;
    if (!kept_.empty()) {
        joined = std::exchange(kept_, {});
        joined.append(bytes);
        bytes = joined;
    }
    auto result = progress::ready;
    if (!request_) {
        result = read_head(bytes);
    }
    if (result == progress::ready) {
        result = read_body(bytes);
    }
    if (result != progress::refused) {
        kept_.assign(bytes);
    }
    return result;
}

request_reader::progress request_reader::read_head(std::string_view& input) {
    // One empty line in front is forgiven: some clients end a body with it (RFC 9112 2.2).
    if (!skipped_line_ && input.starts_with("\r\n")) {
        skipped_line_ = true;
        input.remove_prefix(2);
        searched_ = 0;
    }
    if (input.empty() || (!skipped_line_ && input == "\r")) {
        return progress::more;
    }
    const auto length = upstream::head_length(input, searched_);
    if (!length) {
        searched_ = input.size();
        const auto fault = check_partial_head(input, rules_.head);
        return fault ? refuse(*fault) : progress::more;
    }
    auto request = std::make_unique<client_request>(rules_.memory);
    request->head_text.assign(input.substr(0, *length));
    const auto fault = check_request_head(request->head_text, rules_.head, request->head);
    to_head_ = request->head.method == "HEAD";
    if (fault) {
        return refuse(*fault);
    }
    input.remove_prefix(*length);
    const auto& head = request->head;
    if (!rules_.keys.admits(head.fields)) {
        return refuse({401, "A key is needed that this proxy knows: Authorization: Bearer KEY."});
    }
    if (head.content_length > rules_.body_bytes_max) {
        return refuse({413, "The request body is too large."});
    }
    const auto expected = static_cast<std::size_t>(head.content_length);
    request->body.reserve(std::min(expected, body_reserve_max));
    request->decoder = upstream::body_decoder(head.framing, head.content_length);
    wants_continue_ = head.expects_continue && input.empty() && !request->decoder.complete();
    request_ = std::move(request);
    return progress::ready;
}

request_reader::progress request_reader::read_body(std::string_view& input) {
    while (const auto piece = request_->decoder.next(input)) {
        if (piece->size() > rules_.body_bytes_max - request_->body.size()) {
            return refuse({413, "The request body is too large."});
        }
        if (!request_->memory.grow(piece->size())) {
            return refuse({503, "Too many request bodies are kept at this time."});
        }
        request_->body.append(*piece);
    }
    if (request_->decoder.failed()) {
        return refuse({400, "The chunked request body is not valid."});
    }
    return request_->decoder.complete() ? progress::ready : progress::more;
}

request_reader::progress request_reader::refuse(const refusal& why) {
    why_ = why;
    request_.reset();
    return progress::refused;
}

bool request_reader::wants_continue() {
    return std::exchange(wants_continue_, false);
}

std::unique_ptr<client_request> request_reader::take() {
    PROXY_ENSURE(request_ != nullptr);
    searched_ = 0;
    skipped_line_ = false;
    wants_continue_ = false;
    to_head_ = false;
    return std::move(request_);
}

} // namespace proxy::front
