// Is the filter's work linear, and how far from prose is the worst text?
#pragma once

#include "proxy/scaffold/catalog.hpp"

#include <cstddef>

namespace bench {

/// Filters `bytes` of prose and of texts made to keep the filter busy, whole and in pieces of four
/// bytes, and prints for each the nanoseconds for a byte, their ratio to prose, and how much more
/// a byte costs than in an eighth of the text. False if a text's work grows faster than the text.
bool print_linear(const proxy::scaffold::catalog& formats, std::size_t bytes);

} // namespace bench
