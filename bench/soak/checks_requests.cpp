// Invariants 5, 8 and 14: what the model server was asked, when it was let go, and what the log
// says about it.
#include "bench/soak/checks.hpp"
#include "bench/soak/nonce.hpp"
#include <algorithm>

namespace bench::soak {

namespace {

constexpr std::int64_t close_limit_ns = 1'000'000'000;

void check_second(const evidence& all, ledger& to) {
    const auto& first = all.attempts[0];
    const auto& request = all.of.attempts[1].request_body;
    // A kill behind its last byte does not make a first answer less whole.
    to.note(5, first.ended, all.of, "a second request after a first answer that did not end well");
    to.note(5,
            request.find("\"tools\"") == std::string::npos && first_nonce(request) == all.of.nonce,
            all.of, "a second request that is not the first without its tools");
    for (const auto& [number, choice] : first.facts.choices) {
        const auto visible = without_spans(choice.text, all.of.spans, 1, number);
        to.note(5, is_blank(visible) && !choice.answered, all.of,
                "a second request after an answer");
    }
}

void check_count(const evidence& all, ledger& to) {
    const auto most = all.of.surface == surface::malformed ? 0U
                      : all.of.surface == surface::chat    ? 2U
                                                           : 1U;
    to.note(5, all.attempts.size() <= most, all.of,
            std::to_string(all.attempts.size()) + " upstream requests");
    if (all.attempts.size() == 2) {
        check_second(all, to);
    }
}

void check_leaving(const evidence& all, ledger& to) {
    const auto left = all.of.client.left_ns;
    if (left == 0) {
        return;
    }
    for (const auto& attempt : all.of.attempts) {
        const auto from = std::max(left, attempt.began_ns);
        const bool by_proxy = attempt.end == attempt_end::peer_left;
        const auto until = by_proxy ? attempt.closed_ns : attempt.last_write_ns;
        to.note(8, until - from <= close_limit_ns && attempt.began_ns - left <= close_limit_ns,
                all.of,
                "the upstream was held for " + std::to_string((until - from) / 1'000'000) +
                    " ms behind the client's leaving");
    }
}

void check_turn(const evidence& all, const log_turn& turn, ledger& to) {
    auto stripped = std::size_t{0};
    for (const auto& span : all.of.spans) {
        stripped += span.chars;
    }
    const auto& client = all.of.client;
    const bool stayed = client.left_ns == 0 && client.end != client_end::unserved;
    if (all.of.spans.size() < 8) {
        to.note(14, turn.stripped == stripped, all.of,
                "scaffold_stripped=" + std::to_string(turn.stripped) + ", spans " +
                    std::to_string(stripped));
    }
    const auto second = all.attempts.size() == 2 ? 1U : 0U;
    const bool exact = stayed && !all.of.disturbed;
    to.note(14, exact ? turn.corrections == second : turn.corrections >= second, all.of,
            "corrections=" + std::to_string(turn.corrections) + ", second requests " +
                std::to_string(second));
    if (stayed && client.end == client_end::whole) {
        to.note(14, turn.outcome != "cancelled" && turn.status == client.status, all.of,
                "outcome=" + turn.outcome + " status=" + std::to_string(turn.status) +
                    " of an answer with status " + std::to_string(client.status));
    }
}

void check_log(const evidence& all, ledger& to) {
    const auto& client = all.of.client;
    const auto lines = all.of.turns.size();
    const bool must =
        client.end == client_end::whole || client.end == client_end::cut || !all.attempts.empty();
    if (all.of.surface != surface::malformed) {
        to.note(14, lines == 1 || (!must && lines == 0), all.of,
                std::to_string(lines) + " turn lines");
    }
    for (const auto& turn : all.of.turns) {
        check_turn(all, turn, to);
    }
}

} // namespace

void check_requests(const evidence& all, ledger& to) {
    check_count(all, to);
    check_leaving(all, to);
    check_log(all, to);
}

void check_memory(std::uint64_t rest_bytes, std::uint64_t bytes, std::uint64_t streams,
                  std::uint64_t event_limit, ledger& to) {
    constexpr std::uint64_t kept_by_allocator = std::uint64_t{32} << 20;
    constexpr std::uint64_t each = std::uint64_t{256} << 10;
    const auto most = rest_bytes + kept_by_allocator + streams * (each + event_limit);
    to.note(9, bytes <= most, std::to_string(streams) + " streams",
            std::to_string(bytes >> 20) + " MiB resident, at most " + std::to_string(most >> 20));
}

} // namespace bench::soak
