#include "proxy/front/error_answer.hpp"

#include "proxy/chat/error_object.hpp"
#include "proxy/front/http_date.hpp"

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <array>
#include <sstream>

namespace proxy::front {

namespace {

namespace http = boost::beast::http;

struct error_kind {
    unsigned status;
    std::string_view type;
    std::string_view code;
};

constexpr std::array<error_kind, 15> kinds = {{
    {400, "invalid_request_error", "bad_request"},
    {401, "invalid_request_error", "invalid_api_key"},
    {404, "invalid_request_error", "not_found"},
    {405, "invalid_request_error", "method_not_allowed"},
    {408, "timeout", "request_timeout"},
    {413, "invalid_request_error", "request_too_large"},
    {414, "invalid_request_error", "target_too_long"},
    {417, "invalid_request_error", "expectation_failed"},
    {431, "invalid_request_error", "headers_too_large"},
    {500, "server_error", "internal_error"},
    {501, "invalid_request_error", "not_implemented"},
    {502, "upstream_error", "upstream_unavailable"},
    {503, "server_error", "overloaded"},
    {504, "upstream_error", "upstream_timeout"},
    {505, "invalid_request_error", "http_version_not_supported"},
}};

const error_kind& kind_of(unsigned status) {
    for (const auto& kind : kinds) {
        if (kind.status == status) {
            return kind;
        }
    }
    return kinds[9];
}

} // namespace

std::string_view usual_code(unsigned status) {
    return kind_of(status).code;
}

std::string write_error(const error_answer& error) {
    const auto& kind = kind_of(error.status);
    const auto code = error.code.empty() ? kind.code : error.code;
    http::response<http::string_body> answer(http::int_to_status(error.status), 11);
    answer.set(http::field::content_type, "application/json");
    answer.set(http::field::date, std::string(http_date_now()));
    if (error.status == 503) {
        answer.set(http::field::retry_after, "1");
    }
    if (error.status == 401) {
        answer.set(http::field::www_authenticate, "Bearer"); // RFC 6750 3
    }
    if (error.status == 405) {
        answer.set(http::field::allow,
                   std::string(error.allow.empty() ? usual_methods : error.allow));
    }
    if (error.final_word) {
        answer.set("x-should-retry", "false");
    }
    if (!error.request_id.empty()) {
        answer.set("x-request-id", std::string(error.request_id));
    }
    answer.keep_alive(!error.close);
    const auto type = error.type.empty() ? kind.type : error.type;
    answer.body() = chat::error_json({std::string(error.message), type, code});
    answer.prepare_payload();
    if (error.head_only) {
        answer.body().clear();
    }
    std::ostringstream text;
    text << answer;
    return std::move(text).str();
}

} // namespace proxy::front
