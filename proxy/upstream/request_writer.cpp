#include "proxy/upstream/request_writer.hpp"

#include <algorithm>
#include <array>

namespace proxy::upstream {

namespace {

// What a request says about its own bytes, or about being sent once only.
bool describes_body(std::string_view name) {
    static constexpr std::array<std::string_view, 5> names = {
        "idempotency-key", "content-encoding", "content-md5", "digest", "content-digest"};
    return is_one_of(names, name) ||
           (name.size() >= 9 && equals_ignoring_case(name.substr(0, 9), "signature"));
}

bool is_kept(const request_parts& request, const hop_by_hop& hops, bool own_key, const field& f) {
    static constexpr std::array<std::string_view, 4> ours = {"host", "content-length", "expect",
                                                             "x-unscaffold"};
    if (is_one_of(ours, f.name) || hops.holds(f.name)) {
        return false;
    }
    if (request.identity_only && equals_ignoring_case(f.name, "accept-encoding")) {
        return false;
    }
    if (request.max_forwards && equals_ignoring_case(f.name, "max-forwards")) {
        return false;
    }
    if (request.forwarded != nullptr && is_forwarded(f.name)) {
        return false;
    }
    if (is_credential(f.name)) {
        const bool replaced =
            (own_key || request.consumed) && !equals_ignoring_case(f.name, "cookie");
        return !request.foreign && !replaced;
    }
    return !(request.changed_body && describes_body(f.name));
}

// A client's own credential goes first, but never to an upstream that it was not meant for.
bool sends_own_key(const request_parts& request) {
    if (request.api_key.empty()) {
        return false;
    }
    const bool client_has_one =
        std::any_of(request.fields->begin(), request.fields->end(), [](const field& f) {
            return is_credential(f.name) && !equals_ignoring_case(f.name, "cookie");
        });
    return request.key_always || request.foreign || request.consumed || !client_has_one;
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

} // namespace

bool is_credential(std::string_view name) {
    static constexpr std::array<std::string_view, 4> names = {"authorization", "api-key",
                                                              "x-api-key", "cookie"};
    return is_one_of(names, name);
}

std::string write_request_head(const request_parts& request) {
    std::size_t size = 256 + request.target.size();
    for (const auto& f : *request.fields) {
        size += f.name.size() + f.value.size() + 4;
    }
    std::string out;
    out.reserve(size);
    out.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
    append_field(out, "host", request.authority);
    const bool own_key = sends_own_key(request);
    const hop_by_hop hops(*request.fields);
    for (const auto& f : *request.fields) {
        if (is_kept(request, hops, own_key, f)) {
            append_field(out, f.name, f.value);
        }
    }
    if (own_key) {
        out.append("authorization: Bearer ").append(request.api_key).append("\r\n");
    }
    if (request.identity_only) {
        append_field(out, "accept-encoding", "identity");
    }
    if (request.forwarded != nullptr) {
        append_forwarded(out, *request.forwarded, *request.fields);
    }
    if (request.max_forwards) {
        append_field(out, "max-forwards", std::to_string(*request.max_forwards));
    }
    if (!request.request_id.empty() && !find_field(*request.fields, "x-request-id")) {
        append_field(out, "x-request-id", request.request_id);
    }
    if (request.has_body) {
        append_field(out, "content-length", std::to_string(request.body_bytes));
    }
    return out.append("\r\n");
}

} // namespace proxy::upstream
