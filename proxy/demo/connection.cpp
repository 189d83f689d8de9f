#include "proxy/demo/connection.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/chat/request_view.hpp"
#include "proxy/demo/answers.hpp"
#include "proxy/demo/model_server.hpp"
#include "proxy/demo/response_head.hpp"
#include "proxy/json/escape.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>

#include <optional>

namespace proxy::demo {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr auto token = asio::as_tuple(asio::use_awaitable);

/// A model notices the correction by its line; this part of it stands in both of its forms.
constexpr std::string_view correction_words = "Your previous reply ";

constexpr std::string_view synthetic_model = "bench";

std::string_view view(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

std::string models_json(const std::vector<script>& scripts) {
    std::string out = R"({"object":"list","data":[)";
    const auto append = [&](std::string_view name, std::string_view summary) {
        out += R"({"id":")";
        json::append_escaped(out, name);
        out += R"(","object":"model","created":1700000000,"owned_by":"scripted-model",)";
        out += R"("description":")";
        json::append_escaped(out, summary);
        out += "\"},";
    };
    for (const auto& one : scripts) {
        append(one.name, one.summary);
    }
    append(synthetic_model, "synthetic text; options tokens, per_write, pace_us, framing");
    out.back() = ']';
    out += '}';
    return out;
}

answer json_answer(std::string body) {
    answer out;
    out.body = std::move(body);
    return out;
}

/// Why the request is not played; none if it is.
std::optional<answer> refusal(const chat::request_view& facts, const model_query& query,
                              bool known) {
    if (!facts.is_object || facts.messages.empty()) {
        return make_error(400, "invalid_request_error", "the body must be an object with messages");
    }
    if (!query.error.empty()) {
        return make_error(400, "invalid_request_error", query.error);
    }
    if (!known && query.name != synthetic_model) {
        return make_error(404, "model_not_found", "the model '" + query.name + "' does not exist");
    }
    return std::nullopt;
}

} // namespace

connection::connection(tcp_socket socket, stage& shared)
    : peer_(std::make_shared<peer>(std::move(socket))), stage_(shared) {}

boost::asio::awaitable<void> connection::serve(std::unique_ptr<connection> self) {
    while (!self->peer_->gone()) {
        request_message request;
        const bool complete = co_await self->read(request);
        if (!complete) {
            break;
        }
        self->now_ = {};
        self->now_.keep_alive = request.keep_alive();
        self->now_.http_10 = request.version() == 10;
        self->peer_->watch();
        co_await self->respond(request);
        self->peer_->stop_watching();
        if (self->now_.number != 0) {
            const auto state = self->peer_->left() ? progress::closed_by_peer : progress::answered;
            self->stage_.log.end(self->now_.number, self->now_.status, state, self->now_.writes);
        }
        if (!self->now_.keep_alive) {
            break;
        }
    }
    self->peer_->close();
}

boost::asio::awaitable<bool> connection::read(request_message& request) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(limits::head_bytes_max));
    parser.body_limit(limits::body_bytes_max);
    const auto head = co_await http::async_read_header(peer_->socket(), buffer_, parser, token);
    if (std::get<0>(head)) {
        co_return false;
    }
    if (boost::beast::iequals(parser.get()[http::field::expect], "100-continue")) {
        std::vector<std::string_view> parts = {"HTTP/1.1 100 Continue\r\n\r\n"};
        co_await peer_->send(std::move(parts));
    }
    const auto body = co_await http::async_read(peer_->socket(), buffer_, parser, token);
    if (std::get<0>(body)) {
        co_return false;
    }
    request = parser.release();
    co_return true;
}

boost::asio::awaitable<void> connection::respond(const request_message& request) {
    const auto path = path_of(view(request.target()));
    if (path == "/demo/requests") {
        co_await respond_to_log_query(request);
        co_return;
    }
    if (path.ends_with("/chat/completions") && request.method() == http::verb::post) {
        co_await respond_as_model(request);
        co_return;
    }
    begin_log(request, "", false);
    answer told = make_error(404, "invalid_request_error", "no such path here");
    if (path.ends_with("/models")) {
        told = json_answer(models_json(stage_.scripts));
    } else if (path.ends_with("/echo")) {
        told = json_answer(request.body());
        told.headers = {{"content-type", std::string(view(request[http::field::content_type]))}};
    }
    co_await send_whole(told);
}

boost::asio::awaitable<void> connection::respond_to_log_query(const request_message& request) {
    if (request.method() == http::verb::delete_) {
        stage_.log.clear();
    }
    const answer told = json_answer(stage_.log.json());
    co_await send_whole(told);
}

void connection::begin_log(const request_message& request, std::string model, bool correction) {
    request_record record;
    record.model = std::move(model);
    record.method = view(request.method_string());
    record.target = view(request.target());
    for (const auto& field : request) {
        record.headers.emplace_back(view(field.name_string()), view(field.value()));
    }
    record.body = request.body();
    record.correction = correction;
    now_.number = stage_.log.begin(std::move(record));
}

boost::asio::awaitable<void> connection::respond_as_model(const request_message& request) {
    const auto facts = chat::read_request(request.body());
    const auto model = json::unescape(facts.model);
    const auto query = read_model_query(model);
    const bool correction = request.body().find(correction_words) != std::string::npos;
    begin_log(request, model, correction);
    const auto found = stage_.by_name.find(query.name);
    const bool known = found != stage_.by_name.end();
    const auto refused = refusal(facts, query, known);
    if (refused) {
        co_await send_whole(*refused);
        co_return;
    }
    now_.gzip = query.gzip;
    if (!known) {
        co_await respond_synthetic(query, facts.stream, facts.include_usage);
    } else {
        const auto& answers = found->second->answers;
        const answer& told = correction ? answers.back() : answers.front();
        if (told.status >= 400 || !facts.stream) {
            co_await send_whole(told);
        } else {
            const playlist list(told, facts.include_usage);
            co_await stream(told, list, query);
        }
    }
}

boost::asio::awaitable<void> connection::respond_synthetic(const model_query& query, bool streamed,
                                                           bool with_usage) {
    if (streamed) {
        const answer plain;
        const auto list = playlist::synthetic(query.tokens, with_usage);
        co_await stream(plain, list, query);
    } else {
        const answer whole =
            make_answer(synthetic_model, {bench_text(query.tokens), 4, {}, "", ""});
        co_await send_whole(whole);
    }
}

} // namespace proxy::demo
