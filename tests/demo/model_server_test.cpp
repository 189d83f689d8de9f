// The scripted model over real sockets.
#include "proxy/demo/model_server.hpp"
#include "proxy/demo/scripts.hpp"

#include "tests/support/client_view.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/raw_client.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <sys/resource.h>
#include <system_error>

using namespace proxy::demo;
using tests::chat_body;
using tests::post;
using tests::raw_client;
using tests::stream_end;

namespace {

constexpr std::string_view chat = "/v1/chat/completions";
constexpr std::chrono::seconds soon(10);

struct running_model {
    model_server server;

    explicit running_model(model_options options = {}) : server(std::move(options)) {
        server.start();
    }

    tests::response ask(std::string_view request) const {
        raw_client client(server.port());
        client.send(request);
        return client.read_one();
    }

    tests::response ask_model(std::string_view model, bool stream = true) const {
        return ask(post(chat, chat_body(model, stream)));
    }
};

std::string correction_body(std::string_view model) {
    return R"({"model":")" + std::string(model) +
           R"(","stream":true,"messages":[{"role":"system","content":"Your previous reply )" +
           R"(contained raw tool-call markup."},{"role":"user","content":"x"}]})";
}

void allow_descriptors(rlim_t count) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    BOOST_TEST_REQUIRE(limit.rlim_max >= count);
    limit.rlim_cur = std::max(limit.rlim_cur, count);
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t line_ends(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("\r\n"); at != std::string_view::npos;
         at = text.find("\r\n", at + 2)) {
        ++count;
    }
    return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(demo_model_server)

BOOST_FIXTURE_TEST_CASE(a_stream_is_chunked_one_event_a_chunk, running_model) {
    const auto got = ask_model("clean");
    BOOST_TEST(got.status == 200U);
    BOOST_TEST(got.header("content-type") == "text/event-stream; charset=utf-8");
    BOOST_TEST(got.header("transfer-encoding") == "chunked");
    const auto view = tests::read_stream(got.data());
    BOOST_TEST(view.ends_with_done);
    BOOST_TEST(view.first().content.starts_with("The harbour opens at six."));
}

