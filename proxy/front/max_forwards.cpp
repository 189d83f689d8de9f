#include "proxy/front/max_forwards.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/front/error_answer.hpp"
#include "proxy/front/http_date.hpp"

#include <algorithm>
#include <charconv>

namespace proxy::front {

std::optional<std::uint32_t> max_forwards(const request_head& head) {
    if (head.method != "OPTIONS" || upstream::count_fields(head.fields, "max-forwards") != 1) {
        return std::nullopt;
    }
    const auto text = *upstream::find_field(head.fields, "max-forwards");
    const auto* const end = text.data() + text.size();
    std::uint32_t value = 0;
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (at != end || text.empty() || error == std::errc::invalid_argument) {
        return std::nullopt;
    }
    return error == std::errc::result_out_of_range ? limits::forwards_max
                                                   : std::min(value, limits::forwards_max);
}

std::string options_answer(std::string_view request_id, bool close) {
    std::string out = "HTTP/1.1 204 No Content\r\nallow: ";
    out.append(usual_methods).append("\r\ndate: ").append(http_date_now());
    out.append("\r\nx-request-id: ").append(request_id);
    return out.append(close ? "\r\nconnection: close\r\n\r\n" : "\r\n\r\n");
}

} // namespace proxy::front
