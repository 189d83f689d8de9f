#include "proxy/front/answer_kind.hpp"

namespace proxy::front {

bool is_success(unsigned status) {
    return status >= 200 && status < 300;
}

media media_of(const upstream::response_head& head) {
    const auto type = upstream::find_field(head.fields, "content-type");
    if (!type || type->empty()) {
        return media::missing;
    }
    const auto name = upstream::trim(type->substr(0, type->find(';')));
    if (upstream::equals_ignoring_case(name, "text/event-stream")) {
        return media::stream;
    }
    return upstream::equals_ignoring_case(name, "application/json") ? media::json : media::other;
}

} // namespace proxy::front
