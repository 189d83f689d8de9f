// The state of one turn and its steps; sanitizer.cpp has the entry points, chunk_path.cpp what
// happens to one chunk, turn_end.cpp how a turn ends.
#pragma once

#include "proxy/turn/attempt.hpp"
#include "proxy/turn/own_events.hpp"
#include "proxy/turn/recovery.hpp"
#include "proxy/turn/sanitizer.hpp"
#include "proxy/turn/verdict.hpp"
#include "proxy/turn/workspace.hpp"

#include <optional>

namespace proxy::turn {

struct sanitizer::impl {
    impl(const turn_settings& settings, const scaffold::catalog& formats, workspace& work,
         const chat::request_view& request, std::string_view body);

    // --- one item (sanitizer.cpp)
    action take_items(output& out);
    action take_item(const sse::item& item, output& out);
    action take_event(const sse::item& item, output& out);
    void take_fields(const sse::item& item);
    void take_line_feed(const sse::item& item, output& out);
    void pass_raw(std::string_view raw, output& out);
    void pass_event(const sse::item& item, output& out);
    void emit_before(output& out);

    // --- one chunk (chunk_path.cpp)
    /// Where the event in hand went, for the line feed that may follow it.
    enum class place { passed, dropped, held, terminal };

    void take_chunk(const sse::item& item, output& out);
    void edit_identity();
    void take_choice(const chat::choice_view& view, const sse::item& item, output& out);
    void take_text(choice_state& state, const chat::choice_view& view, const sse::item& item);
    void replace_text(const chat::choice_view& view, std::string_view text);
    void follow_cuts(const choice_state& state, const chat::choice_view& view, bool lists);
    void take_reasoning(choice_state& state, const chat::choice_view& view);
    void take_finish(choice_state& state, const chat::choice_view& view, output& out);
    void drop_second_role(const chat::choice_view& view);
    void take_usage();
    void note_spans(std::uint32_t index, bool in_reasoning);
    void note_answer(output& out);
    void flush_choice(choice_state& state, output& out);
    void release_leading(choice_state& state, output& out);
    std::string written_event(const sse::item& item);
    void emit_event(const sse::item& item, output& out);
    bool is_terminal() const;

    // --- the end (turn_end.cpp)
    action done_event(const sse::item* item, output& out);
    action reach_verdict(std::string_view done, output& out);
    action finish_whole(std::string_view done, output& out);
    action start_correction(correction_reason reason);
    action fail(std::string_view code, std::string message, std::string_view type, output& out);
    action second_failure(output& out);
    action upstream_error(const sse::item& item, output& out);
    action loud_end(upstream_end how, output& out);
    void flush_all(output& out);
    void finish_usage(output& out);
    action close(turn::outcome fallback);

    const bool legacy_completions_;
    const reasoning_mode reasoning_;
    const std::size_t event_bytes_max_;
    const scaffold::catalog& formats_;
    workspace& work_;
    recovery recovery_;
    correction_reason reason_ = correction_reason::markup;
    scaffold::context context_;
    bool include_usage_ = false;
    identity who_;
    std::vector<std::uint32_t> roles_sent_;
    std::string first_usage_;   // of the first attempt, while the second runs
    std::string second_events_; // of a second answer that came as one body
    attempt now_;
    bool second_ = false;
    bool answered_ = false;
    bool finished_ = false;
    bool correcting_ = false; // between action::correct and begin_second()
    bool spoiled_ = false;
    report facts_;

    std::string_view read_; // the bytes of the read in hand

    // The event in hand.
    bool standalone_ = false; // it carries nothing but the text of one choice
    bool swallowed_ = false;  // it was held or dropped
    place last_place_ = place::passed;
    std::uint32_t last_held_choice_ = 0;
};

} // namespace proxy::turn
