#include "bench/soak/ledger.hpp"

#include <iomanip>
#include <ostream>

namespace bench::soak {

namespace {

constexpr std::array<std::string_view, invariant_count> names = {
    "text out = text in minus the logged spans",
    "nothing of a choice comes behind its finish",
    "one terminal event a stream, nothing behind it",
    "one finish a choice, and one that was given",
    "at most two requests a turn, the second only after an empty first",
    "one response: no text of attempt 1, one id, created and model",
    "every stream ends, in time",
    "the upstream is closed when the client has left",
    "memory stays within what the streams may hold",
    "what was not whole is not shown as whole",
    "no byte of one exchange reaches another client",
    "what is not edited is equal byte for byte",
    "no planted secret in a log or an error",
    "the log's counters agree with what happened",
};

constexpr std::uint64_t examples_each = 3;

} // namespace

std::string_view invariant_name(std::size_t number) {
    return names.at(number - 1);
}

void ledger::note(std::size_t number, bool holds, std::string_view where, std::string_view why) {
    const std::lock_guard lock(mutex_);
    auto& of = rows_.at(number - 1);
    ++of.checked;
    if (holds) {
        return;
    }
    if (++of.broken <= examples_each) {
        examples_.push_back(std::to_string(number) + " in " + std::string(where) + ": " +
                            std::string(why));
    }
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

void ledger::note(std::size_t number, bool holds, const recording& where, std::string_view why) {
    note(number, holds, holds ? std::string{} : place_of(where), why);
}

std::uint64_t ledger::checked(std::size_t number) const {
    const std::lock_guard lock(mutex_);
    return rows_.at(number - 1).checked;
}

std::uint64_t ledger::broken(std::size_t number) const {
    const std::lock_guard lock(mutex_);
    return rows_.at(number - 1).broken;
}

std::uint64_t ledger::broken() const {
    auto sum = std::uint64_t{0};
    for (std::size_t number = 1; number <= invariant_count; ++number) {
        sum += broken(number);
    }
    return sum;
}

std::vector<std::string> ledger::examples() const {
    const std::lock_guard lock(mutex_);
    return examples_;
}

void ledger::report(std::ostream& out) const {
    out << "invariant                                                               checked   "
           "broken\n";
    for (std::size_t number = 1; number <= invariant_count; ++number) {
        out << std::right << std::setw(2) << number << "  " << std::left << std::setw(66)
            << invariant_name(number) << std::right << std::setw(11) << checked(number)
            << std::setw(9) << broken(number) << '\n';
    }
    for (const auto& example : examples()) {
        out << "broken: " << example << '\n';
    }
}

} // namespace bench::soak
