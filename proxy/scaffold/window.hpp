// The bytes of a text that are not decided yet, addressed by their offset in the whole text.
//
// A piece of text is only borrowed; what is still undecided when the caller's piece ends is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class window {
  public:
    /// Adds the next piece; it must stay unchanged until settle().
    void push(std::string_view text);

    /// Forgets all bytes before `offset`.
    void release(std::uint64_t offset) {
        view_.remove_prefix(static_cast<std::size_t>(offset - begin_));
        begin_ = offset;
    }

    /// Copies what is left, so that the pushed piece is free again.
    void settle();

    std::uint64_t begin() const { return begin_; }

    std::uint64_t end() const { return begin_ + view_.size(); }

    char at(std::uint64_t offset) const { return view_[static_cast<std::size_t>(offset - begin_)]; }

    std::string_view from(std::uint64_t offset) const {
        return view_.substr(static_cast<std::size_t>(offset - begin_));
    }

    std::string_view between(std::uint64_t first, std::uint64_t last) const {
        return from(first).substr(0, static_cast<std::size_t>(last - first));
    }

  private:
    std::string own_;       // holds view_ when it was copied
    std::string_view view_; // into own_ or the pushed piece
    bool owned_ = false;
    std::uint64_t begin_ = 0;
};

} // namespace proxy::scaffold