BOOST_FIXTURE_TEST_CASE(a_request_without_stream_gets_a_json_body, running_model) {
    const auto got = ask_model("leak-hermes", false);
    BOOST_TEST(got.header("content-type") == "application/json");
    const auto view = tests::read_body(got.data());
    BOOST_TEST(view.first().content.starts_with(leak_before));
    BOOST_TEST(view.first().content.find("<tool_call>") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(usage_is_sent_when_asked_for, running_model) {
    const auto body =
        chat_body("clean", true, false, R"(,"stream_options":{"include_usage":true})");
    BOOST_TEST(tests::read_stream(ask(post(chat, body)).data()).usages.size() == 1U);
    BOOST_TEST(tests::read_stream(ask_model("clean").data()).usages.empty());
}

BOOST_FIXTURE_TEST_CASE(coding_gzip_compresses_streams_and_bodies_of_any_script, running_model) {
    for (const std::string framing : {"chunked", "length", "close"}) {
        BOOST_TEST_CONTEXT(framing) {
            const auto got = ask_model("leak-hermes?coding=gzip&framing=" + framing);
            BOOST_TEST(got.header("content-encoding") == "gzip");
            BOOST_TEST(got.header("content-length").empty());
            const auto plain = tests::decompress(got.data());
            BOOST_TEST(plain == ask_model("leak-hermes").data());
        }
    }
    const auto body = ask_model("leak-hermes?coding=gzip", false);
    BOOST_TEST(body.header("content-encoding") == "gzip");
    BOOST_TEST(tests::decompress(body.data()) == ask_model("leak-hermes", false).data());
    BOOST_TEST(tests::decompress(ask_model("bench?tokens=40&coding=gzip").data()) ==
               ask_model("bench?tokens=40").data());
    BOOST_TEST(ask_model("fault-429?coding=gzip").header("content-encoding") == "gzip");
    BOOST_TEST(ask_model("no-such?coding=gzip").header("content-encoding").empty());
}

BOOST_FIXTURE_TEST_CASE(a_correction_gets_the_second_answer, running_model) {
    BOOST_TEST(tests::read_stream(ask_model("scaffold-only").data())
                   .first()
                   .content.starts_with("<tool_call>"));
    const auto second = ask(post(chat, correction_body("scaffold-only")));
    BOOST_TEST(tests::read_stream(second.data()).first().content == corrected_text);
    const auto records = server.requests();
    BOOST_TEST(!records.at(0).correction);
    BOOST_TEST(records.at(1).correction);
    const auto clean = ask(post(chat, correction_body("clean")));
    BOOST_TEST(tests::read_stream(clean.data()).first().content.starts_with("The harbour"));
}

BOOST_FIXTURE_TEST_CASE(one_connection_serves_several_requests, running_model) {
    raw_client client(server.port());
    for (int i = 0; i < 3; ++i) {
        client.send(post(chat, chat_body("tools", true)));
        BOOST_TEST(tests::read_stream(client.read_one().data()).first().calls.size() == 2U);
    }
    BOOST_TEST(server.request_count("tools") == 3U);
}

BOOST_FIXTURE_TEST_CASE(bad_requests_are_refused_with_json, running_model) {
    struct row {
        std::string_view name, body;
        unsigned status;
        std::string_view part;
    };

    const row rows[] = {
        {"unknown model", R"({"model":"gpt-9","messages":[{}]})", 404, "gpt-9"},
        {"no model", R"({"messages":[{}]})", 404, "does not exist"},
        {"no messages", R"({"model":"clean"})", 400, "messages"},
        {"no object", R"([1])", 400, "object"},
        {"no json", "hello", 400, "object"},
        {"bad option", R"({"model":"clean?speed=1","messages":[{}]})", 400, "speed=1"},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.name) {
            const auto got = ask(post(chat, row.body));
            BOOST_TEST(got.status == row.status);
            const auto errors = tests::read_body(got.data()).errors;
            BOOST_TEST_REQUIRE(errors.size() == 1U);
            BOOST_TEST(std::string(errors[0].at("message").as_string()).find(row.part) !=
                       std::string::npos);
        }
    }
    BOOST_TEST(ask(post("/v1/nothing", "{}")).status == 404U);
}

BOOST_FIXTURE_TEST_CASE(models_are_listed, running_model) {
    const auto got = ask("GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n");
    const auto parsed = boost::json::parse(got.data());
    std::vector<std::string> names;
    for (const auto& one : parsed.at("data").as_array()) {
        names.emplace_back(one.at("id").as_string());
    }
    BOOST_TEST(names.size() == built_in_scripts().size() + 1);
    BOOST_TEST(names.front() == "clean");
    BOOST_TEST(names.back() == "bench");
}

BOOST_FIXTURE_TEST_CASE(echo_gives_the_body_back, running_model) {
    const auto got = ask(post("/v1/echo?a=b", R"({"any":"thing"})"));
    BOOST_TEST(got.status == 200U);
    BOOST_TEST(got.body == R"({"any":"thing"})");
    BOOST_TEST(got.header("content-type") == "application/json");
    BOOST_TEST(server.requests().at(0).target == "/v1/echo?a=b");
}

BOOST_FIXTURE_TEST_CASE(expect_100_continue_is_answered_at_once, running_model) {
    raw_client client(server.port());
    const auto request = post(chat, chat_body("clean", false), "expect: 100-continue\r\n");
    const auto body = request.find("\r\n\r\n") + 4;
    client.send(request.substr(0, body));
    client.read_until("HTTP/1.1 100 Continue\r\n\r\n");
    client.send(request.substr(body));
    client.read_until("HTTP/1.1 200 OK");
}

BOOST_FIXTURE_TEST_CASE(a_large_request_is_taken, running_model) {
    const auto body = chat_body("clean", true, false,
                                R"(,"user":")" + std::string(std::size_t{3} << 20, 'u') + '"');
    BOOST_TEST(ask(post(chat, body)).status == 200U);
    BOOST_TEST(server.requests().at(0).body_bytes == body.size());
}

BOOST_FIXTURE_TEST_CASE(http_1_0_gets_a_body_that_ends_with_the_connection, running_model) {
    raw_client client(server.port());
    auto request = post(chat, chat_body("clean", true));
    request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0");
    client.send(request);
    const auto got = client.read_response();
    BOOST_TEST(got.header("transfer-encoding").empty());
    BOOST_TEST((got.end == stream_end::fin));
    BOOST_TEST(tests::read_stream(got.body).ends_with_done);
}

BOOST_FIXTURE_TEST_CASE(framing_can_be_chosen, running_model) {
    const auto length = ask_model("clean?framing=length");
    BOOST_TEST(length.header("content-length") == std::to_string(length.body.size()));
    BOOST_TEST(tests::read_stream(length.body).ends_with_done);
    raw_client client(server.port());
    client.send(post(chat, chat_body("clean?framing=close", true)));
    const auto close = client.read_response();
    BOOST_TEST(close.header("content-length").empty());
    BOOST_TEST(close.header("connection") == "close");
    BOOST_TEST(tests::read_stream(close.body).ends_with_done);
}

BOOST_FIXTURE_TEST_CASE(the_synthetic_model_joins_events_into_one_write, running_model) {
    for (const std::string framing : {"chunked", "length"}) {
        for (const std::string per_write : {"1", "16", "1000"}) {
            BOOST_TEST_CONTEXT(framing << ' ' << per_write) {
                const auto got =
                    ask_model("bench?tokens=200&per_write=" + per_write + "&framing=" + framing);
                const auto view = tests::read_stream(got.data());
                BOOST_TEST(view.first().content == bench_text(200));
                BOOST_TEST(view.ends_with_done);
            }
        }
    }
    const auto joined = ask_model("bench?tokens=13&per_write=8");
    BOOST_TEST(line_ends(joined.body) == 6U); // 16 events in two chunks, and the last chunk
    BOOST_TEST(tests::read_body(ask_model("bench?tokens=5", false).data()).first().content ==
               bench_text(5));
}

BOOST_FIXTURE_TEST_CASE(a_cut_ends_with_fin_before_the_last_chunk, running_model) {
    raw_client client(server.port());
    client.send(post(chat, chat_body("fault-cut", true)));
    const auto got = client.read_response();
    BOOST_TEST((got.end == stream_end::fin));
    BOOST_TEST(got.body.find("data: ") != std::string::npos);
    BOOST_TEST(!tests::dechunk(got.body).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_reset_ends_with_rst, running_model) {
    raw_client client(server.port());
    client.send(post(chat, chat_body("fault-reset", true)));
    BOOST_TEST((client.read_response().end == stream_end::rst));
}

BOOST_FIXTURE_TEST_CASE(a_stall_says_nothing_until_the_client_leaves, running_model) {
    raw_client client(server.port(), std::chrono::milliseconds(200));
    client.send(post(chat, chat_body("fault-stall", true)));
    BOOST_TEST((client.read_response().end == stream_end::timeout));
    BOOST_TEST(!server.wait_idle(1, std::chrono::milliseconds(1)));
    client.close();
    BOOST_TEST(server.wait_idle(1, soon));
    BOOST_TEST((server.requests().at(0).state == progress::closed_by_peer));
}

BOOST_FIXTURE_TEST_CASE(a_model_that_never_answers_notices_that_the_client_left, running_model) {
    raw_client client(server.port(), std::chrono::milliseconds(100));
    client.send(post(chat, chat_body("fault-no-answer", true)));
    BOOST_TEST(client.read_response().head.empty());
    client.close();
    BOOST_TEST(server.wait_idle(1, soon));
    BOOST_TEST((server.requests().at(0).state == progress::closed_by_peer));
}

BOOST_FIXTURE_TEST_CASE(an_abort_in_mid_stream_is_noticed_while_pausing, running_model) {
    raw_client client(server.port());
    client.send(post(chat, chat_body("long?pace_ms=5000", true)));
    client.read_until("data: ");
    client.close();
    BOOST_TEST(server.wait_idle(1, soon));
    const auto record = server.requests().at(0);
    BOOST_TEST((record.state == progress::closed_by_peer));
    BOOST_TEST(record.writes == 1U);
    BOOST_TEST((record.ended - record.began < std::chrono::seconds(5)));
}

BOOST_FIXTURE_TEST_CASE(errors_have_their_status_and_headers, running_model) {
    const auto limited = ask_model("fault-429");
    BOOST_TEST(limited.status == 429U);
    BOOST_TEST(limited.header("retry-after") == "7");
    BOOST_TEST(ask_model("fault-500", false).status == 500U);
    raw_client client(server.port());
    client.send(post(chat, correction_body("scaffold-then-500")));
    BOOST_TEST(client.read_one().status == 500U);
}

BOOST_FIXTURE_TEST_CASE(the_log_is_served_and_cleared_over_http, running_model) {
    ask_model("clean");
    const auto listed = ask("GET /demo/requests HTTP/1.1\r\nhost: x\r\n\r\n");
    const auto parsed = boost::json::parse(listed.data());
    BOOST_TEST(parsed.at("count").as_int64() == 1);
    BOOST_TEST(parsed.at("requests").at(0).at("model").as_string() == "clean");
    ask("DELETE /demo/requests HTTP/1.1\r\nhost: x\r\n\r\n");
    BOOST_TEST(server.request_count() == 0U);
}

BOOST_AUTO_TEST_CASE(scripts_of_a_test_replace_built_in_ones) {
    model_options options;
    answer odd;
    odd.raw_head = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nContent-Length: 6\r\n\r\n";
    odd.writes = {"ab", "c"};
    odd.end = ending::cut;
    answer wrong_length;
    wrong_length.headers = {{"content-length", "999"}, {"content-type", "text/plain"}};
    wrong_length.framing = framing::length;
    wrong_length.writes = {"abc"};
    wrong_length.end = ending::cut;
    options.scripts = {{"clean", "odd", {odd}}, {"short", "too few bytes", {wrong_length}}};
    const running_model model(std::move(options));
    raw_client client(model.server.port());
    client.send(post(chat, chat_body("clean", true)));
    const auto got = client.read_response();
    BOOST_TEST(got.head.find("content-length: 6") != std::string::npos);
    BOOST_TEST(got.body == "abc");
    raw_client other(model.server.port());
    other.send(post(chat, chat_body("short", true)));
    const auto cut = other.read_response();
    BOOST_TEST(cut.header("content-length") == "999");
    BOOST_TEST(cut.header("content-type") == "text/plain");
    BOOST_TEST(cut.body == "abc");
}

BOOST_AUTO_TEST_CASE(several_threads_share_one_port_and_stop_at_once) {
    model_options options;
    options.threads = 3;
    running_model model(std::move(options));
    std::vector<std::unique_ptr<raw_client>> clients;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(std::make_unique<raw_client>(model.server.port()));
        clients.back()->send(post(chat, chat_body("fault-stall", true)));
        clients.back()->read_until("data: ");
    }
    BOOST_TEST(model.server.request_count() == 20U);
    model.server.stop();
    model.server.stop();
    BOOST_TEST((clients.front()->read_response().end != stream_end::timeout));
}

BOOST_AUTO_TEST_CASE(an_address_that_cannot_be_had_is_an_error_at_start) {
    // The first is nobody's (RFC 5737), the second no address.
    for (const std::string host : {"203.0.113.1", "no such host"}) {
        model_options options;
        options.listen.host = host;
        model_server server(std::move(options));
        BOOST_CHECK_THROW(server.start(), std::system_error);
    }
}

BOOST_AUTO_TEST_CASE(a_thousand_streams_at_once_on_one_thread_are_all_whole) {
    const running_model model;
    constexpr std::size_t streams = 1000;
    allow_descriptors(2 * streams + 100); // both ends of each are here
    std::vector<std::unique_ptr<raw_client>> clients;
    for (std::size_t i = 0; i < streams; ++i) {
        clients.push_back(std::make_unique<raw_client>(model.server.port()));
        clients.back()->send(post(chat, chat_body("bench?tokens=20&pace_ms=20", true)));
    }
    std::size_t whole = 0;
    for (auto& client : clients) {
        const auto view = tests::read_stream(client->read_one().data());
        whole += view.ends_with_done && view.first().content == bench_text(20) ? 1 : 0;
    }
    BOOST_TEST(whole == streams);
}

BOOST_AUTO_TEST_SUITE_END()
