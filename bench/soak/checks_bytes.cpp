// Invariants 11, 12 and 13: bytes that must be the same on both sides, and those that must not be
// there at all.
#include "bench/soak/checks.hpp"
#include "bench/soak/http_reader.hpp"
#include "bench/soak/nonce.hpp"
#include <algorithm>
#include <set>

namespace bench::soak {

namespace {

void check_nonces(const evidence& all, ledger& to) {
    const auto& own = all.of.nonce;
    const auto& client = all.of.client;
    const auto answer = client.head + client.body;
    if (all.of.surface == surface::malformed) {
        to.note(11, client.status == 0 || client.status >= 400, all.of,
                "a malformed request was answered");
    }
    const auto foreign = foreign_nonce(answer, own);
    to.note(11, foreign.empty(), all.of, "the client got bytes of " + std::string(foreign));
    if (!all.attempts.empty() && !client.head.empty()) {
        to.note(11, first_nonce(answer) == own, all.of, "the nonce did not come back");
    }
    for (const auto& attempt : all.of.attempts) {
        const auto asked = attempt.request_head + attempt.request_body;
        to.note(11, foreign_nonce(asked, own).empty(), all.of, "a request with bytes of another");
    }
}

std::string_view first_line(std::string_view head) {
    return head.substr(0, head.find("\r\n"));
}

void check_request(const evidence& all, ledger& to) {
    const auto& client = all.of.client;
    const auto& asked = all.of.attempts.front();
    to.note(12, asked.early || asked.request_body == client.request_body, all.of,
            "the request's body: " + difference(client.request_body, asked.request_body));
    auto same = first_line(asked.request_head) == first_line(client.request_head);
    for (const auto* name : {"authorization", "content-type", "cookie", "x-api-key"}) {
        same = same && field_of(asked.request_head, name) == field_of(client.request_head, name);
    }
    to.note(12, same, all.of, "the request's line or a field of it");
}

// What the model server wrote, as blocks and, once one is edited, without what may be edited.
class known_blocks {
  public:
    explicit known_blocks(const evidence& all) {
        for (const auto& attempt : all.attempts) {
            raw_.insert(attempt.facts.blocks.begin(), attempt.facts.blocks.end());
        }
    }

    bool explain(const std::string& block) {
        if (raw_.contains(block) || block == ": keep-alive\n\n") {
            return true;
        }
        const auto data = data_of(block);
        if (data == "[DONE]" || may_be_minted(data)) {
            return true;
        }
        if (blank_.empty()) {
            for (const auto& each : raw_) {
                blank_.insert(blanked(data_of(each)));
            }
        }
        const auto blank = blanked(data);
        return !blank.empty() && blank_.contains(blank);
    }

  private:
    std::set<std::string, std::less<>> raw_, blank_;
};

void check_blocks(const evidence& all, ledger& to) {
    auto known = known_blocks(all);
    for (const auto& block : all.client.blocks) {
        const bool holds = known.explain(block);
        to.note(12, holds, all.of,
                holds
                    ? std::string{}
                    : "an event that is neither the upstream's nor ours: " + block.substr(0, 200));
    }
}

void check_answer(const evidence& all, ledger& to) {
    const auto& client = all.of.client;
    const auto& last = *all.last();
    const bool own =
        client.status != last.status || !last.valid_head || all.of.attempts.back().opaque;
    if (own) {
        return; // an error of ours; checks_ends asks whether it had to be one
    }
    const bool edited = all.sanitized && !all.of.identical;
    if (!edited && all.client_saw_all && last.ended && !last.lossy) {
        to.note(12, client.body == last.body, all.of,
                "the answer: " + difference(last.body, client.body));
    } else if (!edited && !all.client_is_stream) {
        to.note(12, last.body.starts_with(client.body), all.of,
                "the answer's beginning: " + difference(last.body, client.body));
    }
    if (all.sanitized && all.client_is_stream && last.is_stream) {
        check_blocks(all, to);
    } else if (edited && all.client_saw_all && !all.client_is_stream) {
        to.note(12, blanked(client.body) == blanked(last.body), all.of,
                "a body with more than its text changed");
    }
}

void check_secrets(const evidence& all, ledger& to) {
    const auto& client = all.of.client;
    const bool told = std::ranges::any_of(all.of.attempts, [](const attempt& each) {
        return each.sent.find(planted_secret) != std::string::npos;
    });
    const bool error = client.status >= 400 || all.client.errors > 0;
    if (!told || error) {
        to.note(13, (client.head + client.body).find(planted_secret) == std::string::npos, all.of,
                "a planted secret in the answer");
    }
}

} // namespace

void check_bytes(const evidence& all, ledger& to) {
    check_nonces(all, to);
    check_secrets(all, to);
    if (!all.attempts.empty()) {
        check_request(all, to);
        check_answer(all, to);
    }
}

void check_log_line(std::string_view line, ledger& to) {
    to.note(13, line.find(planted_secret) == std::string_view::npos, "the log",
            std::string(line.substr(0, 300)));
}

void check_exchange(const recording& of, ledger& to) {
    const auto all = read_evidence(of);
    check_texts(all, to);
    check_ends(all, to);
    check_requests(all, to);
    check_bytes(all, to);
}

std::string difference(std::string_view expected, std::string_view got) {
    const auto parts = std::ranges::mismatch(expected, got);
    const auto at = static_cast<std::size_t>(parts.in1 - expected.begin());
    constexpr std::size_t shown = 60;
    return "at byte " + std::to_string(at) + " of " + std::to_string(expected.size()) +
           " expected '" + std::string(expected.substr(at, shown)) + "', got '" +
           std::string(got.substr(at, shown)) + "' of " + std::to_string(got.size());
}

} // namespace bench::soak
