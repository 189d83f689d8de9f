// What a client can do: leave in every phase, read slowly or not at all, pipeline, and send
// requests that no server may understand.
#include "bench/soak/plan_rows.hpp"
#include <array>

namespace bench::soak {

namespace {

constexpr auto ways = std::to_array<way>({way::close, way::reset, way::half_close});

void leaves(composer& with, plan& out, leaving when) {
    out.client.when = when;
    out.client.how = ways[with.number(0, ways.size() - 1)];
    out.client.fresh = true;
    out.identical = false;
}

void leaves_in_connect(composer& with, plan& out) {
    make_clean(with, out, 1);
    leaves(with, out, leaving::in_connect);
}

void leaves_in_its_head(composer& with, plan& out) {
    make_clean(with, out, 1);
    leaves(with, out, leaving::in_head);
}

void leaves_in_its_body(composer& with, plan& out) {
    make_clean(with, out, 1);
    leaves(with, out, leaving::in_body);
}

void leaves_in_prefill(composer& with, plan& out) {
    make_clean(with, out, 1);
    out.answers[0] = script{}.then(act::stall);
    leaves(with, out, leaving::in_prefill);
}

void leaves_a_silent_stream(composer& with, plan& out) {
    make_clean(with, out, 1);
    out.answers[0] = with.stream(with.text_events(with.prose(1)), false);
    out.answers[0].then(act::stall);
    leaves(with, out, leaving::behind_bytes);
    out.client.behind_bytes = 400;
}

void leaves_a_running_stream(composer& with, plan& out) {
    make_clean(with, out, 100);
    leaves(with, out, leaving::behind_bytes);
    out.client.behind_bytes = with.number(1, 8'000);
}

void leaves_while_text_is_held(composer& with, plan& out) {
    make_clean(with, out, 1);
    auto events = with.text_events(with.prose(2) + "\n<tool_call>\n{\"name\": \"lookup_t");
    out.answers[0] = with.stream(events, false);
    out.answers[0].then(act::stall);
    leaves(with, out, leaving::behind_bytes);
    out.client.behind_bytes = 3'000;
}

void leaves_in_the_correction(composer& with, plan& out) {
    make_emptied(with, out);
    out.answers[1] = script{}.then(act::stall);
    leaves(with, out, leaving::in_correction);
}

void leaves_a_json_answer(composer& with, plan& out) {
    out.request = with.chat_request(false, true);
    const auto whole = answer_with("200 OK", "application/json", with.body(with.prose(3)));
    out.answers[0].write(whole.substr(0, whole.size() / 2)).then(act::stall);
    leaves(with, out, leaving::in_prefill);
}

void leaves_passed_bytes(composer& with, plan& out) {
    out.surface = surface::passed;
    out.request = with.request("GET", "/v1/files/" + with.nonce(), "");
    const auto whole = answer_with("200 OK", "text/plain", with.prose(9));
    out.answers[0].write(whole.substr(0, whole.size() / 2)).then(act::stall);
    leaves(with, out, leaving::behind_bytes);
    out.client.behind_bytes = 10;
}

void reads_slowly(composer& with, plan& out) {
    make_leak(with, out);
    out.client.read_bytes = 700;
    out.client.read_pause_ms = 2;
    out.client.fresh = true;
}

void stops_reading_for_a_while(composer& with, plan& out) {
    make_clean(with, out, 100);
    out.client.deaf_ms = client_limit_ms / 2;
    out.client.fresh = true;
}

// Past the write limit the proxy may close. What the sockets hold hides small answers from it.
void stops_reading(composer& with, plan& out) {
    out.surface = surface::passed;
    out.request = with.request("GET", "/v1/files/" + with.nonce(), "");
    const auto piece = with.nonce() + std::string(std::size_t{1} << 20, '.');
    out.answers[0].write("HTTP/1.1 200 OK\r\ncontent-length: " + std::to_string(12 * piece.size()) +
                         "\r\n\r\n");
    for (auto left = 12; left > 0; --left) {
        out.answers[0].write(piece);
    }
    out.client.deaf_ms = 2 * client_limit_ms;
    out.client.fresh = true;
}

void pipelines(composer& with, plan& out) {
    make_clean(with, out, 1);
    out.pipelined = with.number(1, 8);
    out.client.fresh = true;
}

void malformed(composer& with, plan& out, std::string request) {
    out.surface = surface::malformed;
    out.request = std::move(request);
    out.client.fresh = true;
    out.answers[0] = with.stream(with.answer_events(with.prose(1)));
}

// A chat request with more header lines, the first line's end being the place for them.
std::string with_lines(composer& with, std::string_view lines) {
    auto request = with.chat_request(true, true);
    return request.insert(request.find("\r\n") + 2, lines);
}

void has_a_malformed_field(composer& with, plan& out) {
    using namespace std::string_view_literals;
    constexpr auto lines = std::to_array<std::string_view>(
        {"Transfer-Encoding: chunked\r\n"sv, "Content-Length: 3\r\n"sv, "Content-Length: +5\r\n"sv,
         "Transfer-Encoding: gzip, chunked\r\n"sv, "Transfer-Encoding: chunked, chunked\r\n"sv,
         "Transfer-Encoding : chunked\r\n"sv, "X-A : b\r\n"sv, "X-A: b\r\n c\r\n"sv,
         "X-A: b\nX-B: c\r\n"sv, "X-A: b\rc\r\n"sv, "X-A: b\0c\r\n"sv, "Host: other\r\n"sv,
         ": empty\r\n"sv, "no colon\r\n"sv, "Expect: 200-maybe\r\n"sv,
         "x-unscaffold: perhaps\r\n"sv, "Connection: content-length\r\n"sv});
    malformed(with, out, with_lines(with, lines[with.number(0, lines.size() - 1)]));
}

void has_a_malformed_line(composer& with, plan& out) {
    constexpr auto starts = std::to_array<std::string_view>(
        {"POST /v1/../x HTTP/1.1\r\n", "POST /v1/%2e%2e/x HTTP/1.1\r\n", "POST  /v1/x HTTP/1.1\r\n",
         "POST /v1/x HTTP/2.0\r\n", "POST /v1/x\r\n", "TRACE /v1/x HTTP/1.1\r\n",
         "CONNECT a:1 HTTP/1.1\r\n", "POST * HTTP/1.1\r\n", " POST /v1/x HTTP/1.1\r\n",
         "\x16\x03\x01\x02\r\n"});
    auto request = with.chat_request(true, true);
    request.replace(0, request.find("\r\n") + 2, starts[with.number(0, starts.size() - 1)]);
    malformed(with, out, request);
}

void has_too_much(composer& with, plan& out) {
    switch (with.number(0, 3)) {
    case 0:
        return malformed(with, out, with_lines(with, "X-A: " + std::string(70'000, 'a') + "\r\n"));
    case 1: {
        auto lines = std::string{};
        for (auto left = 300; left > 0; --left) {
            lines += "a: b\r\n";
        }
        return malformed(with, out, with_lines(with, lines));
    }
    case 2:
        return malformed(with, out, with.request("GET", "/v1/" + std::string(20'000, 'a'), ""));
    default:
        return malformed(with, out,
                         with.request("POST", "/v1/files", std::string(2 * body_limit, 'x')));
    }
}

void has_a_bad_chunk(composer& with, plan& out) {
    auto request = with.request("POST", "/v1/chat/completions", "");
    request.insert(request.size() - 2, "Transfer-Encoding: chunked\r\n");
    constexpr auto bodies = std::to_array<std::string_view>(
        {"zz\r\nabc\r\n0\r\n\r\n", "3\r\nabcdef\r\n0\r\n\r\n", "-1\r\n\r\n",
         "fffffffffffffffff\r\nabc\r\n", "3\nabc\r\n0\r\n\r\n"});
    malformed(with, out, request.append(bodies[with.number(0, bodies.size() - 1)]));
}

void drips(composer& with, plan& out) {
    make_clean(with, out, 1);
    malformed(with, out, with.chat_request(true, true));
    out.client.drips = true;
}

void uploads_in_chunks(composer& with, plan& out) {
    make_clean(with, out, 2);
    const auto end = out.request.find("\r\n\r\n") + 4;
    const auto body = out.request.substr(end);
    auto head = out.request.substr(0, out.request.find("Content-Length"));
    head.append("Transfer-Encoding: chunked\r\n\r\n");
    const auto half = body.size() / 2;
    out.request = head + chunk_of(body.substr(0, half)) + chunk_of(body.substr(half)) +
                  std::string(last_chunk);
}

} // namespace

std::span<const plan_row> client_fault_rows() {
    static constexpr auto rows = std::to_array<plan_row>({
        {"leaves in connect", leaves_in_connect},
        {"leaves in its head", leaves_in_its_head},
        {"leaves in its body", leaves_in_its_body},
        {"leaves in prefill", leaves_in_prefill},
        {"leaves a silent stream", leaves_a_silent_stream},
        {"leaves a running stream", leaves_a_running_stream},
        {"leaves while text is held", leaves_while_text_is_held},
        {"leaves in the correction", leaves_in_the_correction},
        {"leaves a JSON answer", leaves_a_json_answer},
        {"leaves passed bytes", leaves_passed_bytes},
        {"reads slowly", reads_slowly},
        {"stops reading for a while", stops_reading_for_a_while},
        {"stops reading", stops_reading},
        {"pipelines", pipelines},
        {"malformed field", has_a_malformed_field},
        {"malformed line", has_a_malformed_line},
        {"too much", has_too_much},
        {"bad chunk in the request", has_a_bad_chunk},
        {"drips", drips},
        {"uploads in chunks", uploads_in_chunks},
    });
    return rows;
}

} // namespace bench::soak
