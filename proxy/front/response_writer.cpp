#include "proxy/front/response_writer.hpp"

#include <array>

namespace proxy::front {

namespace {

using upstream::equals_ignoring_case;

void append_field(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

// The length of a body that doesn't follow: to HEAD and in a 304 it may be told, in a 204 it may
// not (RFC 9110 8.6).
bool tells_length(const upstream::response_head& head) {
    return head.status != 204 && upstream::find_field(head.fields, "content-length") &&
           !upstream::find_field(head.fields, "transfer-encoding");
}

// What is said of the upstream's own bytes: how they add up (RFC 9530, and the older forms), how to
// ask for the same or a part of them again (RFC 9110 8.8.3 and 14.3).
bool is_of_these_bytes(std::string_view name) {
    static constexpr std::array<std::string_view, 6> names = {
        "content-md5", "digest", "content-digest", "repr-digest", "etag", "accept-ranges"};
    return upstream::is_one_of(names, name);
}

void append_framing(std::string& out, const upstream::response_head& head,
                    const answer_plan& plan) {
    switch (plan.framing) {
    case answer_framing::none:
        if (tells_length(head)) {
            append_field(out, "content-length", std::to_string(head.content_length));
        }
        break;
    case answer_framing::length:
        append_field(out, "content-length", std::to_string(head.content_length));
        break;
    case answer_framing::chunked:
        append_field(out, "transfer-encoding", "chunked");
        break;
    case answer_framing::close:
        break;
    }
    if (plan.close) {
        append_field(out, "connection", "close");
    }
}

} // namespace

answer_framing choose_framing(const upstream::response_head& head, bool client_http_1_0,
                              bool edited) {
    if (head.framing == upstream::framing::none) {
        return answer_framing::none;
    }
    if (head.framing == upstream::framing::length && !edited) {
        return answer_framing::length;
    }
    return client_http_1_0 ? answer_framing::close : answer_framing::chunked;
}

std::string write_response_head(const upstream::response_head& head, const answer_plan& plan) {
    std::string out;
    out.reserve(512);
    out.append("HTTP/1.1 ").append(std::to_string(head.status)).append(" ");
    out.append(head.reason).append("\r\n");
    const upstream::hop_by_hop hops(head.fields);
    for (const auto& f : head.fields) {
        const bool is_length = equals_ignoring_case(f.name, "content-length");
        const bool is_coding = equals_ignoring_case(f.name, "content-encoding");
        if (is_length || (is_coding && plan.decoded) ||
            (plan.edited && is_of_these_bytes(f.name)) || hops.holds(f.name)) {
            continue;
        }
        append_field(out, f.name, f.value);
    }
    const auto add_missing = [&](std::string_view name, std::string_view value) {
        if (!upstream::find_field(head.fields, name)) {
            append_field(out, name, value);
        }
    };
    if (plan.is_stream) {
        add_missing("cache-control", "no-cache");
        add_missing("x-accel-buffering", "no");
    }
    if (!plan.date.empty()) {
        add_missing("date", plan.date);
    }
    if (!plan.request_id.empty()) {
        add_missing("x-request-id", plan.request_id);
    }
    append_framing(out, head, plan);
    return out.append("\r\n");
}

} // namespace proxy::front
