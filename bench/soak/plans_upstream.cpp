// What a model server can do wrong, in every phase of an answer.
#include "tests/support/compress.hpp"

#include "bench/soak/plan_rows.hpp"
#include <array>

namespace bench::soak {

namespace {

constexpr std::string_view ok = "HTTP/1.1 200 OK\r\n";

// A chat request whose answer is `bytes`, and then `last`.
void answered_by(composer& with, plan& out, std::string bytes, act last, bool untrusted = false) {
    out.request = with.chat_request(with.number(0, 2) > 0, with.number(0, 1) == 0);
    out.answers[0].untrusted = untrusted;
    if (!bytes.empty()) {
        out.answers[0].write(std::move(bytes));
    }
    out.answers[0].then(last);
    out.end_limit_ns = last == act::stall ? stall_limit_ns : out.end_limit_ns;
}

template <act last>
void ends_before_its_head(composer& with, plan& out) {
    answered_by(with, out, "", last);
}

template <act last>
void ends_inside_its_head(composer& with, plan& out) {
    const auto* const head = with.number(0, 1) == 0 ? "HTTP/1.1 20" : "HTTP/1.1 200 OK\r\ncont";
    answered_by(with, out, head, last);
}

void is_no_http(composer& with, plan& out) {
    constexpr auto bytes = std::to_array<std::string_view>(
        {"\x16\x03\x01\x02 garbage\r\n\r\n", "<html>hello</html>\r\n\r\n", "ICY 200 OK\r\n\r\n",
         "HTTP/1.1 000 X\r\n\r\n", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n"});
    answered_by(with, out, std::string(bytes[with.number(0, bytes.size() - 1)]), act::stall, true);
}

void has_a_bad_framing(composer& with, plan& out) {
    constexpr auto fields = std::to_array<std::string_view>(
        {"content-length: 1\r\ncontent-length: 2\r\n\r\nab", "content-length: -1\r\n\r\n",
         "content-length: 1x\r\n\r\n", "transfer-encoding: gzip\r\n\r\n"});
    answered_by(with, out, std::string(ok).append(fields[with.number(0, fields.size() - 1)]),
                act::stall, true);
}

void has_a_huge_head(composer& with, plan& out) {
    auto head = std::string(ok);
    if (with.number(0, 1) == 0) {
        head.append("a: ").append(70'000, 'b').append("\r\n");
    } else {
        for (auto left = 1'001; left > 0; --left) {
            head += "a: b\r\n";
        }
    }
    answered_by(with, out, head + "\r\n", act::stall, true);
}

void interim_answers(composer& with, plan& out) {
    make_clean(with, out, 3);
    out.answers[0].steps.insert(
        out.answers[0].steps.begin(),
        {act::write, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\n", 0});
}

void too_many_interim_answers(composer& with, plan& out) {
    auto bytes = std::string{};
    for (auto left = 17; left > 0; --left) {
        bytes += "HTTP/1.1 102 Processing\r\n\r\n";
    }
    answered_by(with, out, bytes, act::stall, true);
}

void an_error_status(composer& with, plan& out) {
    constexpr auto lines = std::to_array<std::string_view>(
        {"429 Too Many Requests", "500 Internal Server Error", "503 Service Unavailable"});
    const auto body = R"({"error":{"message":"busy )" + with.nonce() + R"("}})";
    out.request = with.chat_request(true, true);
    out.answers[0].write(answer_with(lines[with.number(0, lines.size() - 1)], "application/json",
                                     body, "retry-after: 1\r\n"));
}

void an_answer_before_the_body(composer& with, plan& out) {
    out.surface = surface::passed;
    out.request = with.request("POST", "/v1/files", std::string(600'000, 'x'));
    out.answers[0].early = true;
    out.answers[0].write(
        answer_with("413 Too Large", "text/plain", with.nonce(), "connection: close\r\n"));
    out.answers[0].then(act::stall);
}

// Some events of a stream without its end.
std::vector<std::string> beginning(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    auto events = with.answer_events(with.prose(with.number(1, 4)));
    events.resize(events.size() - 2);
    return events;
}

template <act last>
void cut_between_events(composer& with, plan& out) {
    out.answers[0] = with.stream(beginning(with, out), false);
    out.answers[0].then(last);
    out.end_limit_ns = last == act::stall ? stall_limit_ns : out.end_limit_ns;
}

template <act last>
void cut_inside_a_chunk(composer& with, plan& out) {
    out.answers[0] = with.stream(beginning(with, out), false);
    const auto next = chunk_of(with.text_event("lost"));
    out.answers[0].write(next.substr(0, with.number(1, next.size() - 1))).then(last);
}

void cut_inside_an_event(composer& with, plan& out) {
    auto events = beginning(with, out);
    const auto next = with.text_event("lost");
    events.push_back(next.substr(0, with.number(6, next.size() - 2)));
    out.answers[0] = with.stream(events);
}

void cut_while_text_is_held(composer& with, plan& out) {
    auto events = beginning(with, out);
    const auto held = with.text_events("\n<tool_call>\n{\"na");
    events.insert(events.end(), held.begin(), held.end());
    out.answers[0] = with.stream(events, false);
    out.answers[0].then(act::close);
}

void comments_for_a_while(composer& with, plan& out) {
    const auto events = beginning(with, out);
    out.answers[0] = with.stream(events, false);
    for (auto left = 6; left > 0; --left) {
        out.answers[0].pause(upstream_limit_ms / 4).write(chunk_of(": ping\n\n"));
    }
    out.answers[0].write(chunk_of(with.finish_event()) + chunk_of(done_event) +
                         std::string(last_chunk));
}

void no_done(composer& with, plan& out) {
    auto events = beginning(with, out);
    events.push_back(with.finish_event());
    out.answers[0] = with.stream(events);
}

void no_finish_and_no_done(composer& with, plan& out) {
    out.answers[0] = with.stream(beginning(with, out));
}

void done_alone(composer& with, plan& out) {
    out.request = with.chat_request(true, false);
    out.answers[0] = with.stream({std::string(done_event)});
}

void an_empty_stream(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    out.answers[0].write(stream_head() + std::string(last_chunk));
}

void bytes_behind_done(composer& with, plan& out) {
    auto events = with.answer_events(with.prose(2));
    events.push_back(with.number(0, 1) == 0 ? std::string(done_event) : with.text_event("late"));
    out.request = with.chat_request(true, true);
    out.answers[0] = with.stream(events);
}

void no_end_behind_done(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    out.answers[0] = with.stream(with.answer_events(with.prose(2)), false);
    out.answers[0].then(act::stall);
    out.end_limit_ns = stall_limit_ns;
}

void an_error_event(composer& with, plan& out) {
    auto events = beginning(with, out);
    events.resize(with.number(0, events.size()));
    events.push_back(R"(data: {"error":{"message":"out of memory )" + with.nonce() +
                     R"(","type":"server_error"}})" + "\n\n");
    out.answers[0] = with.stream(events);
}

void byte_by_byte(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    auto all = std::string{};
    for (const auto& step : with.stream(with.answer_events(with.prose(1) + with.markup())).steps) {
        all += step.bytes;
    }
    for (const auto byte : all) {
        out.answers[0].write(std::string(1, byte));
    }
}

void many_events_at_once(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    auto bytes = stream_head();
    for (const auto& event : with.answer_events(with.prose(150) + with.markup())) {
        bytes += chunk_of(event);
    }
    out.answers[0].write(bytes + std::string(last_chunk));
}

void a_big_event(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    const auto text = with.prose(1) + std::string(event_limit / 2, 'a');
    out.answers[0] =
        with.stream({with.text_event(text), with.finish_event(), std::string(done_event)});
    out.identical = true;
}

void an_event_over_the_limit(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    auto events = with.text_events(with.prose(1));
    events.push_back(with.text_event(std::string(2 * event_limit, 'a')));
    out.answers[0] = with.stream(events, false);
    out.answers[0].opaque = true;
    out.answers[0].then(act::stall);
}

void an_endless_line(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    out.answers[0].opaque = true;
    out.answers[0].write(stream_head());
    for (auto left = 24; left > 0; --left) {
        out.answers[0].write(chunk_of(std::string(event_limit / 16, 'x')));
    }
    out.answers[0].then(act::stall);
}

void events_that_are_odd(composer& with, plan& out) {
    auto events = with.answer_events(with.prose(1));
    auto odd = std::vector<std::string>{"data: {\"choices\": [1, null, {\"delta\": 7}]}\n\n",
                                        "data: not JSON at all\n\n", "data: [[[[[[]]]]]]\n\n",
                                        "data: {\"id\": \n\n"};
    odd.push_back("data: " + std::string(600, '[') + std::string(600, ']') + "\n\n");
    events.insert(events.begin() + 2, odd.begin(), odd.end());
    out.request = with.chat_request(true, true);
    out.answers[0] = with.stream(events);
    out.identical = true;
}

void characters_that_are_none(composer& with, plan& out) {
    auto events = with.answer_events(with.prose(1));
    events.insert(events.begin() + 2, {with.text_event("\xFF\xC3("), with.text_event("\\u0000"),
                                       with.text_event("\xED\xA0\x80")});
    out.request = with.chat_request(true, true);
    out.answers[0] = with.stream(events);
    out.identical = true;
}

void gzip_unasked(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    auto plain = std::string{};
    for (const auto& event : with.answer_events(with.prose(2) + with.markup() + with.prose(1))) {
        plain += event;
    }
    const auto packed = tests::compress(plain, tests::coding::gzip, true);
    out.answers[0].plain = plain;
    out.answers[0].write(stream_head("content-encoding: gzip\r\n") +
                         chunk_of(packed.substr(0, packed.size() / 2)));
    out.answers[0].pause(5).write(chunk_of(packed.substr(packed.size() / 2)) +
                                  std::string(last_chunk));
}

void a_gzip_bomb(composer& with, plan& out) {
    static const auto packed =
        tests::compress(std::string(std::size_t{16} << 20, ' '), tests::coding::gzip);
    answered_by(with, out,
                stream_head("content-encoding: gzip\r\n") + chunk_of(packed) +
                    std::string(last_chunk),
                act::stall);
    out.answers[0].opaque = true;
}

void an_unknown_coding(composer& with, plan& out) {
    answered_by(with, out, stream_head("content-encoding: br\r\n") + chunk_of("abc"), act::stall,
                true);
}

void a_bad_chunk(composer& with, plan& out) {
    constexpr auto bad = std::to_array<std::string_view>(
        {"zz\r\nabc\r\n", "3\r\nabcdef\r\n", "fffffffffffffffff\r\n"});
    out.answers[0] = with.stream(beginning(with, out), false);
    out.answers[0].write(std::string(bad[with.number(0, bad.size() - 1)])).then(act::stall);
}

void a_body_that_is_too_short(composer& with, plan& out) {
    out.request = with.chat_request(false, true);
    const auto whole = answer_with("200 OK", "application/json", with.body(with.prose(2)));
    out.answers[0].write(whole.substr(0, whole.size() - with.number(1, 40)));
    out.answers[0].then(with.number(0, 1) == 0 ? act::close : act::reset);
}

void a_body_that_is_too_long(composer& with, plan& out) {
    out.request = with.chat_request(false, true);
    out.answers[0].write(answer_with("200 OK", "application/json", with.body(with.prose(2))) +
                         "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil");
}

void passed_bytes_are_cut(composer& with, plan& out) {
    out.surface = surface::passed;
    out.request = with.request("GET", "/v1/files/" + with.nonce(), "");
    const auto whole = answer_with("200 OK", "text/plain", with.prose(20));
    out.answers[0].write(whole.substr(0, whole.size() / 2));
    out.answers[0].then(with.number(0, 1) == 0 ? act::close : act::reset);
}

void closes_the_kept_connection(composer& with, plan& out) {
    make_clean(with, out, 1);
    if (with.number(0, 1) == 0) {
        out.answers[0].pause(static_cast<unsigned>(with.number(0, 60)));
    }
    out.answers[0].then(with.number(0, 1) == 0 ? act::close : act::reset);
}

void bytes_on_an_idle_connection(composer& with, plan& out) {
    make_clean(with, out, 1);
    out.answers[0].pause(30).write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil");
    out.answers[0].then(act::stall);
}

// The second attempt of a turn whose first was markup only.
void second_is(composer& with, plan& out, std::string bytes, act last) {
    make_emptied(with, out);
    if (!bytes.empty()) {
        out.answers[1].write(std::move(bytes));
    }
    out.answers[1].then(last);
    out.end_limit_ns = last == act::stall ? stall_limit_ns : out.end_limit_ns;
}

void correction_refused(composer& with, plan& out) {
    make_emptied(with, out);
    out.answers[1].write(answer_with("429 Too Many Requests", "application/json",
                                     R"({"error":{"message":"slow down"}})"));
}

template <act last>
void correction_ends_at_once(composer& with, plan& out) {
    second_is(with, out, "", last);
}

template <act last>
void correction_is_cut(composer& with, plan& out) {
    make_emptied(with, out);
    with.set_attempt(2);
    out.answers[1] = with.stream(with.text_events(with.prose(1)), false);
    out.answers[1].then(last);
    out.end_limit_ns = last == act::stall ? stall_limit_ns : out.end_limit_ns;
}

void correction_is_empty(composer& with, plan& out) {
    make_emptied(with, out);
    with.set_attempt(2);
    out.answers[1] = with.stream({with.finish_event(), std::string(done_event)});
}

void correction_fails_inside(composer& with, plan& out) {
    second_is(with, out,
              stream_head() + chunk_of("data: {\"error\":{\"message\":\"gone\"}}\n\n") +
                  std::string(last_chunk),
              act::write);
}

} // namespace

std::span<const plan_row> upstream_fault_rows() {
    static constexpr auto rows = std::to_array<plan_row>({
        {"closed before the head", ends_before_its_head<act::close>},
        {"reset before the head", ends_before_its_head<act::reset>},
        {"stalled before the head", ends_before_its_head<act::stall>},
        {"closed in the head", ends_inside_its_head<act::close>},
        {"reset in the head", ends_inside_its_head<act::reset>},
        {"no HTTP", is_no_http},
        {"bad framing", has_a_bad_framing},
        {"huge head", has_a_huge_head},
        {"interim answers", interim_answers},
        {"too many interim answers", too_many_interim_answers},
        {"error status", an_error_status},
        {"answer before the body", an_answer_before_the_body},
        {"closed between events", cut_between_events<act::close>},
        {"reset between events", cut_between_events<act::reset>},
        {"stalled between events", cut_between_events<act::stall>},
        {"closed in a chunk", cut_inside_a_chunk<act::close>},
        {"reset in a chunk", cut_inside_a_chunk<act::reset>},
        {"whole body, half event", cut_inside_an_event},
        {"closed while text is held", cut_while_text_is_held},
        {"comments for a while", comments_for_a_while},
        {"no [DONE]", no_done},
        {"no finish, no [DONE]", no_finish_and_no_done},
        {"[DONE] alone", done_alone},
        {"empty stream", an_empty_stream},
        {"bytes behind [DONE]", bytes_behind_done},
        {"no end behind [DONE]", no_end_behind_done},
        {"error event", an_error_event},
        {"byte by byte", byte_by_byte},
        {"many events at once", many_events_at_once},
        {"big event", a_big_event},
        {"event over the limit", an_event_over_the_limit},
        {"endless line", an_endless_line},
        {"odd events", events_that_are_odd},
        {"broken characters", characters_that_are_none},
        {"gzip unasked", gzip_unasked},
        {"gzip bomb", a_gzip_bomb},
        {"unknown coding", an_unknown_coding},
        {"bad chunk", a_bad_chunk},
        {"body too short", a_body_that_is_too_short},
        {"body too long", a_body_that_is_too_long},
        {"passed bytes cut", passed_bytes_are_cut},
        {"kept connection closed", closes_the_kept_connection},
        {"bytes on an idle connection", bytes_on_an_idle_connection},
        {"correction refused", correction_refused},
        {"correction closed", correction_ends_at_once<act::close>},
        {"correction reset", correction_ends_at_once<act::reset>},
        {"correction stalled", correction_ends_at_once<act::stall>},
        {"correction cut", correction_is_cut<act::close>},
        {"correction stalled inside", correction_is_cut<act::stall>},
        {"correction empty", correction_is_empty},
        {"correction with an error event", correction_fails_inside},
    });
    return rows;
}

} // namespace bench::soak
