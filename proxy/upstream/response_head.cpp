#include "proxy/upstream/response_head.hpp"

#include "proxy/base/limits.hpp"

namespace proxy::upstream {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_reason(std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\t') || byte == 0x7f) {
            return false;
        }
    }
    return true;
}

// "HTTP/1.1 200 OK"; the reason, and some servers' space in front of it, may be missing.
std::string_view read_status_line(std::string_view line, response_head& out) {
    if (!line.starts_with("HTTP/1.1 ") && !line.starts_with("HTTP/1.0 ")) {
        return "its status line is not HTTP/1.x";
    }
    out.http_1_0 = line[7] == '0';
    line.remove_prefix(9);
    if (line.size() < 3 || !is_digit(line[0]) || !is_digit(line[1]) || !is_digit(line[2]) ||
        (line.size() > 3 && line[3] != ' ')) {
        return "its status is not three digits";
    }
    out.status =
        static_cast<unsigned>((line[0] - '0') * 100 + (line[1] - '0') * 10 + line[2] - '0');
    if (out.status < 100) {
        return "its status is below 100";
    }
    out.reason = line.size() > 4 ? line.substr(4) : std::string_view();
    return is_reason(out.reason) ? "" : "its reason holds a control character";
}

// Equal repetitions have one meaning and are taken; anything else has none.
std::string_view read_lengths(response_head& out, bool& found) {
    for (const auto& f : out.fields) {
        if (!equals_ignoring_case(f.name, "content-length")) {
            continue;
        }
        if (f.value.empty() || f.value.back() == ',' || f.value.front() == ',') {
            return "its Content-Length is not a number";
        }
        std::string_view fault;
        each_element(f.value, [&](std::string_view element) {
            const auto length = read_decimal(element);
            if (!length) {
                fault = "its Content-Length is not a number";
            } else if (found && *length != out.content_length) {
                fault = "its Content-Length fields differ";
            } else {
                out.content_length = *length;
                found = true;
            }
            return fault.empty();
        });
        if (!fault.empty()) {
            return fault;
        }
    }
    return "";
}

bool has_no_body(const response_head& head, bool to_head_request) {
    return to_head_request || head.status < 200 || head.status == 204 || head.status == 304;
}

std::string_view settle_framing(bool to_head_request, response_head& out) {
    const auto codings = count_fields(out.fields, "transfer-encoding");
    bool has_length = false;
    if (const auto fault = read_lengths(out, has_length); !fault.empty()) {
        return fault;
    }
    if (codings > 0) {
        const auto coding = find_field(out.fields, "transfer-encoding");
        if (codings > 1 || !equals_ignoring_case(*coding, "chunked")) {
            return "its Transfer-Encoding is not known";
        }
        if (out.http_1_0) {
            return "it uses a Transfer-Encoding in HTTP/1.0";
        }
    }
    if (has_no_body(out, to_head_request)) {
        out.framing = framing::none;
    } else if (codings > 0) {
        out.framing = framing::chunked;
    } else {
        out.framing = has_length ? framing::length : framing::until_close;
    }
    // A 204 that announces a body (RFC 9110 8.6 forbids it) may well send one.
    const bool announced = out.status == 204 && (codings > 0 || out.content_length > 0);
    const bool doubtful =
        (codings > 0 && has_length) || announced || count_fields(out.fields, "content-length") > 1;
    const bool keeps = out.http_1_0 ? lists(out.fields, "connection", "keep-alive")
                                    : !lists(out.fields, "connection", "close");
    out.reusable = keeps && !doubtful && out.framing != framing::until_close;
    return "";
}

} // namespace

std::string_view read_response_head(std::string_view head, bool to_head_request,
                                    response_head& out) {
    out = response_head{};
    const auto line = take_line(head);
    if (!line) {
        return "its status line does not end in CRLF";
    }
    if (const auto fault = read_status_line(*line, out); !fault.empty()) {
        return fault;
    }
    const auto error = read_fields(head, limits::response_header_lines_max, out.fields);
    if (error != field_error::none) {
        return to_string(error);
    }
    if (out.status == 101) {
        return "it switches protocols unasked";
    }
    return settle_framing(to_head_request, out);
}

} // namespace proxy::upstream
