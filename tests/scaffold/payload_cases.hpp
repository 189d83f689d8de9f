// A table row for the payload scanners, and the check of one row at every cut.
#pragma once

#include "proxy/scaffold/payload_scanner.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// What one payload must come to. In `text`, `§` stands where the payload must end (complete), or
/// may be left out when all of the text is payload. For a broken payload it stands in front of the
/// first byte not taken; left out, that byte is not checked.
struct payload_case {
    std::string_view what;
    std::string_view opener;
    std::string_view text;
    proxy::scaffold::payload_state state = proxy::scaffold::payload_state::complete;
    std::string_view name = {};
};

/// What all rows of one table share.
struct payload_setting {
    proxy::scaffold::payload_kind kind = proxy::scaffold::payload_kind::call_any;
    proxy::scaffold::format_class cls = proxy::scaffold::format_class::tagged;
    std::vector<std::string> separators = {};
    std::vector<std::string> keys = {};
    std::vector<std::string> open = {};
    std::vector<std::string> close = {};
    std::vector<std::string> list_keys = {};
};

/// Runs every row whole, byte by byte and at every cut, and checks what came.
void check(const payload_setting& setting, const std::vector<payload_case>& rows);

/// A payload that is evidence from the mark `§` on and not before it.
struct evidence_case {
    std::string_view what;
    std::string_view opener;
    std::string_view text;
};

void check_evidence(const payload_setting& setting, const std::vector<evidence_case>& rows);

/// Any text at all: the same at every cut, nothing counted twice, bounds kept.
void check_sound(const payload_setting& setting, std::string_view opener, std::string_view text);

/// A scanner fed by a test; the format and the context live as long as it does.
class fed_scanner {
  public:
    fed_scanner(const payload_setting& setting, std::string_view opener);

    void feed(std::string_view text);
    void finish();

    proxy::scaffold::payload_state state() const { return scanner_->state(); }

    std::size_t taken() const { return taken_; }

    std::size_t tail() const { return scanner_->tail(); }

    std::string_view name() const { return scanner_->name(); }

  private:
    proxy::scaffold::format format_;
    proxy::scaffold::context context_;
    std::string opener_;
    std::unique_ptr<proxy::scaffold::payload_scanner> scanner_;
    std::size_t taken_ = 0;
};

} // namespace tests
