#include "tests/replay/expectations.hpp"

#include "tests/replay/correction_check.hpp"
#include "tests/support/client_view.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace tests::replay {

namespace json = boost::json;

namespace {

/// One comparison: what the case expects, what came, where to say what is wrong.
struct check {
    const replay_case& one;
    const played& got;
    const client_view& view;     ///< of the client
    const client_view& upstream; ///< of what the upstream wrote, all answers
    std::vector<std::string>& wrong;

    void that(bool holds, const std::string& what) const {
        if (!holds) {
            wrong.push_back(what);
        }
    }

    bool failed_turn() const { return !one.expect.at("error").is_null(); }
};

std::string in_quotes(std::string_view text) {
    return json::serialize(json::string(text.data(), text.size()));
}

void content(const check& c, const json::value& expected) {
    if (expected.is_null()) {
        return;
    }
    const bool loose = c.one.expect.at("content_match").as_string() == "ws";
    const auto form = [&](std::string_view text) {
        return loose ? collapse_space(text) : std::string(text);
    };
    const auto got = form(c.view.first().content);
    bool right = got == form(expected.as_string());
    if (const auto* also = c.one.expect.if_contains("content_also")) {
        for (const auto& other : also->as_array()) {
            right = right || got == form(other.as_string());
        }
    }
    c.that(right, "content is " + in_quotes(got));
}

void tool_calls(const check& c, const json::value& expected) {
    json::array calls;
    for (const auto& [index, call] : c.view.first().calls) {
        calls.push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
    }
    c.that(calls == expected.as_array(), "tool calls are " + json::serialize(calls));
}

void error(const check& c, const json::value& expected) {
    if (expected.is_null()) {
        c.that(c.view.errors.empty(), "an error came");
        return;
    }
    if (c.view.errors.size() != 1) {
        c.that(false, std::to_string(c.view.errors.size()) + " errors came");
        return;
    }
    const auto& came = c.view.errors.front();
    const auto text = json::serialize(came);
    for (const auto& member : expected.as_object()) {
        if (member.key() == "message_contains") {
            const std::string part(member.value().as_string());
            c.that(text.find(part) != std::string::npos, "the error is " + text);
        } else if (const auto* any = member.value().if_array()) {
            c.that(std::ranges::find(*any, came.at(member.key())) != any->end(),
                   "the error is " + text);
        } else {
            c.that(came.at(member.key()) == member.value(), "the error is " + text);
        }
    }
}

void finish_reason(const check& c, const json::value& expected) {
    std::vector<std::string> wanted;
    if (expected.is_string()) {
        wanted.emplace_back(expected.as_string());
    }
    c.that(c.view.first().finishes == wanted, "finish reasons are wrong");
}

void usage_total(const check& c, const json::value& expected) {
    c.that(c.view.usages.size() == 1, std::to_string(c.view.usages.size()) + " usages came");
    for (const auto& member : expected.as_object()) {
        c.that(!c.view.usages.empty() && c.view.usages.back().at(member.key()) == member.value(),
               "usage is wrong in " + std::string(member.key()));
    }
}

void contains(const check& c, const std::string& in, const json::value& parts, bool wanted) {
    for (const auto& part : parts.as_array()) {
        const bool found = in.find(part.as_string().c_str()) != std::string::npos;
        c.that(found == wanted,
               (wanted ? "missing: " : "must not be there: ") + in_quotes(part.as_string()));
    }
}

/// With a pause between the upstream's writes every delta must leave before the next write.
void timing(const check& c, const json::value&) {
    std::string written;
    for (std::size_t i = 0; i < c.got.after_write.size(); ++i) {
        written += c.one.upstream.front().writes[i];
        c.that(read_stream(c.got.after_write[i]).first().content ==
                   read_stream(written).first().content,
               "text of write " + std::to_string(i) + " was held");
    }
}

void forwarded_equal(const check& c, const json::value& members) {
    const auto asked = json::parse(c.one.request).as_object();
    const auto sent = json::parse(c.got.requests.front()).as_object();
    for (const auto& name : members.as_array()) {
        c.that(asked.at(name.as_string()) == sent.at(name.as_string()),
               "the forwarded request differs in " + in_quotes(name.as_string()));
    }
}

void headers_absent(const check& c, const json::value& names) {
    for (const auto& name : names.as_array()) {
        const auto line = "\r\n" + std::string(name.as_string()) + ":";
        c.that(c.got.head && c.got.head->find(line) == std::string::npos,
               c.got.head ? "the response has " + in_quotes(name.as_string())
                          : "headers are only seen over sockets");
    }
}

using checker = std::function<void(const check&, const json::value&)>;

const std::map<std::string, checker, std::less<>>& checkers() {
    const checker elsewhere = [](const check&, const json::value&) {};
    static const std::map<std::string, checker, std::less<>> all = {
        {"content", content},
        {"content_match", elsewhere},
        {"content_also", elsewhere},
        {"decision", elsewhere},
        {"note", elsewhere},
        {"response_kind", elsewhere},
        {"tool_calls", tool_calls},
        {"error", error},
        {"finish_reason", finish_reason},
        {"usage_total", usage_total},
        {"timing", timing},
        {"forwarded_request_equals_client", forwarded_equal},
        {"response_headers_absent", headers_absent},
        {"upstream_requests",
         [](const check& c, const json::value& expected) {
             c.that(c.got.requests.size() == expected.to_number<std::size_t>(),
                    std::to_string(c.got.requests.size()) + " upstream requests");
         }},
        {"reasoning",
         [](const check& c, const json::value& expected) {
             c.that(c.view.first().reasoning == expected.as_string(),
                    "reasoning is " + in_quotes(c.view.first().reasoning));
         }},
        {"ends_with_done",
         [](const check& c, const json::value& expected) {
             c.that(c.view.ends_with_done == expected.as_bool(), "the last event is wrong");
         }},
        {"tool_call_deltas_unchanged",
         [](const check& c, const json::value&) {
             c.that(c.view.call_deltas == c.upstream.call_deltas, "call deltas were changed");
         }},
        {"must_contain",
         [](const check& c, const json::value& parts) {
             contains(c, c.view.first().content, parts, true);
         }},
        {"must_contain_wire",
         [](const check& c, const json::value& parts) { contains(c, c.got.body, parts, true); }},
        {"must_not_contain_wire",
         [](const check& c, const json::value& parts) { contains(c, c.got.body, parts, false); }},
        {"correction",
         [](const check& c, const json::value& expected) {
             if (c.got.requests.size() > 1) {
                 check_correction(c.one.request, c.got.requests[1], expected.as_object(), c.wrong);
             }
         }},
    };
    return all;
}

/// What holds for every stream, whatever the case is about.
void invariants(const check& c) {
    c.that(c.got.in_order, "the body did not end in good order");
    c.that(c.view.dones == 1, std::to_string(c.view.dones) + " [DONE]");
    c.that(c.view.ends_with_done, "[DONE] is not last");
    c.that(!c.view.ends_in_event, "half an event was sent");
    c.that(c.view.ids.size() <= 1, "several ids");
    for (const auto& [index, choice] : c.view.choices) {
        c.that(choice.finishes.size() <= 1, "several finish reasons");
        const auto sent = c.upstream.choices.find(index);
        const bool had_role = sent != c.upstream.choices.end() && sent->second.role_deltas > 0;
        c.that(choice.role_deltas == (had_role ? 1 : 0),
               std::to_string(choice.role_deltas) + " role deltas");
        c.that(!c.failed_turn() || choice.finishes.empty(), "a failed turn looks finished");
    }
}

/// Text waits at most for the next write, unless it is white space in front of everything or begins
/// like markup.
void holds(const check& c) {
    constexpr std::string_view markup_begins = "<[{";
    std::string before; // what the upstream's writes up to the one before say
    std::string written;
    for (std::size_t i = 0; i < c.got.after_write.size(); ++i) {
        const auto sent = read_stream(c.got.after_write[i]).first().content;
        const auto held = before.substr(std::min(sent.size(), before.size()));
        const bool may_wait = held.empty() || collapse_space(before).empty() ||
                              markup_begins.find(held.front()) != std::string_view::npos;
        c.that(may_wait, "text was held longer than one write: " + in_quotes(held));
        written += c.one.upstream.front().writes[i];
        before = read_stream(written).first().content;
    }
}

} // namespace

std::vector<std::string> problems(const replay_case& one, const played& got) {
    std::vector<std::string> wrong;
    if (!got.fault.empty()) {
        wrong.push_back(got.fault);
        return wrong;
    }
    std::string written;
    for (const auto& answer : one.upstream) {
        written += answer.is_stream() ? answer.body() : "";
    }
    const auto upstream = read_stream(written);
    const bool streamed = one.expect.if_contains("response_kind") == nullptr;
    const auto view = streamed ? read_stream(got.body) : read_body(got.body);
    const check c{one, got, view, upstream, wrong};
    for (const auto& member : one.expect) {
        const auto found = checkers().find(std::string_view(member.key()));
        if (found == checkers().end()) {
            c.that(false, "expect." + std::string(member.key()) + " is not known here");
        } else {
            found->second(c, member.value());
        }
    }
    if (streamed) {
        invariants(c);
    }
    if (one.kind == "pass") {
        holds(c);
    }
    return wrong;
}

} // namespace tests::replay
