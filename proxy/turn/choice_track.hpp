// One choice of one attempt: its filter, and the events and cut-off texts that wait for a decision.
//
// The filter says what becomes of each byte of text; the track turns that into what becomes of each
// event: it passes, leaves with other text, is held whole, or is dropped. Held pieces keep their
// own bytes and are settled in order. Leading white space waits here too, as whole events.
#pragma once

#include "proxy/scaffold/choice_filter.hpp"
#include "proxy/sse/event_parser.hpp"
#include "proxy/turn/event_edit.hpp"
#include "proxy/turn/text_cut.hpp"
#include "proxy/turn/workspace.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::turn {

/// What becomes of the event in hand, as far as this choice's text is concerned.
enum class fate {
    unchanged, ///< its text stays as it is
    edited,    ///< its text becomes workspace::new_text
    held,      ///< nothing of it is decided and it carries nothing else: hold() it
    leading,   ///< white space before the first visible byte: hold_leading() it, with new_text
    dropped,   ///< all its text was stripped and it carries nothing else
};

/// The text that an event brings for one choice.
struct event_text {
    std::string_view inside; ///< raw inside of the JSON string
    bool standalone = false; ///< the event carries nothing else: may be held whole or dropped
    bool never_cut = false;  ///< logprobs or token_ids: held whole, however much is decided
    bool ends = false;       ///< the choice finishes with this event
};

class choice_track {
  public:
    choice_track(std::uint32_t index, const scaffold::catalog& formats,
                 const scaffold::context& ctx);

    std::uint32_t index() const { return index_; }

    /// Feeds the event's text. Events that are now decided are appended to work.before, in order;
    /// with fate::edited and fate::leading, work.new_text is the new raw text; what of the event's
    /// own text went is in work.stripped. Spans found are in work.decided.spans.
    fate take(const event_text& text, workspace& work);

    /// Right behind fate::held: keeps the event's bytes (its final form but for this choice's
    /// text). `before_data` and `data_length` say where its JSON lies in them.
    void hold(std::string bytes, std::size_t before_data, std::size_t data_length);

    /// Behind fate::leading: keeps the event until the first visible byte.
    void hold_leading(std::string_view bytes);

    /// Adds a line feed to the event held last (the LF of a CRLF came behind it).
    void extend_last_held(std::string_view line_feed);

    /// The text ends here: decides all that is held. Events go to work.before; kept text that has
    /// no event any more is left in work.new_text, for a chunk of its own behind them.
    void finish(workspace& work);

    /// Gives up leading white space, unchanged: events to work.before, cut-off text to
    /// work.new_text.
    void release_leading(workspace& work);

    /// Where text was stripped so far.
    const cut_places& cuts() const { return cuts_; }

    bool visible() const { return visible_; }

    bool holds_text() const { return !pieces_.empty() || !leading_events_.empty(); }

  private:
    struct piece {
        bool whole = false; // an event with its own bytes, or only a cut-off text
        std::string bytes;  // the event, or the raw text
        std::size_t before_data = 0;
        std::size_t data_length = 0;
        std::size_t text_bytes = 0; // decoded
        std::size_t decided = 0;    // decoded bytes decided so far
        bool stripped = false;      // some of its text was
        bool never_cut = false;
        bool blank = true;            // kept text so far is white space only
        bool reasoning = false;       // kept text so far holds reasoning
        std::string kept;             // raw text kept so far
        std::vector<byte_range> gone; // what was stripped of its text, if never_cut
        std::uint64_t shift = 0;      // code points of the choice stripped in front of it

        bool done() const { return decided == text_bytes; }
    };

    void apply_runs(workspace& work, piece* current);
    void apply_part(piece& p, const json::decoded_string& text, scaffold::run_kind kind,
                    std::size_t bytes);
    const json::decoded_string& text_of(const piece& p, workspace& work) const;
    void settle_pieces(workspace& work);
    void settle_partly(piece& p, workspace& work);
    void close_whole(piece& p, workspace& work);
    void write_held(const piece& p, bool changed, workspace& work, std::string& to);
    void cut_held_lists(const piece& p, std::string_view data, workspace& work) const;
    void tell_cut(piece& p, std::size_t kept_bytes, workspace& work) const;
    fate close_current(piece& p, const event_text& text, workspace& work);
    fate leave_partly(piece& p, const event_text& text, workspace& work);
    bool opens(const piece& p) const;
    void open(workspace& work, bool visible);
    void take_prefix(piece& p, workspace& work);
    void give_prefix(const piece& p, workspace& work);
    void bound_leading(workspace& work);

    std::uint32_t index_;
    bool visible_ = false; // a visible byte went out
    bool open_ = false;    // leading white space is not held any more
    bool prefix_blank_ = true;
    bool prefix_reasoning_ = false;
    cut_places cuts_;
    scaffold::choice_filter filter_;
    const scaffold::catalog* formats_;
    const scaffold::context* ctx_;
    bool finished_ = false; // the filter's text has ended; more text gets a new filter
    std::vector<piece> pieces_;
    std::size_t held_event_bytes_ = 0;
    bool last_held_leading_ = false;
    std::string leading_events_;
    std::string leading_text_; // raw white space whose event had to leave without it
};

} // namespace proxy::turn
