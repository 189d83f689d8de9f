// What was taken out of one choice's text, for everything that points into that text or restates
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace proxy::turn {

/// Bytes [begin, end) of a text.
struct byte_range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Adds a range behind the last one; ranges that touch become one.
void add_range(std::vector<byte_range>& to, byte_range next);

/// Code points of `text`, which may begin or end inside of one: bytes that begin one count.
std::uint64_t code_points(std::string_view text);

/// Where in a choice's text characters were stripped; positions in code points, as the upstream
/// counts them. At most limits::cut_places_max places: later ones are counted with the last.
class cut_places {
  public:
    /// Takes the next decided part of the text.
    void add(std::string_view text, bool stripped);

    /// Counts the next `text`, of which nothing is stripped.
    void pass(std::string_view text) { seen_ += code_points(text); }

    /// Stripped code points so far.
    std::uint64_t stripped() const { return stripped_; }

    /// The position that `position` has in the text that is left.
    std::uint64_t moved(std::uint64_t position) const;

  private:
    struct place {
        std::uint64_t at = 0;
        std::uint64_t chars = 0;
    };

    std::vector<place> places_;
    std::uint64_t seen_ = 0;
    std::uint64_t stripped_ = 0;
};

} // namespace proxy::turn
