// The mark of one exchange: in its request id, its body and every sentence of its answers, so that
// a byte that reaches another client shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bench::soak {

/// `nz-` and 16 hexadecimal digits.
std::string make_nonce(std::uint64_t number);

/// The first nonce in `text`; empty when there is none.
std::string_view first_nonce(std::string_view text);

/// The first nonce in `text` that is another than `own`; empty when there is none.
std::string_view foreign_nonce(std::string_view text, std::string_view own);

/// What stands in every credential of the clients and may stand in no log and no error.
inline constexpr std::string_view planted_secret = "planted5ecret";

} // namespace bench::soak
