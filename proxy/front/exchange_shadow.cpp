// Shadow mode of an exchange: the answer is watched on its way.
#include "proxy/front/answer_kind.hpp"
#include "proxy/front/exchange.hpp"

namespace proxy::front {

// The answer passes as it is; a copy of each read is looked at. A coded answer is
// undone for that copy alone; what can't be undone isn't looked at.
void exchange::begin_shadow(const upstream::response_head& head) {
    if (returns_prompt() || !begin_decoding(head)) {
        return;
    }
    const auto kind = media_of(head);
    const auto form = kind == media::stream ? turn::shadow::form::stream
                      : kind == media::json ? turn::shadow::form::json
                                            : turn::shadow::form::undecided;
    shadow_ =
        std::make_unique<turn::shadow>(turn_settings(), owner_.shared().formats, owner_.workspace(),
                                       request_->body, form, owner_.settings().limits.response);
}

void exchange::watch(std::string_view bytes) {
    if (!decoder_) {
        return shadow_->take(bytes);
    }
    while (const auto plain = decoder_->next(bytes)) {
        shadow_->take(*plain);
    }
}

} // namespace proxy::front
