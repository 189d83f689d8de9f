// One upstream event with edits to its JSON, written out again: everything that is not edited keeps
// its bytes, line ends and other fields included.
#pragma once

#include "proxy/json/splices.hpp"
#include "proxy/sse/event_parser.hpp"

#include <string>
#include <string_view>

namespace proxy::turn {

/// An event's bytes with the place of its JSON in them.
struct event_bytes {
    std::string_view raw;
    std::string_view data; ///< a view into raw when `in_place`, else joined elsewhere
    bool in_place = true;

    static event_bytes of(const sse::item& item) {
        return {item.raw, item.data, item.single_data_line};
    }
};

/// Collects edits to an event's JSON by position in `data`, then writes the event.
class event_editor {
  public:
    /// Starts over for `event`; its views must stay valid until write().
    void begin(const event_bytes& event);

    /// Replaces `old`, a view into the event's data, by `text`.
    void replace(std::string_view old, std::string_view text);

    /// Removes one member, a view into the event's data, with one of its commas.
    void remove_member(std::string_view whole);

    bool changed() const { return !edits_.empty(); }

    /// Appends the edited event to `out`.
    void write(std::string& out);

  private:
    void write_joined(std::string& out);

    event_bytes event_;
    json::splices edits_;
    std::string joined_; // the edited JSON of an event with several data lines
};

} // namespace proxy::turn
