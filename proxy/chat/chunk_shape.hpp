// What two chunks of one stream have in common: all but the text. A chunk of a known shape needs no
// parsing, which is most of what an unchanged event costs.
#pragma once

#include "proxy/chat/chunk_view.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::chat {

class chunk_shape {
  public:
    /// Keeps the shape of `chunk`, which must carry one choice and, but for its text, nothing that
    /// anybody acts on.
    void learn(const chunk_view& chunk);

    /// True if `data` is the chunk last learned with any other text: `chunk` then has that text,
    /// its index and nothing else.
    bool read(std::string_view data, chunk_view& chunk) const;

  private:
    std::string around_; // the chunk without its text
    std::size_t before_ = 0;
    std::uint32_t index_ = 0;
};

} // namespace proxy::chat
