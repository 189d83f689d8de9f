#include "proxy/demo/response_head.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace proxy::demo {

namespace {

void append_line(std::string& out, std::string_view name, std::string_view value) {
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
}

bool names(const answer& told, std::string_view name) {
    return std::ranges::any_of(told.headers, [&](const auto& header) {
        return boost::beast::iequals(header.first, name);
    });
}

} // namespace

std::string response_head(const answer& told, const head_facts& facts) {
    const auto reason =
        boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(told.status));
    std::string out =
        "HTTP/1.1 " + std::to_string(told.status) + " " + std::string(reason) + "\r\n";
    append_line(out, "server", "scripted-model");
    append_line(out, "x-request-id", "req-" + std::to_string(facts.number));
    if (!names(told, "content-type")) {
        append_line(out, "content-type", facts.content_type);
    }
    for (const auto& [name, value] : told.headers) {
        append_line(out, name, value);
    }
    if (facts.gzip) {
        append_line(out, "content-encoding", "gzip");
    }
    if (facts.framing == framing::chunked) {
        append_line(out, "transfer-encoding", "chunked");
    } else if (facts.framing == framing::length && !names(told, "content-length")) {
        append_line(out, "content-length", std::to_string(facts.body_bytes));
    }
    if (!facts.keep_alive || facts.framing == framing::close) {
        append_line(out, "connection", "close");
    }
    out += "\r\n";
    return out;
}

std::string chunk_size_line(std::size_t bytes) {
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), bytes, 16).ptr;
    std::string line(text.data(), end);
    line += "\r\n";
    return line;
}

} // namespace proxy::demo
