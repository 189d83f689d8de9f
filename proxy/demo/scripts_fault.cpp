#include "proxy/demo/answers.hpp"
#include "proxy/demo/scripts.hpp"

#include <chrono>

namespace proxy::demo {

namespace {

constexpr std::string_view text = "The harbour opens at six and closes at ten.";

struct fault {
    std::string_view name;
    std::string_view summary;
    void (*apply)(answer&);
};

/// Keeps the first half of the writes: no finish, no [DONE].
void keep_half(answer& a) {
    a.writes.resize(a.writes.size() / 2);
}

void cut(answer& a) {
    keep_half(a);
    a.end = ending::cut;
}

void reset(answer& a) {
    keep_half(a);
    a.end = ending::reset;
}

void stall(answer& a) {
    keep_half(a);
    a.end = ending::stall;
}

void early_end(answer& a) {
    keep_half(a);
}

void half_event(answer& a) {
    keep_half(a);
    a.writes.back().resize(a.writes.back().size() / 2);
}

void bad_json(answer& a) {
    const auto middle = a.writes.begin() + static_cast<std::ptrdiff_t>(a.writes.size() / 2);
    a.writes.insert(middle, "data: {\"id\":\"chatcmpl-broken\",\"choices\":[{\"index\":0,\n\n");
}

void split_events(answer& a) {
    std::vector<std::string> halves;
    for (const auto& event : a.writes) {
        halves.push_back(event.substr(0, event.size() / 2));
        halves.push_back(event.substr(event.size() / 2));
    }
    a.writes = std::move(halves);
}

void slow_start(answer& a) {
    a.first_byte_delay = std::chrono::milliseconds(1500);
}

void never_start(answer& a) {
    a.first_byte_delay = std::chrono::hours(24);
}

void error_event(answer& a) {
    keep_half(a);
    a.writes.emplace_back("data: {\"error\":{\"message\":\"the engine died\",\"type\":"
                          "\"server_error\",\"param\":null,\"code\":\"engine_dead\"}}\n\n");
    a.writes.emplace_back("data: [DONE]\n\n");
}

void internal_error(answer& a) {
    a = make_error(500, "server_error", "the engine is on fire");
}

void rate_limited(answer& a) {
    a = make_error(429, "rate_limit_error", "too many requests");
    a.headers = {{"retry-after", "7"}};
}

constexpr fault faults[] = {
    {"fault-cut", "the connection is closed in the middle of the answer", cut},
    {"fault-reset", "the connection is reset in the middle of the answer", reset},
    {"fault-stall", "silence in the middle of the answer", stall},
    {"fault-early-end", "the body ends in good order, but without finish and [DONE]", early_end},
    {"fault-half-event", "the body ends inside an event", half_event},
    {"fault-split-events", "every event in two writes; nothing else is wrong", split_events},
    {"fault-bad-json", "one event holds broken JSON", bad_json},
    {"fault-error-event", "an error event in the middle of the answer", error_event},
    {"fault-slow-start", "the first byte takes 1.5 s", slow_start},
    {"fault-no-answer", "no status line ever", never_start},
    {"fault-500", "status 500", internal_error},
    {"fault-429", "status 429 with retry-after", rate_limited},
};

/// Markup as the whole answer, then a fault on the correction.
script correction_fault(std::string name, std::string summary, answer second) {
    script out{std::move(name), std::move(summary), {}};
    out.answers.push_back(make_answer(
        out.name, {"[TOOL_CALLS]lookup_tide[ARGS]{\"port\": \"Brest\"}", 4, {}, "", ""}));
    out.answers.push_back(std::move(second));
    return out;
}

} // namespace

std::vector<script> fault_scripts() {
    std::vector<script> all;
    for (const auto& row : faults) {
        script one{std::string(row.name), std::string(row.summary), {}};
        one.answers.push_back(make_answer(one.name, {std::string(text), 4, {}, "", ""}));
        row.apply(one.answers.front());
        all.push_back(std::move(one));
    }
    all.push_back(correction_fault("scaffold-then-500", "markup, then status 500 on the correction",
                                   make_error(500, "server_error", "the engine is on fire")));
    answer stalled = make_answer("scaffold-then-stall", {std::string(text), 4, {}, "", ""}, 2);
    stalled.writes.resize(1);
    stalled.end = ending::stall;
    all.push_back(correction_fault("scaffold-then-stall",
                                   "markup, then silence behind the correction's first event",
                                   std::move(stalled)));
    return all;
}

} // namespace proxy::demo
