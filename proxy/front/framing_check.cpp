#include "proxy/front/framing_check.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/front/authority.hpp"

#include <algorithm>
#include <array>

namespace proxy::front {

namespace {

using upstream::equals_ignoring_case;

using verdict = std::optional<refusal>;

refusal bad(std::string_view message) {
    return {400, message};
}

const refusal head_too_large{431, "The request's header fields are too large."};
const refusal target_too_large{414, "The request target is too long."};

bool is_target_char(char c) {
    return c > 0x20 && c < 0x7f && c != '#';
}

// The absolute form's authority is only checked: a client never chooses the host (RFC 9112 3.2.2).
verdict read_absolute_target(std::string_view target, request_head& out) {
    const auto scheme = target.find("://");
    const auto name = target.substr(0, scheme);
    if (scheme == std::string_view::npos ||
        !(equals_ignoring_case(name, "http") || equals_ignoring_case(name, "https"))) {
        return bad("The request target is not a path.");
    }
    const auto rest = target.substr(scheme + 3);
    const auto path = rest.find_first_of("/?");
    if (!is_authority(rest.substr(0, path))) {
        return bad("The request target's authority is not valid.");
    }
    if (path == std::string_view::npos) {
        // For the whole server (RFC 9112 3.2.4).
        out.target = out.method == "OPTIONS" ? "*" : "/";
        return std::nullopt;
    }
    out.target = rest.substr(path);
    return std::nullopt;
}

verdict read_target(std::string_view target, const head_limits& bounds, request_head& out) {
    if (target.size() > bounds.target_bytes) {
        return target_too_large;
    }
    if (target.empty() || !std::all_of(target.begin(), target.end(), is_target_char)) {
        return bad("The request target is not valid.");
    }
    if (target == "*") {
        out.target = target;
        return out.method == "OPTIONS" ? verdict() : bad("The target * is for OPTIONS only.");
    }
    if (target.front() == '/') {
        out.target = target;
        return std::nullopt;
    }
    return read_absolute_target(target, out);
}

verdict read_version(std::string_view version, request_head& out) {
    const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") &&
                             version[5] >= '0' && version[5] <= '9' && version[6] == '.' &&
                             version[7] >= '0' && version[7] <= '9';
    if (!well_formed) {
        return bad("The request line does not end in an HTTP version.");
    }
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
        return refusal{505, "Only HTTP/1.1 and HTTP/1.0 are spoken here."};
    }
    out.http_1_0 = version.back() == '0';
    return std::nullopt;
}

verdict read_request_line(std::string_view line, const head_limits& bounds, request_head& out) {
    const auto first = line.find(' ');
    const auto last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) {
        return bad("The request line is not `method target version`.");
    }
    out.method = line.substr(0, first);
    if (out.method.size() > limits::method_bytes_max || !upstream::is_token(out.method)) {
        return bad("The request method is not valid.");
    }
    if (auto fault = read_version(line.substr(last + 1), out)) {
        return fault;
    }
    if (out.method == "CONNECT" || out.method == "TRACE") {
        return refusal{405, "CONNECT and TRACE are not served."};
    }
    return read_target(line.substr(first + 1, last - first - 1), bounds, out);
}

// Takes the request line off `head`.
verdict read_first_line(std::string_view& head, const head_limits& bounds, request_head& out) {
    const auto line = upstream::take_line(head);
    return line ? read_request_line(*line, bounds, out)
                : bad("The request line does not end in CRLF.");
}

verdict check_host(const request_head& head) {
    const auto hosts = upstream::count_fields(head.fields, "host");
    if (hosts == 0 && head.http_1_0) {
        return std::nullopt;
    }
    if (hosts != 1) {
        return bad("A request needs exactly one Host field.");
    }
    if (!is_authority(*upstream::find_field(head.fields, "host"))) {
        return bad("The Host field is not valid.");
    }
    return std::nullopt;
}

// Servers behind gateways (CGI, WSGI) read `_` as `-`: a second spelling of such a field is an
// attack on whoever reads it later.
verdict check_spellings(const request_head& head) {
    static constexpr std::array<std::string_view, 8> guarded = {
        "content-length", "transfer-encoding", "x-api-key",    "proxy-authorization",
        "content-type",   "proxy-connection",  "x-request-id", "content-encoding"};
    for (const auto& f : head.fields) {
        for (const auto name : guarded) {
            const bool same =
                f.name.size() == name.size() &&
                std::equal(name.begin(), name.end(), f.name.begin(), [](char a, char b) {
                    const char c = b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b;
                    return a == c || (a == '-' && c == '_');
                });
            if (same && f.name.find('_') != std::string_view::npos) {
                return bad("A header name is spelled with an underscore.");
            }
        }
    }
    return std::nullopt;
}

