#include "proxy/front/mode_field.hpp"

namespace proxy::front {

mode_field read_mode_field(const upstream::field_list& fields) {
    const auto value = upstream::find_field(fields, "x-unscaffold");
    if (!value) {
        return {};
    }
    if (upstream::count_fields(fields, "x-unscaffold") == 1) {
        if (*value == "enforce") {
            return {config::upstream_mode::enforce};
        }
        if (*value == "shadow") {
            return {config::upstream_mode::shadow};
        }
        if (*value == "off") {
            return {config::upstream_mode::off};
        }
    }
    return {std::nullopt, false};
}

} // namespace proxy::front
