#include "proxy/sse/event_writer.hpp"

#include "proxy/base/ensure.hpp"

namespace proxy::sse {

namespace {

/// Text with a line end in it would forge lines of its own.
bool is_one_line(std::string_view text) {
    return text.find_first_of("\r\n") == std::string_view::npos;
}

} // namespace

void append_data_event(std::string& out, std::string_view json) {
    PROXY_ENSURE(is_one_line(json));
    out.append("data: ").append(json).append("\n\n");
}

void append_comment(std::string& out, std::string_view text, bool blank_line) {
    PROXY_ENSURE(is_one_line(text));
    out.append(": ").append(text).append(blank_line ? "\n\n" : "\n");
}

} // namespace proxy::sse
