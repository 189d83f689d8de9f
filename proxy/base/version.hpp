// The version that --version prints and /version shows.
#pragma once

namespace proxy::base {

inline constexpr const char* version = "0.1.0";

} // namespace proxy::base
