// Calls whose input is plain text: NAME, a separator, then text up to the end of its line (ReAct)
// or up to a closer of the format (Inkling, `<FunctionCall>NAME<code>`).
#pragma once

#include "proxy/scaffold/literal_watch.hpp"
#include "proxy/scaffold/payload_bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

class named_text_scanner final : public byte_scanner {
  public:
    /// Where the input ends. One that ends with its line must stand in another line than the name,
    /// and JSON is none: that is name_sep_json's.
    enum class input : std::uint8_t { to_line_end, to_closer };

    named_text_scanner(const payload_start& start, input ends);

    step take(char c) override;
    bool whole_at_end() override;
    std::size_t skip(std::string_view text) const override;

    std::string_view name() const override { return name_; }

  private:
    enum class phase : std::uint8_t { waiting, name, behind_name, behind_separator, input };

    step take_waiting(char c);
    step take_behind_name(char c);
    step take_behind_separator(char c);
    step take_input(char c);

    const std::vector<std::string>* separators_;
    input ends_;
    literal_watch closers_;
    phase phase_ = phase::waiting;
    std::string name_;
    std::string mark_; // of a separator
    std::size_t gap_ = 0;
    bool line_ended_ = false;
    bool returned_ = false; // the last byte was a carriage return
};

} // namespace proxy::scaffold
