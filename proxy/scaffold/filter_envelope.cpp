// Envelopes (D12): the header goes, visible segments stay, the others go whole.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/filter_impl.hpp"

namespace proxy::scaffold {

bool choice_filter::impl::run_header(bool last, decisions& out) {
    while (header_cursor < text.end()) {
        const auto status = header.step(text.at(header_cursor));
        ++header_cursor;
        if (status == envelope_header::status::broken) {
            release(header_opener_end, header_cursor);
            return true;
        }
        if (status == envelope_header::status::done) {
            open_segment(out);
            return true;
        }
    }
    if (!last) {
        return false;
    }
    // Cut inside a header; the opener is a sentinel that stands where envelopes stand (D2).
    emit.begin_span(body_format, span_kind::call, "opener_at_end");
    any_span = true;
    end_span(text.end(), out);
    return true;
}

void choice_filter::impl::open_segment(decisions& out) {
    const auto kind = header.kind();
    envelope = body_format;
    if (kind == segment_kind::visible) {
        emit.begin_span(body_format, span_kind::control, "envelope");
        end_span(header_cursor, out);
        return;
    }
    segment = kind == segment_kind::call     ? span_kind::call
              : kind == segment_kind::result ? span_kind::result
                                             : span_kind::reasoning;
    emit.begin_span(body_format, segment, "envelope");
    emit.strip(text, header_cursor, out);
    body_cursor = body_opener_end = header_cursor;
    body_strings.begin(segment == span_kind::call);
    body_sure = true;
    probing = false;
    now = state::body;
}

} // namespace proxy::scaffold
