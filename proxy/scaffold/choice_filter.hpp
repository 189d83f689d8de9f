// Decides, byte by byte, what of one choice's text is scaffolding.
//
// Text goes in, runs of decided bytes come out, in order: kept text, reasoning at the start of the
// turn (kept, but not visible text), stripped markup. What can still become either is held, and
// only that. Conservation: every byte fed is in exactly one run, or still held. The runs are the
// same at any split of the text.
#pragma once

#include "proxy/scaffold/catalog.hpp"
#include "proxy/scaffold/format.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

enum class run_kind : std::uint8_t { text, reasoning, strip };

struct run {
    run_kind kind = run_kind::text;
    std::size_t bytes = 0;
};

/// One stretch of stripped markup, reported when its end is known.
struct span {
    const format* fmt = nullptr; ///< null for an orphan closer of no single format
    span_kind kind = span_kind::call;
    std::uint64_t offset = 0; ///< in bytes of the choice's text
    std::uint64_t bytes = 0;
    std::uint64_t chars = 0; ///< code points
    std::string excerpt;     ///< its first limits::span_excerpt_chars characters
    std::string_view rule;   ///< "payload", "orphan_close", "cut_marker", …; static
};

/// Where feed() and finish() put what they decided. Reusable: clear() keeps the memory.
struct decisions {
    std::vector<run> runs; ///< neighbours of one kind are joined
    std::vector<span> spans;

    void clear();
    void add(run_kind kind, std::size_t bytes);
};

class choice_filter {
  public:
    /// `formats` and `ctx` must outlive the filter.
    choice_filter(const catalog& formats, const context& ctx);
    ~choice_filter();
    choice_filter(choice_filter&&) noexcept;
    choice_filter& operator=(choice_filter&&) noexcept;

    /// Takes the next piece of text and appends what is decided now to `out`. No allocation while
    /// the text holds no marker's beginning.
    void feed(std::string_view text, decisions& out);

    /// The text ends here: decides all that is held.
    void finish(decisions& out);

    /// Bytes fed and not yet decided.
    std::size_t held() const;

    /// True when nothing is held and the last byte fed was kept text outside any construct: a
    /// piece of text without an interesting byte would be kept as it is.
    bool idle() const;

  private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace proxy::scaffold
