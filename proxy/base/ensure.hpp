// ensure(): our own invariants, checked in every build. Never used on what a peer sends.
#pragma once

namespace proxy::base {

/// Prints the condition with its place on standard error and aborts.
[[noreturn]] void ensure_failed(const char* condition, const char* file, int line) noexcept;

} // namespace proxy::base

/// Aborts when `condition` is false: a broken invariant of ours, never a peer's input.
#define PROXY_ENSURE(condition)                                                                    \
    ((condition) ? static_cast<void>(0)                                                            \
                 : ::proxy::base::ensure_failed(#condition, __FILE__, __LINE__))
