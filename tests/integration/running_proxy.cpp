#include "tests/integration/running_proxy.hpp"

#include "proxy/config/formats_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>

namespace proxy::tests {

namespace {

const scaffold::catalog& formats() {
    static const auto catalog = config::built_in_catalog();
    return catalog;
}

record kept(const telemetry::turn_record& from) {
    record out;
    out.outcome = turn::to_string(from.report != nullptr ? from.report->outcome : from.outcome);
    out.error_code = from.error_code;
    out.reason = from.reason;
    out.request_id = from.request_id;
    out.upstream = from.upstream;
    out.correction_upstream = from.correction_upstream;
    out.status = from.status;
    out.retries = from.retries;
    out.sanitized = from.report != nullptr;
    if (from.report != nullptr) {
        out.budget_spent = from.report->budget_spent;
        out.would = to_string(from.report->would);
        out.corrections = from.report->corrections;
        out.scaffold_chars = from.report->scaffold_chars;
        out.bytes_after_end = from.report->bytes_after_end;
        out.error_code += from.report->error_code;
    }
    return out;
}

} // namespace

config::settings settings_for(std::uint16_t port, const std::string& path) {
    config::settings settings;
    settings.listen.port = 0;
    settings.threads = 1;
    config::upstream_settings upstream;
    upstream.host = "127.0.0.1";
    upstream.port = port;
    upstream.path = path;
    upstream.authority = "127.0.0.1:" + std::to_string(port);
    upstream.base_url = "http://" + upstream.authority + path;
    settings.upstreams.push_back(upstream);
    return settings;
}

running_proxy::running_proxy(config::settings settings) {
    server_ = std::make_unique<front::server>(std::move(settings), formats(),
                                              [this](const telemetry::turn_record& ended) {
                                                  const std::lock_guard lock(mutex_);
                                                  records_.push_back(kept(ended));
                                                  changed_.notify_all();
                                              });
    server_->open_admin();
    server_->start();
}

std::vector<record> running_proxy::records(std::size_t count) {
    std::unique_lock lock(mutex_);
    BOOST_CHECK(changed_.wait_for(lock, wire::patience, [&] { return records_.size() >= count; }));
    return records_;
}

std::string request(std::string_view method, std::string_view target, std::string_view lines,
                    std::string_view body) {
    std::string out(method);
    out.append(" ").append(target).append(" HTTP/1.1\r\nHost: proxy\r\n").append(lines);
    if (!body.empty()) {
        out.append("Content-Type: application/json\r\nContent-Length: ");
        out.append(std::to_string(body.size())).append("\r\n");
    }
    return out.append("\r\n").append(body);
}

std::string chat_request(std::string_view body) {
    return request("POST", "/v1/chat/completions", "", body);
}

std::string content_event(std::string_view text) {
    return std::string(R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,)") +
           R"("model":"m","choices":[{"index":0,"delta":{"content":")" + std::string(text) +
           R"("},"finish_reason":null}]})" + "\n\n";
}

std::string finish_event(std::string_view reason) {
    return std::string(R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,)") +
           R"("model":"m","choices":[{"index":0,"delta":{},"finish_reason":")" +
           std::string(reason) + "\"}]}\n\n";
}

std::string chunk(std::string_view bytes) {
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    return size + std::string(bytes) + "\r\n";
}

} // namespace proxy::tests
