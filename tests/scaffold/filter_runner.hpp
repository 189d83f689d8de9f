// Runs a choice_filter over a text at given cuts and checks its laws on the way.
#pragma once

#include "proxy/scaffold/choice_filter.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::tests {

struct filtered {
    std::string clean;     ///< text and reasoning that was kept
    std::string reasoning; ///< the kept reasoning alone
    std::string stripped;
    std::vector<scaffold::run> runs; ///< neighbours joined over all feeds
    std::vector<scaffold::span> spans;
    std::size_t held_max = 0;
};

/// The catalog of the product.
const scaffold::catalog& formats();

/// The twelve tools that `tools: true` of the corpus means, in context; or none.
const scaffold::context& context_of(bool tools);

/// Feeds `pieces` one by one. Fails the running test if bytes get lost or out of order.
filtered run_filter(const scaffold::context& ctx, const std::vector<std::string_view>& pieces,
                    const scaffold::catalog& catalog = formats());

filtered run_whole(const scaffold::context& ctx, std::string_view text);

/// W3: if only ASCII white space is left, nothing is.
std::string visible(std::string text);

std::vector<std::string_view> cut_every(std::string_view text, std::size_t bytes);

/// Between code points; invalid bytes stay with their neighbours.
std::vector<std::string_view> cut_code_points(std::string_view text);

std::vector<std::string_view> cut_randomly(std::string_view text, std::uint32_t seed);

/// `expected` and `got` are equal in text, runs and spans.
bool same(const filtered& expected, const filtered& got);

/// Feeds `text` at every 2-part cut, byte by byte, by code points, in fours, at random, and checks
/// that it always gives what the whole text gives. Returns that.
filtered run_at_all_cuts(const scaffold::context& ctx, std::string_view text);

} // namespace proxy::tests
