// Gives back what a string has allocated. Assigning an empty string does not: it keeps the buffer.
#pragma once

#include <string>

namespace proxy::base {

/// `text` is empty behind this and owns no memory.
inline void free_memory(std::string& text) {
    std::string().swap(text);
}

} // namespace proxy::base
