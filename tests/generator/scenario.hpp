// One generated turn with its truth: which of its bytes are scaffolding is known from how it was
// built, never from looking at it.
#pragma once

#include "proxy/scaffold/format.hpp"

#include "tests/generator/dialects.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tests::generator {

struct part {
    std::string text;
    bool keep = true;
    bool free = false; ///< may be left out without changing what is true of the rest
};

struct turn {
    std::string scenario; ///< "calls, cut off", …
    std::string dialect;
    proxy::scaffold::context ctx;
    std::vector<part> parts;

    std::string raw() const;

    /// What must reach the user: the kept parts, or nothing if they are white space.
    std::string expected() const;
};

/// The turn that belongs to a seed.
turn make_turn(std::uint64_t seed);

} // namespace tests::generator
