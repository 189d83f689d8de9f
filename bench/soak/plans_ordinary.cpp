// What happens all day: clean answers, leaks, corrections, JSON, completions and passed paths.
#include "bench/script.hpp"
#include "bench/soak/plan_rows.hpp"
#include <array>

namespace bench::soak {

void make_clean(composer& with, plan& out, std::size_t sentences) {
    out.request = with.chat_request(true, with.number(0, 1) == 0);
    out.answers[0] = with.stream(with.answer_events(with.prose(sentences)));
    out.identical = true;
}

void make_leak(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    const auto before = with.prose(with.number(1, 3)) + "\n\n";
    const auto text = before + with.markup() + "\n\n" + with.prose(with.number(1, 3));
    out.answers[0] = with.stream(with.answer_events(text));
}

void make_emptied(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    out.answers[0] = with.stream(with.answer_events(with.markup(), "tool_calls"));
}

namespace {

void second_stream(composer& with, plan& out, const std::string& text) {
    with.set_attempt(2);
    out.answers[1] = with.stream(with.answer_events(text));
}

void clean(composer& with, plan& out) {
    make_clean(with, out, with.number(1, 20));
}

void long_clean(composer& with, plan& out) {
    make_clean(with, out, with.number(40, 120));
}

void code(composer& with, plan& out) { // full of `<` and `[`, which may be held and cut
    out.request = with.chat_request(true, true);
    out.answers[0] = with.stream(with.answer_events(with.prose(1) + std::string(sample_text())));
}

void two_leaks(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    const auto text = with.prose(1) + "\n" + with.markup() + "\n" + with.prose(2) + "\n" +
                      with.markup() + "\n" + with.prose(1);
    out.answers[0] = with.stream(with.answer_events(text));
}

void leaks_of_two_choices(composer& with, plan& out) {
    out.request = with.chat_request(true, true, R"("n":2,)");
    const auto first = with.text_events(with.prose(2) + "\n" + with.markup());
    const auto second = with.text_events(with.prose(1) + "\n" + with.markup() + with.prose(1), 1);
    auto events = std::vector<std::string>{};
    for (std::size_t i = 0; i < first.size() || i < second.size(); ++i) {
        for (const auto* from : {&first, &second}) {
            if (i < from->size()) {
                events.push_back((*from)[i]);
            }
        }
    }
    events.push_back(with.finish_event("stop", 0));
    events.push_back(with.finish_event("stop", 1));
    events.emplace_back(done_event);
    out.answers[0] = with.stream(events);
}

void corrected(composer& with, plan& out) {
    make_emptied(with, out);
    second_stream(with, out, with.prose(with.number(1, 6)));
}

void corrected_with_a_leak(composer& with, plan& out) {
    make_emptied(with, out);
    second_stream(with, out, with.prose(2) + "\n" + with.markup() + "\n" + with.prose(1));
}

void corrected_behind_white_space(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    out.answers[0] = with.stream(with.answer_events("\n\n " + with.markup() + "\n"));
    second_stream(with, out, "\n" + with.prose(2));
}

void failed_twice(composer& with, plan& out) {
    make_emptied(with, out);
    second_stream(with, out, with.markup());
}

void structured_call(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    const auto call = R"("tool_calls":[{"index":0,"id":"call_)" + with.nonce() +
                      R"(","type":"function","function":{"name":"lookup_tide","arguments":"{}"}}])";
    out.answers[0] =
        with.stream({with.event(R"("role":"assistant","content":null)"), with.event(call),
                     with.finish_event("tool_calls"), std::string(done_event)});
    out.identical = true;
}

void reasoning_first(composer& with, plan& out) {
    out.request = with.chat_request(true, true);
    auto events = std::vector<std::string>{with.event(R"("role":"assistant")")};
    for (auto left = with.number(3, 20); left > 0; --left) {
        events.push_back(with.event(R"("reasoning_content":"hm )" + with.nonce() + '"'));
        events.emplace_back(": waiting\n\n");
    }
    const auto answer = with.answer_events(with.prose(2));
    events.insert(events.end(), answer.begin() + 1, answer.end());
    out.answers[0] = with.stream(events);
    out.identical = true;
}

void json_clean(composer& with, plan& out) {
    out.request = with.chat_request(false, true);
    out.answers[0].pause(20).write(
        answer_with("200 OK", "application/json", with.body(with.prose(5))));
    out.identical = true;
}

void json_leak(composer& with, plan& out) {
    out.request = with.chat_request(false, true);
    const auto text = with.prose(1) + "\n" + with.markup() + "\n" + with.prose(1);
    out.answers[0].write(answer_with("200 OK", "application/json", with.body(text)));
}

void json_corrected(composer& with, plan& out) {
    out.request = with.chat_request(false, true);
    out.answers[0].write(
        answer_with("200 OK", "application/json", with.body(with.markup(), "tool_calls")));
    with.set_attempt(2);
    out.answers[1].pause(10).write(
        answer_with("200 OK", "application/json", with.body(with.prose(2))));
}

void json_failed_twice(composer& with, plan& out) {
    json_corrected(with, out);
    out.answers[1] = script{};
    out.answers[1].write(answer_with("200 OK", "application/json", with.body(with.markup())));
}

void completion(composer& with, plan& out) {
    out.surface = surface::completions;
    with.set_legacy(true);
    out.request = with.completion_request(true);
    out.answers[0] = with.stream(with.answer_events(with.prose(4)));
    out.identical = true;
}

void completion_leak(composer& with, plan& out) {
    completion(with, out);
    const auto text = with.prose(1) + "\n" + with.sentinel_markup() + "\n" + with.prose(1);
    out.answers[0] = with.stream(with.answer_events(text));
    out.identical = false;
}

void passed_models(composer& with, plan& out) {
    out.surface = surface::passed;
    out.request = with.request("GET", "/v1/models?of=" + with.nonce(), "");
    out.answers[0].write(answer_with("200 OK", "application/json", with.prose(2)));
}

void passed_upload(composer& with, plan& out) {
    out.surface = surface::passed;
    auto body = with.prose(3);
    body.append(with.number(0, 100'000), '\xC3'); // no UTF-8
    out.request = with.request("POST", "/v1/files", body);
    out.answers[0] = with.stream({with.markup(), with.prose(10), "\xFF\xFE"});
}

void passed_head(composer& with, plan& out) {
    out.surface = surface::passed;
    out.request = with.request("HEAD", "/v1/files/" + with.nonce(), "");
    out.answers[0].write("HTTP/1.1 200 OK\r\ncontent-length: 1234\r\n\r\n");
}

} // namespace

std::span<const plan_row> ordinary_rows() {
    static constexpr auto rows = std::to_array<plan_row>({
        {"clean", clean},
        {"long clean", long_clean},
        {"code", code},
        {"leak", make_leak},
        {"clean", clean},
        {"two leaks", two_leaks},
        {"leaks of two choices", leaks_of_two_choices},
        {"corrected", corrected},
        {"corrected, with a leak", corrected_with_a_leak},
        {"corrected behind white space", corrected_behind_white_space},
        {"clean", clean},
        {"failed twice", failed_twice},
        {"structured call", structured_call},
        {"reasoning first", reasoning_first},
        {"JSON", json_clean},
        {"JSON leak", json_leak},
        {"JSON corrected", json_corrected},
        {"JSON failed twice", json_failed_twice},
        {"completion", completion},
        {"completion leak", completion_leak},
        {"passed GET", passed_models},
        {"passed POST", passed_upload},
        {"passed HEAD", passed_head},
    });
    return rows;
}

} // namespace bench::soak
