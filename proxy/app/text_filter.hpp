// One text without its markup, as it comes: choice_filter with the bytes that it holds, and the
// rule for leading white space.
#pragma once

#include "proxy/scaffold/catalog.hpp"
#include "proxy/scaffold/choice_filter.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace proxy::app {

/// What was stripped, summed over all texts.
struct strip_summary {
    std::uint64_t spans = 0;
    std::uint64_t chars = 0;
    std::set<std::string> formats;

    void add(const scaffold::span& found);
};

class text_filter {
  public:
    /// All three must outlive the filter.
    text_filter(const scaffold::catalog& formats, const scaffold::context& context,
                strip_summary& summary);

    /// Takes the next piece of the text; what is decided to stay is appended to `out`.
    void feed(std::string_view text, std::string& out);

    /// The text ends: decides the rest. A text of which only white space is left, and something was
    /// stripped, is empty; leading white space is otherwise kept.
    void finish(std::string& out);

  private:
    void settle(std::string& out);
    void keep(std::string_view text, bool reasoning, std::string& out);

    scaffold::choice_filter filter_;
    strip_summary& summary_;
    scaffold::decisions decided_;
    std::string held_;    // fed, not decided
    std::string leading_; // white space before the first visible byte
    bool stripped_ = false;
    bool open_ = false; // a byte went out that was not white space
};

} // namespace proxy::app
