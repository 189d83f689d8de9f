#include "proxy/scaffold/choice_filter.hpp"

#include "proxy/scaffold/filter_impl.hpp"

namespace proxy::scaffold {

choice_filter::choice_filter(const catalog& formats, const context& ctx)
    : impl_(std::make_unique<impl>(formats, ctx)) {}

choice_filter::~choice_filter() = default;
choice_filter::choice_filter(choice_filter&&) noexcept = default;
choice_filter& choice_filter::operator=(choice_filter&&) noexcept = default;

void choice_filter::feed(std::string_view text, decisions& out) {
    if (text.empty()) {
        return;
    }
    impl_->text.push(text);
    impl_->run(false, out);
    impl_->text.release(impl_->emit.decided());
    impl_->text.settle();
}

void choice_filter::finish(decisions& out) {
    impl_->run(true, out);
    impl_->text.release(impl_->emit.decided());
}

std::size_t choice_filter::held() const {
    return static_cast<std::size_t>(impl_->text.end() - impl_->emit.decided());
}

bool choice_filter::idle() const {
    const auto& in = *impl_;
    return held() == 0 && in.now == impl::state::text && in.prose && !in.fresh &&
           in.reasoning == nullptr && in.code.plain();
}

void choice_filter::impl::run(bool last, decisions& out) {
    bool going = true;
    while (going) {
        switch (now) {
        case state::text:
            going = run_text(last, out);
            break;
        case state::candidate:
            going = run_candidate(last, out);
            break;
        case state::body:
            going = run_body(last, out);
            break;
        case state::trailer:
            going = run_trailer(last, out);
            break;
        case state::header:
            going = run_header(last, out);
            break;
        case state::preamble:
            going = run_preamble(last, out);
            break;
        }
    }
    if (last) {
        emit.end_span(out);
    }
}

} // namespace proxy::scaffold
