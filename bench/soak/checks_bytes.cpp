// Invariants 11, 12 and 13: bytes that must be the same on both sides, and those that must not be
// there at all.
#include "bench/soak/checks.hpp"
#include "bench/soak/http_reader.hpp"
#include "bench/soak/nonce.hpp"
#include <algorithm>
#include <array>
#include <set>

namespace bench::soak {

namespace {

void check_nonces(const evidence& all, ledger& to) {
    const auto& own = all.of.nonce;
    const auto& client = all.of.client;
    const auto answer = client.head + client.body;
    if (all.of.surface == surface::malformed) {
        to.note(11, client.status == 0 || client.status >= 400, place_of(all.of),
                "a malformed request was answered");
    }
    const auto foreign = foreign_nonce(answer, own);
    to.note(11, foreign.empty(), place_of(all.of),
            "the client got bytes of " + std::string(foreign));
    if (!all.attempts.empty() && !client.head.empty()) {
        to.note(11, first_nonce(answer) == own, place_of(all.of), "the nonce did not come back");
    }
    for (const auto& attempt : all.of.attempts) {
        const auto asked = attempt.request_head + attempt.request_body;
        to.note(11, foreign_nonce(asked, own).empty(), place_of(all.of),
                "a request with bytes of another");
    }
}

std::string_view first_line(std::string_view head) {
    return head.substr(0, head.find("\r\n"));
}

void check_request(const evidence& all, ledger& to) {
    const auto& client = all.of.client;
    const auto& asked = all.of.attempts.front();
    to.note(12, asked.early || asked.request_body == client.request_body, place_of(all.of),
            "the request's body: " + difference(client.request_body, asked.request_body));
    auto same = first_line(asked.request_head) == first_line(client.request_head);
    for (const auto* name : {"authorization", "content-type", "cookie", "x-api-key"}) {
        same = same && field_of(asked.request_head, name) == field_of(client.request_head, name);
    }
    to.note(12, same, place_of(all.of), "the request's line or a field of it");
}

// What the model server wrote, as blocks and as blocks without what may be edited.
struct known_blocks {
    std::set<std::string, std::less<>> raw, blank;

    explicit known_blocks(const evidence& all) {
        for (const auto& attempt : all.attempts) {
            for (const auto& block : attempt.facts.blocks) {
                if (raw.insert(block).second) {
                    blank.insert(blanked(data_of(block)));
                }
            }
        }
    }

    bool explain(const std::string& block) const {
        if (raw.contains(block) || block == ": keep-alive\n\n") {
            return true;
        }
        const auto data = data_of(block);
        if (data == "[DONE]" || may_be_minted(data)) {
            return true;
        }
        const auto blank_data = blanked(data);
        return !blank_data.empty() && blank.contains(blank_data);
    }
};

void check_blocks(const evidence& all, ledger& to) {
    const auto known = known_blocks(all);
    for (const auto& block : all.client.blocks) {
        to.note(12, known.explain(block), place_of(all.of),
                "an event that is neither the upstream's nor ours: " + block.substr(0, 200));
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
        to.note(12, client.body == last.body, place_of(all.of),
                "the answer: " + difference(last.body, client.body));
    } else if (!edited && !all.client_is_stream) {
        to.note(12, last.body.starts_with(client.body), place_of(all.of),
                "the answer's beginning: " + difference(last.body, client.body));
    }
    if (all.sanitized && all.client_is_stream && last.is_stream) {
        check_blocks(all, to);
    } else if (edited && all.client_saw_all && !all.client_is_stream) {
        to.note(12, blanked(client.body) == blanked(last.body), place_of(all.of),
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
        to.note(13, (client.head + client.body).find(planted_secret) == std::string::npos,
                place_of(all.of), "a planted secret in the answer");
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

std::string place_of(const recording& of) {
    static constexpr auto client_ends =
        std::to_array<std::string_view>({"whole", "cut", "left", "timeout", "unserved"});
    static constexpr auto attempt_ends =
        std::to_array<std::string_view>({"kept", "closed", "reset", "killed", "peer left"});
    auto out = of.name + " (" + of.nonce + "; client " +
               std::string(client_ends.at(static_cast<std::size_t>(of.client.end))) + ", status " +
               std::to_string(of.client.status) + ", " + std::to_string(of.client.body.size()) +
               " bytes";
    for (const auto& each : of.attempts) {
        out.append("; upstream ").append(attempt_ends.at(static_cast<std::size_t>(each.end)));
        out.append(", ").append(std::to_string(each.sent.size())).append(" bytes");
    }
    for (const auto& each : of.turns) {
        out.append("; log ").append(each.outcome);
    }
    return out + (of.disturbed ? "; disturbed)" : ")");
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
