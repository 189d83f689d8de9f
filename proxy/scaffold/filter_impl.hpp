// The inside of choice_filter: one state at a time reads the undecided bytes.
//
//   text       prose and code; waits for a marker to be whole
//   candidate  behind a call's opener: nothing shows until the evidence is complete
//   body       free text of a result or a reasoning segment, up to its closer
//   trailer    a run of closers and control tokens that may be the end of the turn
//   header     an envelope's header, up to its body
//   preamble   a body that is for the user or, if it is only JSON, a call
//
// Everything is decided at a byte, never at a cut: each state keeps its own place in the text and
// gives the same answer however the bytes come.
#pragma once

#include "proxy/scaffold/candidate.hpp"
#include "proxy/scaffold/choice_filter.hpp"
#include "proxy/scaffold/code_context.hpp"
#include "proxy/scaffold/emitter.hpp"
#include "proxy/scaffold/envelope.hpp"
#include "proxy/scaffold/matcher.hpp"
#include "proxy/scaffold/payload_json.hpp"
#include "proxy/scaffold/window.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace proxy::scaffold {

/// Follows the strings of a JSON text, so that what stands in one can be told from markup.
class json_strings {
  public:
    void begin(bool follow) {
        follow_ = follow;
        started_ = inside_ = escaped_ = false;
    }

    /// Takes the next byte of the body.
    void step(char c) {
        if (!started_ && c != ' ' && c != '\n') {
            started_ = true;
            follow_ = follow_ && c == '{';
        }
        if (!follow_ || !started_) {
            return;
        }
        if (inside_) {
            // A raw line feed is no part of a string: the JSON is broken, a token ends it again.
            inside_ = (escaped_ || c != '"') && c != '\n';
            escaped_ = c == '\\' && !escaped_;
        } else {
            inside_ = c == '"';
            escaped_ = false;
        }
    }

    bool inside() const { return inside_; }

  private:
    bool follow_ = false;
    bool started_ = false;
    bool inside_ = false;
    bool escaped_ = false;
};

struct choice_filter::impl {
    impl(const catalog& formats, const context& request)
        : markers(formats.markers()), ctx(request) {}

    static constexpr std::uint64_t no_offset = static_cast<std::uint64_t>(-1);

    enum class state : std::uint8_t { text, candidate, body, trailer, header, preamble };

    /// Decides as much of the undecided text as can be; with `last`, all of it.
    void run(bool last, decisions& out);

    // filter_text.cpp: each returns false when it needs more text.
    bool run_text(bool last, decisions& out);
    bool at_marker_start(bool last, decisions& out);
    bool strip_cut_marker(decisions& out);
    void pass_plain();
    void pass_until(std::uint64_t end);
    void flush(decisions& out);
    void show(const marker_entry& entry);
    bool shown(const marker_entry& entry) const;
    place where() const;
    anchor_kind level() const;

    run_kind kept_kind() const {
        return reasoning != nullptr ? run_kind::reasoning : run_kind::text;
    }

    // filter_marker.cpp: what a whole marker in prose starts.
    bool on_marker(const marker_entry& entry, std::uint64_t length, decisions& out);
    bool on_reasoning(const marker_entry& entry, std::uint64_t length, decisions& out);
    bool on_opener(const marker_entry& entry, std::uint64_t length);
    bool on_body(const marker_entry& entry, std::uint64_t length, decisions& out);
    bool on_closer(const marker_entry& entry, std::uint64_t length, decisions& out);
    bool on_control(const marker_entry& entry, std::uint64_t length, decisions& out);
    bool on_header(const marker_entry& entry, std::uint64_t length);
    void strip_marker(const marker_entry& entry, std::uint64_t length, span_kind kind,
                      std::string_view rule, decisions& out);
    void begin_trailer(const marker_entry& entry, std::uint64_t length, bool control);

    // filter_bare.cpp: calls without an opener
    bool may_be_bare(char c) const;
    bool at_bare_start(bool last, decisions& out);
    void begin_bare(payload_kind kind, decisions& out);
    bool begin_named_tag(std::size_t length, decisions& out);

    // filter_spans.cpp
    candidate& reader();
    bool run_candidate(bool last, decisions& out);
    bool watch_inline(bool last);
    void release(std::uint64_t opener_end, std::uint64_t broken_at);
    marker_role body_role(const marker_entry& entry) const;
    bool is_message() const;
    bool ends_message(const marker_entry& entry) const;
    bool may_end_body(char c) const;
    bool run_body(bool last, decisions& out);
    void end_span(std::uint64_t end, decisions& out);

    // filter_trailer.cpp
    bool run_trailer(bool last, decisions& out);
    bool extend_trailer(const marker_entry& entry, std::uint64_t length, decisions& out);
    void end_trailer(decisions& out);

    // filter_envelope.cpp
    bool run_header(bool last, decisions& out);
    void open_segment(decisions& out);
    void show_segment(decisions& out);
    bool run_preamble(bool last, decisions& out);
    bool end_preamble(std::uint64_t limit, bool last, decisions& out);

    const matcher& markers;
    const context& ctx;
    window text;
    emitter emit;
    state now = state::text;
    std::uint64_t pos = 0; ///< text: next byte to read; otherwise where the construct starts

    // text
    code_context code;
    matcher::probe probe;
    bool probing = false;
    bool prose = false;       ///< something visible came before (in a reasoning block: within it)
    bool fresh = true;        ///< nothing but white space since the start or the last span
    bool any_span = false;    ///< a call was stripped in this turn
    std::uint32_t before = 0; ///< the last four kept bytes, for place::glued
    const format* reasoning = nullptr; ///< in a reasoning block that is kept
    format_set shown_formats;          ///< formats of which an opener or token stands in the text
    std::uint64_t line_begin = 0;      ///< of the line that `pos` is in
    std::uint64_t envelope_shown_at = no_offset; ///< where an envelope's token last stood as text
    std::uint64_t rescanned = 0;
    std::uint64_t blind_until = 0;      ///< markers before this place are text
    std::uint64_t no_trailer_until = 0; ///< trailing runs before this place were refuted

    // candidate; most texts never have one
    std::unique_ptr<candidate> call; ///< made with the first opener: see reader()
    const marker_entry* opener = nullptr;
    std::unique_ptr<marker_entry> tag_opener; ///< `<NAME>` of a declared tool
    inline_watch watch;
    bool watching = false;
    bool call_done = false;
    std::uint64_t watched = 0;

    // body
    const format* body_format = nullptr;
    span_kind segment = span_kind::result; ///< what the body is stripped as
    std::uint64_t body_cursor = 0;
    std::uint64_t body_opener_end = 0;
    json_strings body_strings; ///< of a call's body, where a token in a string is text
    bool body_sure = false;    ///< dropped as it comes; otherwise only when it is closed

    // trailer
    std::uint64_t trailer_cursor = 0;
    std::uint64_t trailer_end = 0;
    bool trailer_call = false; ///< holds a closer, not only control tokens
    bool trailer_sure = false; ///< it is markup, whatever follows
    const format* trailer_format = nullptr;

    // header
    std::unique_ptr<envelope_header> header; ///< made with the first one
    std::uint64_t header_cursor = 0;
    std::uint64_t header_opener_end = 0;
    const format* envelope = nullptr; ///< format of the envelope that the turn is in
    std::unique_ptr<json_scanner> preamble;
    bool preamble_whole = false;
};

} // namespace proxy::scaffold
