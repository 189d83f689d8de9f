// Keeps secrets out of the log: what counts as a credential of a request, and the masking of these
// and of key-like shapes in any text that is shown.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::telemetry {

/// Appends the secrets of one header line to `out`: the token of Authorization and
/// Proxy-Authorization, the whole value of api-key, x-api-key and the like, the value of every
/// cookie. Names are compared without case; other headers add nothing.
void add_credentials(std::string_view name, std::string_view value, std::vector<std::string>& out);

/// Which shapes are masked beside the exact values.
enum class shapes {
    all,      ///< known prefixes, bearer tokens, runs of 32 or more base64 or hex characters
    prefixes, ///< without the runs: for request ids, which are such runs themselves
};

/// `text` with every occurrence of a credential of at least 4 bytes (also with backslashes of JSON
/// inside, also cut by the end of `text`) and everything that looks like a key replaced by ***.
/// O(text * credentials).
std::string mask_secrets(std::string_view text, std::span<const std::string> credentials,
                         shapes which = shapes::all);

} // namespace proxy::telemetry
