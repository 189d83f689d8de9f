#include "bench/soak/forged.hpp"

#include "bench/soak/http_reader.hpp"
#include "bench/soak/nonce.hpp"

namespace bench::soak {

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::uint64_t number = 7;

composer forger() {
    return {make_nonce(number), number};
}

attempt attempt_of(const std::string& request, std::string answer, std::int64_t began_ns) {
    auto reader = http_reader(http_reader::kind::request);
    reader.feed(request);
    auto out = attempt{};
    out.request_head = reader.head();
    out.request_body = reader.body();
    out.sent = std::move(answer);
    out.began_ns = began_ns;
    out.last_write_ns = began_ns + 10 * ms;
    return out;
}

recording recording_of(const std::string& request, std::string body) {
    auto out = recording{};
    out.nonce = make_nonce(number);
    out.name = "forged";
    auto reader = http_reader(http_reader::kind::request);
    reader.feed(request);
    out.client.request_head = reader.head();
    out.client.request_body = reader.body();
    out.client.head = stream_head("x-request-id: " + out.nonce + "\r\n");
    out.client.body = std::move(body);
    out.client.status = 200;
    out.client.end = client_end::whole;
    out.client.end_ns = 40 * ms;
    out.turns.push_back({"clean", 200, 0, 0, 0});
    return out;
}

} // namespace

std::string forged_body(std::string_view text, unsigned attempt) {
    auto with = forger();
    with.set_attempt(attempt);
    auto body = std::string{};
    for (const auto& event : with.answer_events(text)) {
        body += event;
    }
    return body;
}

std::string forged_answer(std::string_view body) {
    return stream_head() + chunk_of(body) + std::string(last_chunk);
}

recording forged_stream(std::string_view text, std::string_view shown) {
    const auto request = forger().chat_request(true, true);
    auto out = recording_of(request, forged_body(shown));
    out.attempts.push_back(attempt_of(request, forged_answer(forged_body(text)), 1 * ms));
    return out;
}

recording forged_correction() {
    auto with = forger();
    const auto request = with.chat_request(true, true);
    const auto markup = with.markup();
    const auto answer = with.prose(2);
    auto out = recording_of(request, {});
    out.client.body = forged_body(answer);
    out.leaked.push_back(markup);
    out.attempts.push_back(attempt_of(request, forged_answer(forged_body("\n" + markup)), 1 * ms));
    out.attempts.push_back(
        attempt_of(with.chat_request(true, false), forged_answer(forged_body(answer, 2)), 20 * ms));
    out.spans.push_back({1, 0, 1, 0, "payload"});
    for (const auto byte : markup) {
        out.spans[0].chars += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
    }
    out.turns[0] = {"corrected", 200, out.spans[0].chars, 1, 0};
    return out;
}

recording forged_passing() {
    auto with = forger();
    const auto request = with.request("GET", "/v1/models", "");
    const auto bytes = with.prose(3);
    auto out = recording_of(request, bytes);
    out.surface = surface::passed;
    out.client.head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nx-request-id: " + out.nonce + "\r\n\r\n";
    out.attempts.push_back(attempt_of(request, answer_with("200 OK", "text/plain", bytes), 1 * ms));
    out.turns[0].outcome = "passed";
    return out;
}

} // namespace bench::soak
