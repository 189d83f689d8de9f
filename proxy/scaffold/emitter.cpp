#include "proxy/scaffold/emitter.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>
#include <utility>

namespace proxy::scaffold {

namespace {

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

} // namespace

void decisions::clear() {
    runs.clear();
    spans.clear();
}

void decisions::add(run_kind kind, std::size_t bytes) {
    if (bytes == 0) {
        return;
    }
    if (!runs.empty() && runs.back().kind == kind) {
        runs.back().bytes += bytes;
        return;
    }
    runs.push_back({kind, bytes});
}

void emitter::keep(run_kind kind, std::uint64_t end, decisions& out) {
    if (end > decided_) {
        out.add(kind, static_cast<std::size_t>(end - decided_));
        decided_ = end;
    }
}

void emitter::begin_span(const format* fmt, span_kind kind, std::string_view rule) {
    span_ = std::make_unique<span>();
    span_->fmt = fmt;
    span_->kind = kind;
    span_->rule = rule;
    span_->offset = decided_;
}

/// How many of `bytes` still belong into the excerpt; their characters are counted.
std::size_t emitter::excerpt(std::string_view bytes) {
    if (span_->chars > limits::span_excerpt_chars) {
        return 0;
    }
    const auto room = 4 * limits::span_excerpt_chars - span_->excerpt.size();
    std::size_t length = 0;
    while (length < std::min(bytes.size(), room)) {
        const bool begins = starts_character(bytes[length]);
        if (begins && span_->chars == limits::span_excerpt_chars) {
            break;
        }
        span_->chars += begins ? 1 : 0;
        ++length;
    }
    return length;
}

void emitter::strip(const window& text, std::uint64_t end, decisions& out) {
    if (end <= decided_) {
        return;
    }
    const auto bytes = text.between(decided_, end);
    const auto shown = excerpt(bytes);
    span_->excerpt.append(bytes.substr(0, shown));
    span_->chars += static_cast<std::uint64_t>(std::count_if(
        bytes.begin() + static_cast<std::ptrdiff_t>(shown), bytes.end(), starts_character));
    span_->bytes += bytes.size();
    out.add(run_kind::strip, bytes.size());
    decided_ = end;
}

void emitter::end_span(decisions& out) {
    if (span_ && span_->bytes != 0) {
        out.spans.push_back(std::move(*span_));
    }
    span_.reset();
}

} // namespace proxy::scaffold
