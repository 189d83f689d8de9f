// Edits of a text as {offset, length, replacement}; everything between them keeps its bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::json {

class splices {
  public:
    /// Replaces `length` bytes at `offset` of the original by `replacement`, which is copied.
    /// Edits may be added in any order; they must not overlap. At equal offsets, insertions
    /// (length 0) come out in the order of their adding.
    void replace(std::size_t offset, std::size_t length, std::string_view replacement);

    bool empty() const { return edits_.empty(); }

    void clear();

    /// Appends `original` with all edits applied to `out`. O(original + edits log edits).
    void apply(std::string_view original, std::string& out);

  private:
    struct edit {
        std::size_t offset;
        std::size_t length;
        std::size_t text_offset; // in texts_
        std::size_t text_length;
    };

    std::vector<edit> edits_;
    std::string texts_;
};

} // namespace proxy::json
