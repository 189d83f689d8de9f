// What a sanitized program can't be asked: AddressSanitizer keeps freed memory for a while, and both
// sanitizers need address space that no limit may stand in the way of.
#pragma once

namespace proxy::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool plain_memory = false;
#else
inline constexpr bool plain_memory = true;
#endif

} // namespace proxy::tests
