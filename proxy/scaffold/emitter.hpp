// Turns decided bytes into runs and spans.
#pragma once

#include "proxy/scaffold/choice_filter.hpp"
#include "proxy/scaffold/window.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace proxy::scaffold {

class emitter {
  public:
    /// Offset behind the last decided byte.
    std::uint64_t decided() const { return decided_; }

    /// Decides the bytes up to `end` as kept.
    void keep(run_kind kind, std::uint64_t end, decisions& out);

    /// Decides the bytes up to `end` as part of the open span; begin_span() came before.
    void strip(const window& text, std::uint64_t end, decisions& out);

    void begin_span(const format* fmt, span_kind kind, std::string_view rule);

    /// Names the format once it is known.
    void name_span(const format* fmt) { span_->fmt = fmt; }

    bool in_span() const { return span_ != nullptr; }

    /// Reports the open span, unless it is empty.
    void end_span(decisions& out);

  private:
    std::size_t excerpt(std::string_view bytes);

    std::uint64_t decided_ = 0;
    std::unique_ptr<span> span_; // the open one; most texts never have one
};

} // namespace proxy::scaffold
