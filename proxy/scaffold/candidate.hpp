// From an opener to the end of its span: is it a call, and where does it end?
//
// Behind the opener comes a payload, or another opener (a wrapper, or the opener doubled). Behind
// the payload come closers of any family, with only white space between; in a section further
// calls. All formats that share the opener are read side by side; the first whole payload wins.
#pragma once

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/matcher.hpp"
#include "proxy/scaffold/payload_scanner.hpp"
#include "proxy/scaffold/window.hpp"

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

using format_set = std::bitset<limits::formats_max>;

/// How a marker stands in its text.
struct place {
    bool line_start = false; ///< first thing of its line, blanks aside
    bool glued = false;      ///< right behind a character that is neither a blank nor a quote
    bool fresh = false;      ///< nothing visible since the turn's start or since a stripped span
};

class candidate {
  public:
    enum class status : std::uint8_t {
        more,    ///< undecided, or a span that may go on: see sure_end()
        refuted, ///< no call: broken_at() tells what was looked at
        done,    ///< the span ends at sure_end()
    };

    candidate(const matcher& markers, const context& ctx) : markers_(markers), ctx_(ctx) {}

    /// Starts at an opener of `length` bytes at `start`.
    void begin(const marker_entry& opener, std::uint64_t start, std::uint64_t length, place where);

    /// Starts at the first byte of a payload that has no opener (D7). `opener` holds the formats;
    /// those with another payload than `kind` don't count. A span that doesn't start the turn must
    /// end it.
    void begin_bare(const marker_entry& opener, payload_kind kind, std::uint64_t start,
                    bool starts_turn);

    /// Starts behind a closer that has no opener: further closers may follow it.
    void begin_behind(const marker_entry& closer, std::uint64_t start, std::uint64_t length);

    /// Looks at the text up to `limit`; with `last`, nothing comes behind it.
    status advance(const window& text, std::uint64_t limit, bool last);

    std::uint64_t start() const { return start_; }

    std::uint64_t opener_end() const { return first_end_; }

    /// Everything from start() to here is the span's for sure; 0 while it is undecided.
    std::uint64_t sure_end() const;

    std::uint64_t broken_at() const { return broken_at_; }

    /// What the span is called by: the format of its first opener, or, where several formats share
    /// that one, the format of its first payload. Null for a closer of no single format.
    const format* fmt() const { return family_ != nullptr ? family_ : fmt_; }

    std::string_view rule() const { return rule_; }

    /// What the span is stripped as.
    span_kind kind() const {
        const bool channel = fmt_ != nullptr && fmt_->payload == payload_kind::channel_text;
        return channel ? fmt_->strip_as : span_kind::call;
    }

    /// True if a format with this opener may be read here at all.
    bool usable(const format& fmt) const;

  private:
    /// What must follow a whole payload for it to be a span.
    enum class ending : std::uint8_t { any, line_end, turn_end };

    enum class match : std::uint8_t { no, more, yes };

    enum class phase : std::uint8_t { seek, payload, tail, drain };
    using verdict = std::optional<status>; // nothing: the phase changed, go on

    struct live_scanner {
        const format* fmt;
        std::unique_ptr<payload_scanner> scanner;
    };

    verdict seek(const window& text, std::uint64_t limit, bool last);
    verdict payload(const window& text, std::uint64_t limit, bool last);
    verdict tail(const window& text, std::uint64_t limit, bool last);
    verdict drain(const window& text, std::uint64_t limit, bool last);
    verdict finish_payload(const window& text, std::uint64_t limit);
    verdict check_bare(const window& text);
    verdict at_end(std::uint64_t limit);
    bool stands_out() const;
    verdict fail(std::uint64_t at);
    verdict close(bool text_ends);

    std::uint64_t payload_begin() const { return opener_end_; }

    void enter_tail(std::uint64_t end);
    bool feed_scanners(std::string_view chunk);
    bool feed_first(const window& text, std::uint64_t bound);
    void drop_alike();
    bool feed_bare(const window& text, std::uint64_t bound);
    bool names_undeclared() const;
    bool may_end_line(const window& text, std::uint64_t limit, bool last, verdict& found);
    bool accepts(const live_scanner& live) const;
    void start_payload(std::uint64_t from);
    void take_opener(const marker_entry& opener, std::uint64_t end);
    void take_closer(const marker_entry& closer);
    verdict behind_payload(const window& text, std::uint64_t limit, bool last);
    bool closes_bracket(char c) const;
    void pass_closing_line(const window& text, std::uint64_t limit);
    bool goes_on() const;
    bool runs_on() const;
    bool may_close(const marker_entry& entry) const;
    bool closes_own(const marker_entry& entry) const;
    match named_closer(std::string_view text, bool last) const;
    match own_opener(std::string_view text, bool last) const;
    match next_name(std::string_view text, bool last) const;
    bool opens(const marker_entry& entry) const;
    matcher::outcome probe(const window& text, std::uint64_t limit, bool last);

    const matcher& markers_;
    const context& ctx_;

    std::uint64_t start_ = 0;
    std::uint64_t first_end_ = 0; // of the first opener
    place where_;
    bool sentinel_ = false; // some opener so far was a sentinel

    phase phase_ = phase::seek;
    std::uint64_t cursor_ = 0;
    std::uint64_t end_ = 0; // of what belongs to the span for sure; 0 for nothing yet
    std::uint64_t broken_at_ = 0;
    bool committed_ = false; // the current payload is dropped as it comes
    bool dropped_ = false;   // some payload was: the span is one, whatever follows

    const marker_entry* opener_ = nullptr; // the latest
    std::uint64_t opener_end_ = 0;
    std::uint64_t commit_at_ = 0;
    format_set sections_;      // formats whose section is open
    format_set own_sections_;  // of these, the ones that the latest opener itself may have opened
    format_set wrappers_;      // formats of which an opener stands in front of another opener
    bool closed_ = false;      // a closer came behind the latest payload
    bool line_closes_ = false; // the rest of its line is the closer's (`Observation: …`)

    std::vector<live_scanner> scanners_;
    std::uint64_t fed_ = 0;
    bool compared_ = false; // no two scanners read alike

    matcher::probe probe_;
    bool probing_ = false;
    bool blank_ = false;     // drain: only blanks since the line began
    bool free_text_ = false; // drain: the payload is any text up to its own closer

    bool bare_ = false;
    payload_kind bare_kind_ = payload_kind::none;
    bool starts_turn_ = false;
    ending ending_ = ending::any;
    bool pending_ = false; // a whole payload, but what follows isn't known yet

    const format* fmt_ = nullptr;    // of the payload
    const format* family_ = nullptr; // of the first opener, if no other format has it
    std::string_view rule_;
};

} // namespace proxy::scaffold
