// An answer that came compressed though plain text was asked for: undone in front of everything
// that reads it (RFC 9110 8.4).
#include "proxy/front/exchange.hpp"

namespace proxy::front {

namespace {

// The one coding that the body has, "" for none; nothing where it has several. Each field may list
// more than one (RFC 9110 8.4), and `identity` is none at all.
std::optional<std::string_view> coding_of(const upstream::response_head& head) {
    std::string_view found;
    bool several = false;
    for (const auto& f : head.fields) {
        if (!upstream::equals_ignoring_case(f.name, "content-encoding")) {
            continue;
        }
        upstream::each_element(f.value, [&](std::string_view coding) {
            if (!upstream::equals_ignoring_case(coding, "identity")) {
                several = !found.empty();
                found = coding;
            }
            return !several;
        });
        if (several) {
            return std::nullopt;
        }
    }
    return found;
}

} // namespace

// False if the body has a coding that can't be undone.
bool exchange::begin_decoding(const upstream::response_head& head) {
    decoder_.reset();
    const auto coding = coding_of(head);
    if (coding && coding->empty()) {
        return true;
    }
    decoder_ = coding ? upstream::content_decoder::make(*coding) : nullptr;
    return decoder_ != nullptr;
}

void exchange::on_data(std::string_view bytes) {
    if (!decoder_ || shadow_) {
        return take(bytes);
    }
    if (decoder_->failed()) {
        return;
    }
    while (const auto plain = decoder_->next(bytes)) {
        take(*plain);
        // Written at once: what waits for the end of the read points into the decoder's piece.
        if (finished_ || !flush(false)) {
            return;
        }
    }
    if (decoder_->failed()) {
        surplus_ = true; // its connection is no good: nobody knows what it sent
        body_over(turn::upstream_end::cut);
    }
}

void exchange::on_end(turn::upstream_end how) {
    const bool cut =
        decoder_ && !shadow_ && how == turn::upstream_end::whole && !decoder_->complete();
    body_over(cut ? turn::upstream_end::cut : how);
}

} // namespace proxy::front
