#include "bench/soak/evidence.hpp"

#include "bench/soak/http_reader.hpp"
#include <algorithm>

namespace bench::soak {

namespace {

attempt_facts read_attempt(const attempt& of, bool to_head, bool passed) {
    auto facts = attempt_facts{};
    auto reader =
        http_reader(to_head ? http_reader::kind::answer_to_head : http_reader::kind::answer);
    reader.feed(of.sent);
    facts.lossy = of.end == attempt_end::reset || of.end == attempt_end::killed ||
                  of.end == attempt_end::peer_left;
    if (of.end == attempt_end::closed) {
        reader.closed();
    }
    facts.status = reader.status();
    facts.valid_head = !reader.head().empty() && !of.untrusted;
    facts.is_stream = field_of(reader.head(), "content-type").starts_with("text/event-stream");
    facts.body = of.plain.empty() ? reader.body() : of.plain;
    facts.facts = read_facts(facts.body, facts.is_stream);
    facts.whole = reader.now() == http_reader::state::complete && !of.untrusted && !of.opaque;
    facts.said_end = facts.facts.dones > 0 || facts.facts.all_finished();
    facts.ended = facts.whole && (!facts.is_stream || facts.said_end || passed);
    return facts;
}

// Bytes that `chars` characters from `at` take; up to the end where there are fewer.
std::size_t bytes_of(const std::string& text, std::size_t at, std::size_t chars) {
    auto end = at;
    while (chars > 0 && end < text.size()) {
        ++end;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            ++end;
        }
        --chars;
    }
    return end - at;
}

} // namespace

evidence read_evidence(const recording& of) {
    auto all = evidence{of, {}, {}, false, false, false};
    const bool to_head = of.client.request_head.starts_with("HEAD ");
    const bool read = of.surface == surface::chat || of.surface == surface::completions;
    for (const auto& each : of.attempts) {
        all.attempts.push_back(read_attempt(each, to_head, !read));
    }
    const auto& client = of.client;
    all.client_is_stream = field_of(client.head, "content-type").starts_with("text/event-stream");
    all.client = read_facts(client.body, all.client_is_stream);
    all.client_saw_all =
        client.end == client_end::whole && client.status >= 200 && client.status < 300;
    all.sanitized = read && !all.attempts.empty() && all.attempts[0].status / 100 == 2;
    return all;
}

std::string without_spans(const std::string& text, const std::vector<log_span>& spans,
                          unsigned attempt, std::size_t choice) {
    auto own = std::vector<log_span>{};
    std::ranges::copy_if(spans, std::back_inserter(own), [&](const log_span& span) {
        return span.attempt == attempt && span.choice == choice;
    });
    std::ranges::sort(own, {}, &log_span::offset);
    auto out = std::string{};
    auto at = std::size_t{0};
    for (const auto& span : own) {
        if (span.offset < at || span.offset > text.size()) {
            return {};
        }
        out.append(text, at, span.offset - at);
        at = span.offset + bytes_of(text, span.offset, span.chars);
    }
    return out.append(text, at);
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

} // namespace bench::soak
