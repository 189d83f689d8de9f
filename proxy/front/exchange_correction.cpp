// The one second request of an exchange: where it goes and what its answer is read as.
#include "proxy/front/answer_kind.hpp"
#include "proxy/front/exchange.hpp"

namespace proxy::front {

// The upstream that a correction goes to: the one that is set for it, or the first answer's.
std::size_t exchange::correction_index() const {
    const auto& all = owner_.settings();
    for (std::size_t i = 0; !all.recovery.upstream.empty() && i < all.upstreams.size(); ++i) {
        if (all.upstreams[i].name == all.recovery.upstream) {
            return i;
        }
    }
    return upstream_index_;
}

void exchange::start_correction() {
    call_.release(surplus_ || (turn_ && turn_->upstream_spoiled()));
    surplus_ = false;
    correcting_ = true;
    verdict_since_ms_ = 0;
    kept().second_body = turn_ ? turn_->correction_body() : body_turn_->correction_body();
    const auto index = correction_index();
    call_.start(*owner_.endpoints()[index], request_head(index, kept().second_body.size(), true),
                kept().second_body, false);
}

void exchange::second_head(const upstream::response_head& head) {
    const bool plain = begin_decoding(head);
    const bool readable = is_success(head.status) && plain;
    const auto kind = media_of(head);
    if (readable && kind == media::json) {
        reading_ = reading::body;
    } else if (readable && kind == media::missing) {
        reading_ = reading::undecided;
    } else if (turn_ && readable && kind == media::stream) {
        turn_->begin_second();
        reading_ = reading::turn;
    } else {
        reading_ = reading::refusal;
    }
}

// The second request brought no answer that could go on.
void exchange::refuse_second(std::string_view upstream_message) {
    if (turn_) {
        return obey(turn_->second_refused(upstream_message, owner_.scratch()));
    }
    std::string body;
    const auto next = body_turn_->second_refused(upstream_message, body);
    obey_body(next, body);
}

} // namespace proxy::front
