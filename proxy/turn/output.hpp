// What one read turns into: a list of pieces for one gather write.
//
// Unchanged bytes are views into the read buffer; what is ours lies in an arena of this object.
// Neighbouring views are joined. Nothing is copied but edited events and small own texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::turn {

class output {
  public:
    /// Adds bytes that stay valid until the write is done or kept (a view into the read buffer).
    void pass(std::string_view bytes);

    /// Adds a copy of `bytes`.
    void own(std::string_view bytes);

    /// The arena, for writers that append in place; what was appended since `mark` (the arena's
    /// size before) is added by own_since(mark).
    std::string& arena() { return arena_; }

    void own_since(std::size_t mark);

    bool empty() const { return pieces_.empty(); }

    std::size_t bytes() const { return bytes_; }

    std::size_t pieces() const { return pieces_.size(); }

    /// Piece `i`; valid until the next change.
    std::string_view piece(std::size_t i) const;

    /// All pieces as one string (tests, filter subcommand).
    std::string str() const;

    /// Forgets everything; keeps a small arena, frees a large one.
    void clear();

  private:
    struct part {
        const char* view;   // null: in the arena
        std::size_t offset; // in the arena
        std::size_t length;
    };

    std::vector<part> pieces_;
    std::string arena_;
    std::size_t bytes_ = 0;
};

} // namespace proxy::turn