verdict check_coding(const request_head& head) {
    const auto coding = *upstream::find_field(head.fields, "transfer-encoding");
    if (upstream::count_fields(head.fields, "transfer-encoding") > 1) {
        return bad("A request may have one Transfer-Encoding field.");
    }
    if (head.http_1_0) {
        return bad("HTTP/1.0 has no Transfer-Encoding.");
    }
    if (upstream::count_fields(head.fields, "content-length") > 0) {
        return bad("A request has either Content-Length or Transfer-Encoding.");
    }
    if (!equals_ignoring_case(coding, "chunked")) {
        return upstream::is_token(coding) ? refusal{501, "The transfer coding is not known."}
                                          : bad("The Transfer-Encoding is not exactly `chunked`.");
    }
    return std::nullopt;
}

verdict settle_framing(request_head& head) {
    if (upstream::find_field(head.fields, "transfer-encoding")) {
        head.framing = upstream::framing::chunked;
        return check_coding(head);
    }
    const auto lengths = upstream::count_fields(head.fields, "content-length");
    if (lengths == 0) {
        return std::nullopt;
    }
    const auto length =
        upstream::read_decimal(*upstream::find_field(head.fields, "content-length"));
    if (lengths > 1 || !length) {
        return bad("The Content-Length is not one decimal number.");
    }
    head.framing = upstream::framing::length;
    head.content_length = *length;
    return std::nullopt;
}

// Else a client could strip the very fields that this proxy and the upstream rely on.
verdict check_connection(request_head& head) {
    for (const std::string_view name :
         {"host", "content-length", "content-type", "authorization"}) {
        if (upstream::lists(head.fields, "connection", name)) {
            return bad("The Connection field lists a field that is not its own.");
        }
    }
    // HTTP/1.0 answers are delimited by the close.
    head.keep_alive = !head.http_1_0 && !upstream::lists(head.fields, "connection", "close");
    return std::nullopt;
}

verdict check_expect(request_head& head) {
    const auto expect = upstream::find_field(head.fields, "expect");
    if (!expect || head.http_1_0) {
        return std::nullopt;
    }
    if (upstream::count_fields(head.fields, "expect") > 1 ||
        !equals_ignoring_case(*expect, "100-continue")) {
        return refusal{417, "The expectation is not known."};
    }
    head.expects_continue = true;
    return std::nullopt;
}

} // namespace

std::optional<refusal> check_request_head(std::string_view head, const head_limits& bounds,
                                          request_head& out) {
    out = request_head{};
    if (head.size() > bounds.head_bytes) {
        return head.find('\n') > bounds.target_bytes ? target_too_large : head_too_large;
    }
    if (auto fault = read_first_line(head, bounds, out)) {
        return fault;
    }
    switch (const auto error = upstream::read_fields(head, bounds.header_lines, out.fields)) {
    case upstream::field_error::none:
        break;
    case upstream::field_error::too_many:
        return head_too_large;
    default:
        return bad(upstream::to_string(error));
    }
    for (const auto check : {check_host, check_spellings}) {
        if (auto fault = check(out)) {
            return fault;
        }
    }
    for (const auto settle : {settle_framing, check_connection, check_expect}) {
        if (auto fault = settle(out)) {
            return fault;
        }
    }
    return std::nullopt;
}

std::optional<refusal> check_partial_head(std::string_view bytes, const head_limits& bounds) {
    if (!bytes.empty() && !upstream::is_token_char(bytes.front())) {
        return bad("This is not an HTTP request.");
    }
    const auto line_end = bytes.find('\n');
    // Method, spaces and version stand beside the target.
    if (std::min(line_end, bytes.size()) > bounds.target_bytes + limits::method_bytes_max + 16) {
        return target_too_large;
    }
    if (line_end != std::string_view::npos) {
        // Whoever speaks HTTP/0.9 or something else sends no more: told now, not at a time limit.
        request_head scratch;
        if (auto fault = read_first_line(bytes, bounds, scratch)) {
            return fault;
        }
    }
    return bytes.size() > bounds.head_bytes ? verdict(head_too_large) : std::nullopt;
}

} // namespace proxy::front
