#include "proxy/base/ensure.hpp"

#include <cstdio>
#include <cstdlib>

namespace proxy::base {

void ensure_failed(const char* condition, const char* file, int line) noexcept {
    std::fprintf(stderr, "unscaffold: broken invariant: %s (%s:%d)\n", condition, file, line);
    std::abort();
}

} // namespace proxy::base
