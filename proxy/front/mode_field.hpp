// The request field `x-unscaffold`, by which a client chooses what is done with its answer.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/upstream/fields.hpp"

#include <optional>
#include <string_view>

namespace proxy::front {

inline constexpr std::string_view mode_field_error =
    "The field x-unscaffold takes enforce, shadow or off.";

struct mode_field {
    std::optional<config::upstream_mode> mode; ///< nothing: the request does not say
    bool valid = true;                         ///< false: another value, or several fields
};

mode_field read_mode_field(const upstream::field_list& fields);

} // namespace proxy::front
