// What a fuzz target expects: a false condition is a finding.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#define FUZZ_EXPECT(condition)                                                                     \
    ((condition) ? static_cast<void>(0) : ::tests::not_as_expected(#condition, __FILE__, __LINE__))

namespace tests {

[[noreturn]] inline void not_as_expected(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: not as expected: %s\n", file, line, condition);
    std::abort();
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// True if `part` is empty or a part of the memory of `whole`.
inline bool lies_in(std::string_view part, std::string_view whole) {
    return part.empty() || (part.data() >= whole.data() &&
                            part.data() + part.size() <= whole.data() + whole.size());
}

} // namespace tests
