#include "proxy/front/admin_dialog.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/base/version.hpp"
#include "proxy/front/error_answer.hpp"
#include "proxy/front/framing_check.hpp"
#include "proxy/front/http_date.hpp"
#include "proxy/telemetry/counters.hpp"

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <sstream>

namespace proxy::front {

namespace {

namespace http = boost::beast::http;

constexpr head_limits bounds{limits::admin_head_bytes_max, limits::admin_header_lines_max,
                             limits::admin_target_bytes_max};

std::string refused(unsigned status, std::string_view message, bool head_only) {
    error_answer error;
    error.status = status;
    error.message = message;
    error.allow = "GET, HEAD";
    error.head_only = head_only;
    error.close = true;
    return write_error(error);
}

struct page {
    unsigned status = 200;
    std::string_view type = "text/plain; charset=utf-8";
    std::string body;
};

page readiness(service_state state) {
    switch (state) {
    case service_state::starting:
        return {503, "text/plain; charset=utf-8", "starting\n"};
    case service_state::ready:
        return {200, "text/plain; charset=utf-8", "ready\n"};
    case service_state::draining:
        return {503, "text/plain; charset=utf-8", "draining\n"};
    }
    return {};
}

std::optional<page> page_at(std::string_view path, const admin_source& from) {
    if (path == "/livez") {
        return page{.body = "alive\n"};
    }
    if (path == "/readyz") {
        return readiness(from.state());
    }
    if (path == "/metrics") {
        return page{200, telemetry::counters::media_type, from.metrics()};
    }
    if (path == "/version") {
        return page{200, "application/json",
                    std::string(R"({"name":"unscaffold","version":")") + base::version + "\"}\n"};
    }
    return std::nullopt;
}

std::string written(page from, bool head_only) {
    http::response<http::string_body> answer(http::int_to_status(from.status), 11);
    answer.set(http::field::content_type,
               boost::beast::string_view(from.type.data(), from.type.size()));
    answer.set(http::field::cache_control, "no-store");
    answer.set(http::field::date, std::string(http_date_now()));
    answer.keep_alive(false);
    answer.body() = std::move(from.body);
    answer.prepare_payload();
    if (head_only) {
        answer.body().clear();
    }
    std::ostringstream text;
    text << answer;
    return std::move(text).str();
}

std::string answer_to(const request_head& request, const admin_source& from) {
    const bool head_only = request.method == "HEAD";
    if (!head_only && request.method != "GET") {
        return refused(405, "The admin listener knows GET and HEAD only.", false);
    }
    if (request.framing == upstream::framing::chunked || request.content_length > 0) {
        return refused(413, "The admin listener takes no body.", head_only);
    }
    auto found = page_at(request.target.substr(0, request.target.find('?')), from);
    if (!found) {
        return refused(404, "Here are /livez, /readyz, /metrics and /version.", head_only);
    }
    return written(std::move(*found), head_only);
}

} // namespace

std::optional<std::string> admin_dialog::feed(std::string_view bytes) {
    head_.append(bytes);
    const auto length = upstream::head_length(head_, searched_);
    if (!length) {
        searched_ = head_.size();
        const auto fault = check_partial_head(head_, bounds);
        return fault ? std::optional(refused(fault->status, fault->message, false)) : std::nullopt;
    }
    request_head request;
    const auto head = std::string_view(head_).substr(0, *length);
    if (const auto fault = check_request_head(head, bounds, request)) {
        return refused(fault->status, fault->message, request.method == "HEAD");
    }
    return answer_to(request, from_);
}

} // namespace proxy::front
